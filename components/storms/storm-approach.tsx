import { type Fix, isPlanned, reckoned } from "@open-metocean/geo/rhumb";
import { distanceKm, initialBearing } from "@open-metocean/geo/sphere";
import { galeThreshold } from "@open-metocean/storms/danger";
import type { StormEntry } from "@open-metocean/storms/schema";
import { placeNow } from "@open-metocean/storms/track";
import { ofWire } from "@open-metocean/storms/wire";
import type { ReactNode } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatHour, formatShortTime } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { wholeValues } from "#components/words/whole-values.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { formatBearing } from "#lib/position.ts";
import { semicircleAt } from "#lib/storm-answers/approach.ts";
import { type ApproachAnswer, useApproaches } from "./approaches.ts";
import { bulletinSpan } from "./format-storm.ts";
import { formatArrival, formatClearance, formatSide, hasSides, isGaleForecast } from "./format-verdict.ts";

/** The numbers behind the verdict: present range, side, clearance, and arrival of the winds. */
export function StormApproach({ entry }: { entry: StormEntry }) {
  const approaches = useApproaches();
  const { now } = useClock("now");
  const words = useWords("verdict").verdict.approach;
  if (!approaches) return <p className="text-muted text-sm">{words.how}</p>;
  const { is, fix } = approaches.observer;
  const answer = approaches.answers.get(entry.id);
  // If the voyage begins later, its beginning is not reported as now.
  const shown = answer && answer.from > now ? { ...answer, from: Number.NEGATIVE_INFINITY } : answer;
  const from = reckoned(fix, now);
  return (
    <section aria-label={words.title} className="space-y-1">
      <h3 className="font-semibold text-sm">{is === "ship" ? words.toShip : words.toPoint}</h3>
      <RangeNow entry={entry} answer={answer} from={from} ship={is === "ship" ? fix : undefined} />
      {shown ? <Found entry={entry} answer={shown} /> : <LastLocated entry={entry} from={from} of={is} />}
    </section>
  );
}

interface RangeProps {
  entry: StormEntry;
  /** Undefined for a storm without a forecast. */
  answer: ApproachAnswer | undefined;
  from: Place;
  /** The ship whose position is `from`. */
  ship: Fix | undefined;
}

function RangeNow({ entry, answer, from, ship }: RangeProps): ReactNode {
  const { now } = useClock("now");
  const zone = useZone("verdict");
  const centre = placeNow(entry, now);
  if (!centre) return null;
  const { range } = zone.words.verdict;
  const km = distanceKm(from, centre);
  const distance = formatMiles(km, zone.words);
  const semicircle = answer && hasSides(km, answer) ? semicircleAt(entry, from, now) : null;
  const bearing = formatBearing(initialBearing(from, centre));
  return (
    <p className="text-sm">
      {wholeValues(
        ship && isPlanned(ship, now)
          ? range.plannedSaid({ distance, bearing, when: formatShortTime(ship.time, zone) })
          : range.said({ distance, bearing, semicircle }),
        zone.words,
      )}
    </p>
  );
}

function Found({ entry, answer }: { entry: StormEntry; answer: ApproachAnswer }) {
  const zone = useZone("verdict");
  const side = formatSide(answer, zone);
  const clearance = isGaleForecast(answer) ? formatClearance(answer, galeThreshold(entry), zone) : undefined;
  return (
    <>
      {side ? <p className="text-sm">{wholeValues(side, zone.words)}</p> : null}
      {clearance ? <p className="text-sm">{wholeValues(clearance, zone.words)}</p> : null}
      <ul className="list-disc pl-5 text-sm">
        {answer.arrivals.flatMap((arrival) => {
          const text = formatArrival(arrival, zone);
          return text ? [<li key={arrival.threshold_kt}>{wholeValues(text, zone.words)}</li>] : [];
        })}
      </ul>
      <p className="text-muted text-xs">
        {zone.words.verdict.approach.lookedAt({
          until: formatHour(answer.until, zone),
          clock: zone.label(answer.until),
        })}
      </p>
      <ForecastAge entry={entry} />
    </>
  );
}

/** @param of What the distance is measured from. */
function LastLocated({ entry, from, of }: { entry: StormEntry; from: Place; of: "ship" | "point" }) {
  const zone = useZone("verdict");
  const last = entry.tracks.observed.at(-1);
  if (!last) return null;
  const { locatedFromShip, locatedFromPoint } = zone.words.verdict.approach;
  const located = {
    when: formatHour(last.time, zone),
    distance: formatMiles(distanceKm(from, ofWire(last)), zone.words),
  };
  return <p className="text-sm">{of === "ship" ? locatedFromShip(located) : locatedFromPoint(located)}</p>;
}

function ForecastAge({ entry }: { entry: StormEntry }) {
  const { now } = useClock("now");
  const words = useWords("verdict");
  const { forecast } = entry.tracks;
  if (!forecast) return null;
  const { fromForecast, fromOldForecast } = words.verdict.approach;
  const span = bulletinSpan(forecast.issued_at, now, words);
  return forecast.is_stale ? (
    <p className="notice-line text-sm">{fromOldForecast({ span })}</p>
  ) : (
    <p className="text-muted text-xs">{fromForecast({ span })}</p>
  );
}
