import type { ReactNode } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { AreaCard } from "./area-card.tsx";
import { AreaList } from "./area-list.tsx";
import { StormCard } from "./storm-card.tsx";
import { StormList } from "./storm-list.tsx";
import { useStorms } from "./storms-context.tsx";

interface Props {
  /** Moves the map to a storm. */
  onShow(entry: StormEntry): void;
  /** Moves the map to a place. */
  onShowPlace(place: Place): void;
  /** Moves the map so that it shows a storm with its whole track. */
  onShowWhole(entry: StormEntry): void;
  /** What can be done besides with a storm. */
  actions?: ReactNode;
}

/** The storm watch: all storms of a provider and where others may form, or the details of one. */
export function StormPanel({ onShow, onShowPlace, onShowWhole, actions }: Props) {
  const { selected, entry, areas, unknown } = useStorms();
  const { view } = useView();
  const key = useApiKey();
  const { storms } = useWords();
  const area = selected ? undefined : areas.find(({ id }) => id === view.storm);
  if (area) return <AreaCard area={area} />;
  if (!selected || !key) {
    return (
      <>
        {unknown ? (
          <p role="status" className="notice-line mb-4 text-sm">
            {storms.unknownStorm({ id: unknown })}
          </p>
        ) : null}
        <StormList onShow={onShow} />
        <AreaList onShow={onShowPlace} />
      </>
    );
  }
  return (
    <StormCard
      key={`${selected.provider} ${selected.id}`}
      newest={selected}
      entry={entry ?? selected}
      apiKey={key}
      onShowWhole={onShowWhole}
      actions={actions}
    />
  );
}
