import type { ReactNode } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatHour, formatShortTime } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry } from "#lib/contract/storms.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { type Fix, isPlanned, reckoned } from "#lib/geo/rhumb.ts";
import { distanceKm, initialBearing } from "#lib/geo/sphere.ts";
import { formatBearing } from "#lib/position.ts";
import type { Approach, ArrivalWindow, ClosestApproach } from "#lib/storms/approach.ts";
import { galeThreshold } from "#lib/storms/danger.ts";
import { placeNow } from "#lib/storms/track.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { type ApproachAnswer, useApproaches } from "./approaches.ts";
import { bulletinSpan } from "./format-storm.ts";
import { formatArrival, formatClearance, formatSide } from "./format-verdict.ts";

/** The numbers behind the verdict: range now, side, clearance, and when its winds arrive. */
export function StormApproach({ entry }: { entry: StormEntry }) {
  const approaches = useApproaches();
  const { now } = useClock();
  const words = useWords("verdict").verdict.approach;
  if (!approaches) return <p className="text-muted text-sm">{words.how}</p>;
  const { is, fix } = approaches.observer;
  const answer = approaches.answers.get(entry.id);
  const found = answer && closestOf(answer);
  // Of a voyage that begins later the beginning is not now.
  const shown = found && found.from > now ? { ...found, from: Number.NEGATIVE_INFINITY } : found;
  const from = reckoned(fix, now);
  return (
    <section aria-label={words.title} className="space-y-1">
      <h3 className="font-semibold text-sm">{is === "ship" ? words.toShip : words.toPoint}</h3>
      <RangeNow entry={entry} from={from} ship={is === "ship" ? fix : undefined} />
      {answer && shown ? (
        <Found entry={entry} found={shown} windows={windowsOf(answer)} />
      ) : (
        <LastLocated entry={entry} from={from} of={is} />
      )}
    </section>
  );
}

interface RangeProps {
  entry: StormEntry;
  from: Place;
  /** The ship whose position `from` is. */
  ship: Fix | undefined;
}

function RangeNow({ entry, from, ship }: RangeProps): ReactNode {
  const { now } = useClock();
  const zone = useZone("verdict");
  const centre = placeNow(entry, now);
  if (!centre) return null;
  const { range } = zone.words.verdict;
  const distance = formatMiles(distanceKm(from, centre), zone.words);
  const bearing = formatBearing(initialBearing(from, centre));
  return (
    <p className="text-sm">
      {ship && isPlanned(ship, now)
        ? range.plannedSaid({ distance, bearing, when: formatShortTime(ship.time, zone) })
        : range.said({ distance, bearing })}
    </p>
  );
}

interface FoundProps {
  entry: StormEntry;
  found: ClosestApproach;
  windows: readonly ArrivalWindow[];
}

function Found({ entry, found, windows }: FoundProps) {
  const zone = useZone("verdict");
  return (
    <>
      <p className="text-sm">{formatSide(found, zone)}</p>
      <p className="text-sm">{formatClearance(found, galeThreshold(entry), zone)}</p>
      <ul className="list-disc pl-5 text-sm">
        {windows.flatMap(({ outlook, ...window }) =>
          outlook === "not expected"
            ? []
            : [<li key={window.thresholdKt}>{formatArrival({ ...window, outlook }, zone)}</li>],
        )}
      </ul>
      <p className="text-muted text-xs">
        {zone.words.verdict.approach.lookedAt({
          until: formatHour(found.until, zone),
          clock: zone.label(found.until),
        })}
      </p>
      <ForecastAge entry={entry} />
    </>
  );
}

/** @param of What the distance is from. */
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
  const { now } = useClock();
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

function closestOf({ closest, least_clearance, from, until }: ApproachAnswer): ClosestApproach {
  return { closest: approachOf(closest), minClearance: approachOf(least_clearance), from, until };
}

function windowsOf({ arrivals }: ApproachAnswer): ArrivalWindow[] {
  return arrivals.map(({ threshold_kt, outlook, earliest, likely, latest, ends, told_until }) => ({
    thresholdKt: threshold_kt,
    outlook,
    earliest,
    likely,
    latest,
    ends,
    radiiUntil: told_until,
  }));
}

function approachOf(approach: ApproachAnswer["closest"]): Approach {
  return {
    time: approach.time,
    km: approach.distance_km,
    bearing: approach.bearing_deg,
    galeKm: approach.gale_km,
    estimated: approach.gale_estimated,
    coneKm: approach.cone_km,
    clearanceKm: approach.clearance_km,
    semicircle: approach.semicircle,
  };
}
