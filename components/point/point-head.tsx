import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { curlOfBody } from "#components/api-client/curl.ts";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import {
  type NamedSpot,
  removePlace,
  type SaveFault,
  savePlace,
  useNameOf,
} from "#components/view-state/saved-places.ts";
import { useChangeView } from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import { positionText } from "#lib/position.ts";
import { pointsBody } from "./conditions-at.ts";
import type { PointSample } from "./point-queries.ts";

// Needed only to compare places.
const SavedPlaces = dynamic(
  withWords(() => import("./saved-places.tsx").then((file) => file.SavedPlaces), "places"),
  { ssr: false },
);

export interface PointHeadProps {
  sample: PointSample;
  /** Location relative to the nearest named place: `12 n mi W of Brest`. */
  near?: string | undefined;
  /** Additional actions for the values. @param close Closes the menu. */
  actions?: ((close: () => void) => ReactNode) | undefined;
  /** Shows another place. */
  onPlace(spot: NamedSpot): void;
}

/** Name or position of the sampled place, and the actions for it. */
export function PointHead({ sample, near, actions, onPlace }: PointHeadProps) {
  const { point } = useWords();
  const changeView = useChangeView();
  const [comparing, setComparing] = useState<{ fault?: SaveFault | undefined }>();
  const { place, time, model } = sample;
  const { name, isSaved } = useNameOf(place);
  const position = positionText(place.latitude, place.longitude);
  return (
    <div className="flex items-start justify-between gap-1">
      <div className="min-w-0">
        <h2 data-opened className="font-semibold text-xl tabular-nums leading-7">
          {name ?? near ?? position}
        </h2>
        {/* The line keeps its height until a name is known, so that nothing below moves. */}
        <p className="place-line">{name || near ? position : null}</p>
      </div>
      <div className="-mt-2 -mr-2 flex shrink-0 [&_.button]:md:min-w-9">
        <Button
          className="plain"
          aria-label={point.save}
          aria-pressed={isSaved}
          onClick={() => {
            if (isSaved) return void removePlace(place);
            const fault = savePlace({ ...place, name: name ?? near ?? position });
            // The dialog that opens lets the user remove other places.
            if (fault) setComparing({ fault });
          }}
        >
          <Icon name={isSaved ? "starred" : "star"} />
        </Button>
        <Menu plain align="right" label={point.more} button={<Icon name="more" />}>
          {(close) => (
            <div className="menu-list">
              <button
                type="button"
                className="button px-3"
                onClick={() => {
                  close();
                  setComparing({});
                }}
              >
                {point.saved}
              </button>
              <CopyButton text={() => position}>{point.copyPosition}</CopyButton>
              <CopyButton
                text={() => curlOfBody("/MetOcean", pointsBody(place, [time], variableNames, model))}
              >
                {point.copyAsCurl}
              </CopyButton>
              {actions?.(close)}
            </div>
          )}
        </Menu>
        <Button className="plain" aria-label={point.forget} onClick={() => changeView({ p: null }, "push")}>
          <Icon name="close" />
        </Button>
      </div>
      {comparing ? (
        <SavedPlaces
          apiKey={sample.apiKey}
          fault={comparing.fault}
          onClose={() => setComparing(undefined)}
          onPlace={(spot) => {
            setComparing(undefined);
            onPlace(spot);
          }}
        />
      ) : null}
    </div>
  );
}
