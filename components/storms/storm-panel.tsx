import type { ReactNode } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatSpan } from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import type { View } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry } from "#lib/contract/storms.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { basinTitle } from "#lib/storms/provenance.ts";
import { placeNow } from "#lib/storms/track.ts";
import { AreaCard, AreaList, DistanceLine } from "./areas.tsx";
import {
  bulletinSpan,
  bulletinState,
  formatMoving,
  formatStage,
  formatWind,
  issuedAt,
  stormName,
} from "./format-storm.ts";
import { formatClosest, staleShip, verdictOf } from "./format-verdict.ts";
import {
  type ShipApproaches,
  sortedByApproach,
  sortedByStrength,
  useShipApproaches,
} from "./ship-approaches.ts";
import { StormCard } from "./storm-card.tsx";
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

/** A feed without a newer text for so long stands still, or nothing happens: providers issue every 6 hours, some every 3. */
const MAX_FEED_AGE_S = 12 * 3600;

/** Every storm of the provider, and how near it comes to the ship, or how far it is from the sampled point. @param onShow Moves the map to a storm. */
function StormList({ onShow }: { onShow(entry: StormEntry): void }) {
  const { error, entries, loading, retry, ageSeconds } = useStorms();
  const { view, changeView } = useView();
  const { now } = useClock();
  const words = useWords("verdict");
  const { list, providers, reading } = words.storms;
  const approaches = useShipApproaches();
  const stale = approaches && staleShip(approaches.ship, now, words);
  const sorted = approaches ? sortedByApproach(entries, approaches, now) : sortedByStrength(entries);
  const neverRead = error instanceof ServiceError && error.status === 503;
  return (
    <section aria-label={list.title} className="space-y-4">
      <Choice
        title={list.whose}
        options={[
          ["jtwc", providers.jtwc],
          ["jma", providers.jma],
        ]}
        value={view.sp}
        onChange={(sp: View["sp"]) => changeView({ sp, storm: null, film: null, tab: "storms" })}
      />
      <p className="text-muted text-xs">{list.means[view.sp]}</p>
      <Checkbox checked={view.inv} onChange={(inv) => changeView({ inv })}>
        {list.withAreas}
      </Checkbox>
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
      {approaches && entries.length > 1 ? (
        <p role="status" className="text-muted text-xs">
          {approaches.answers ? list.nearestFirst : list.searching}
        </p>
      ) : null}
      {stale && entries.length > 0 ? (
        <p role="status" className="notice-line text-sm">
          {stale}
        </p>
      ) : null}
      {entries.length > 0 ? (
        <ul className="space-y-2">
          {sorted.map((entry) => (
            <li key={entry.id}>
              <Row entry={entry} approaches={approaches} onShow={onShow} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface RowProps {
  entry: StormEntry;
  approaches: ShipApproaches | undefined;
  onShow(entry: StormEntry): void;
}

function Row({ entry, approaches, onShow }: RowProps) {
  const { changeView } = useView();
  const { now } = useClock();
  const words = useWords();
  const { list, areaOfInterest, noLongerTracked } = words.storms;
  const last = entry.tracks.observed.at(-1);
  const place = placeNow(entry, now);
  const issued = issuedAt(entry);
  const stage = last && (entry.is_invest ? areaOfInterest : formatStage(last, entry, words));
  return (
    <button
      type="button"
      className="storm-row"
      data-opens={entry.id}
      onClick={() => {
        changeView({ storm: entry.id, film: null, tab: null }, "push");
        onShow(entry);
      }}
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{stormName(entry, words)}</span>
        <span className="text-muted text-xs">
          {basinTitle(entry.basin, words)} · {entry.id}
        </span>
      </span>
      {last && stage ? (
        <>
          <span className="block text-sm">
            {last.vmax_kt === null
              ? stage
              : list.stageAndWind({ stage, wind: formatWind(last, entry, words) })}
          </span>
          <span className="block text-sm">{formatMoving(last, words)}</span>
        </>
      ) : null}
      <ApproachLine entry={entry} approaches={approaches} />
      <DistanceLine to={place} />
      <span className="block text-xs" data-age={bulletinState(issued, now)}>
        {entry.is_active ? list.bulletin({ span: bulletinSpan(issued, now, words) }) : noLongerTracked}
      </span>
    </button>
  );
}

function ApproachLine({ entry, approaches }: Pick<RowProps, "entry" | "approaches">) {
  const { now } = useClock();
  const zone = useZone("verdict");
  const { list } = useWords().storms;
  if (!approaches?.answers || !entry.is_active) return null;
  const answer = approaches.answers.get(entry.id);
  if (!answer) return <span className="block text-sm">{list.noForecast}</span>;
  const { level, sentences } = verdictOf(answer, now, zone);
  return (
    <>
      {level === "inside" || level === "enters" ? (
        <span className="verdict block text-sm" data-level={level}>
          {sentences[0]}
        </span>
      ) : null}
      <span className="block font-medium text-sm">{formatClosest(answer, now, zone)}</span>
    </>
  );
}
