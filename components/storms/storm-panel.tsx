import { reckoned } from "@open-metocean/geo/rhumb";
import type { Place } from "@open-metocean/geo/sphere";
import type { StormEntry } from "@open-metocean/storms/schema";
import type { ReactNode } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatSpan } from "#components/view-state/format-time.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useChangeView, useShownTheme, useView } from "#components/view-state/view-context.tsx";
import type { View } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import { positionText } from "#lib/position.ts";
import { averagingMinutes } from "#lib/storm-answers/provenance.ts";
import { type Approaches, sortedByDanger, useApproaches } from "./approaches.ts";
import { AreaCard, AreaList } from "./areas.tsx";
import {
  bulletinSpan,
  bulletinState,
  formatKnots,
  formatMoving,
  formatStage,
  issuedAt,
  stormName,
} from "./format-storm.ts";
import { staleShip } from "./format-verdict.ts";
import { StormCard } from "./storm-card.tsx";
import { stormIcon } from "./storm-icons.ts";
import { StormLine } from "./storm-peek.tsx";
import { iconName } from "./storm-shapes.ts";
import { useStorms } from "./storms-context.tsx";

interface Props {
  /** Opens the card of a storm. */
  onOpen(id: string): void;
  /** Closes the card. */
  onBack(): void;
  /** Moves the map to a place. */
  onShowPlace(place: Place): void;
  /** Moves the map so that it shows a storm with its whole track. */
  onShowWhole(entry: StormEntry): void;
  /** Opens the panel of the ship. */
  onShip(): void;
  /** Additional actions for a storm. */
  actions?: ReactNode;
}

/** The storm watch: all storms of a provider and areas where others may form, or the details of one storm. */
export function StormPanel({ onOpen, onBack, onShowPlace, onShowWhole, onShip, actions }: Props) {
  const { selected, entry, areas, unknown } = useStorms("selected", "entry", "areas", "unknown");
  const view = useView("storm");
  const key = useApiKey();
  const { storms } = useWords();
  const area = selected ? undefined : areas.find(({ id }) => id === view.storm);
  if (area) return <AreaCard area={area} onBack={onBack} />;
  if (!selected || !key) {
    return (
      <>
        {unknown ? (
          <p role="status" className="notice-line mb-4 text-sm">
            {storms.unknownStorm({ id: unknown })}
          </p>
        ) : null}
        <StormList onOpen={onOpen} onShip={onShip} />
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
      onBack={onBack}
      onShowWhole={onShowWhole}
      actions={actions}
    />
  );
}

/**
 * Age of the newest text from which on the feed has stalled, or no storm exists, seconds; providers issue
 * every 6 hours, some every 3.
 */
const MAX_FEED_AGE_S = 12 * 3600;

/** Every storm of the provider, most dangerous first. */
function StormList({ onOpen, onShip }: Pick<Props, "onOpen" | "onShip">) {
  const { error, entries, loading, retry, ageSeconds } = useStorms(
    "error",
    "entries",
    "loading",
    "retry",
    "ageSeconds",
  );
  const view = useView("sp");
  const { now } = useClock("now");
  const words = useWords("verdict");
  const { list, reading } = words.storms;
  const approaches = useApproaches();
  const stale = approaches && staleShip(approaches.observer, now, words);
  const neverRead = error instanceof ServiceError && error.status === 503;
  return (
    <section aria-label={list.title} className="space-y-3">
      <ListHead onShip={onShip} />
      {ageSeconds > MAX_FEED_AGE_S ? (
        <p role="status" className="notice-line text-sm">
          {list.oldFeed({ span: formatSpan(ageSeconds, words) })}
        </p>
      ) : null}
      {neverRead ? (
        <p role="status" className="text-sm">
          {list.neverRead}
        </p>
      ) : error ? (
        <ErrorMessage error={error} onRetry={retry} />
      ) : loading ? (
        <p role="status">{reading}</p>
      ) : entries.length === 0 ? (
        <p className="text-sm">{list.none[view.sp]}</p>
      ) : null}
      {stale && entries.length > 0 ? (
        <p role="status" className="notice-line text-sm">
          {stale}
        </p>
      ) : null}
      {entries.length > 0 ? (
        <ul className="space-y-2">
          {sortedByDanger(entries, approaches, now).map((entry) => (
            <li key={entry.id}>
              <Row entry={entry} approaches={approaches} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** Header that states from whom storms are measured, and the provider. */
function ListHead({ onShip }: Pick<Props, "onShip">) {
  const view = useView("p", "sp", "inv");
  const changeView = useChangeView();
  const { now } = useClock("now");
  const { ship } = useShip();
  const { storms, ship: words } = useWords();
  const { list, providers } = storms;
  const at = ship && reckoned(ship, now);
  return (
    <div className="flex items-center gap-2 text-sm">
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <button type="button" className="text-left underline" onClick={onShip}>
          {at ? storms.myShip({ position: positionText(at.latitude, at.longitude) }) : words.form.pin}
        </button>
        {!ship && view.p ? <span className="text-muted text-xs">{list.fromPoint}</span> : null}
        <span className="w-full text-muted text-xs">
          {list.means({ provider: providers[view.sp], minutes: averagingMinutes[view.sp] })}
        </span>
      </div>
      <Menu plain label={list.more} align="right" button={<Icon name="more" />}>
        <div className="space-y-3">
          <Choice
            title={list.whose}
            options={[
              ["jtwc", providers.jtwc],
              ["jma", providers.jma],
            ]}
            value={view.sp}
            onChange={(sp: View["sp"]) => changeView({ sp, storm: null, film: null, tab: "storms" })}
          />
          <p className="text-muted text-xs">{list.notComparable}</p>
          <Checkbox checked={view.inv} onChange={(inv) => changeView({ inv })}>
            {list.withAreas}
          </Checkbox>
        </div>
      </Menu>
    </div>
  );
}

interface RowProps extends Pick<Props, "onOpen"> {
  entry: StormEntry;
  approaches: Approaches | undefined;
}

function Row({ entry, approaches, onOpen }: RowProps) {
  const { now } = useClock("now");
  const words = useWords();
  const { list, areaOfInterest, noLongerTracked } = words.storms;
  const last = entry.tracks.observed.at(-1);
  const issued = issuedAt(entry);
  const age = bulletinState(issued, now);
  return (
    <button type="button" className="storm-row" data-opens={entry.id} onClick={() => onOpen(entry.id)}>
      <span className="flex items-center gap-2">
        {last ? <StormSymbol name={iconName(last, entry)} /> : null}
        <span className="min-w-0 text-sm">
          <span className="block font-semibold text-base">{stormName(entry, words)}</span>
          {last ? (
            <>
              <span className="block">
                {list.stageAndWind({
                  stage: entry.is_invest ? areaOfInterest : formatStage(last, entry, words),
                  wind: formatKnots(last, words),
                })}
              </span>
              <span className="block">{formatMoving(last, words)}</span>
            </>
          ) : null}
        </span>
      </span>
      {entry.is_active ? <StormLine entry={entry} approaches={approaches} /> : null}
      {!entry.is_active || age !== "fresh" ? (
        <span className="block text-xs" data-age={age}>
          {entry.is_active ? list.bulletin({ span: bulletinSpan(issued, now, words) }) : noLongerTracked}
        </span>
      ) : null}
    </button>
  );
}

/** The storm's symbol as on the map. */
function StormSymbol({ name }: { name: string }) {
  const theme = useShownTheme();
  return (
    <span aria-hidden="true" className="size-8 shrink-0">
      <canvas
        key={theme}
        ref={(canvas) => {
          const picture = canvas && stormIcon(name, mapColours(canvas));
          if (!picture) return;
          canvas.width = picture.width;
          canvas.height = picture.height;
          canvas.getContext("2d")?.putImageData(picture, 0, 0);
        }}
        className="size-full"
      />
    </span>
  );
}
