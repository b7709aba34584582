import { reckoned } from "@open-metocean/geo/rhumb";
import type { StormEntry } from "@open-metocean/storms/schema";
import { forecastMarks, NEAR_KM, passingAt, rangeNow } from "@open-metocean/storms/track";
import { useEffect } from "react";
import type { Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { wholeValues } from "#components/words/whole-values.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { formatBearing } from "#lib/position.ts";
import {
  type Approaches,
  dangerLevel,
  dangerousStorms,
  levelOf,
  nearStorms,
  sortedByDanger,
  useApproaches,
  vesselOf,
} from "./approaches.ts";
import { formatMoving, formatWind, issuedAt, stormName } from "./format-storm.ts";
import { formatLine, formatNearest, staleShip } from "./format-verdict.ts";
import { useStorms } from "./storms-context.tsx";

interface LineProps {
  entry: StormEntry;
  approaches: Approaches | undefined;
}

/** The verdict on a storm for the ship or the point, in one line; renders nothing without either. */
export function StormLine({ entry, approaches }: LineProps) {
  const zone = useZone("verdict");
  const { now } = useClock("now");
  if (!approaches) return null;
  const text = lineOf(entry, approaches, now, zone);
  const level = levelOf(entry, approaches, now);
  if (level === "unknown" && !approaches.answers.has(entry.id))
    return text ? <span className="mt-1 block text-sm">{text}</span> : null;
  return (
    <span className="verdict mt-1 block font-medium text-sm" data-level={level}>
      {text}
    </span>
  );
}

function lineOf(
  entry: StormEntry,
  { observer, answers }: Approaches,
  now: number,
  zone: Zone<"verdict">,
): string | undefined {
  const answer = answers.get(entry.id);
  if (answer) return formatLine(answer, now, zone);
  const range = rangeNow(entry, reckoned(observer.fix, now), now);
  return (
    range &&
    zone.words.verdict.line.noForecast({
      distance: formatMiles(range.km, zone.words),
      bearing: formatBearing(range.bearing),
    })
  );
}

/** The selected storm with its verdict, or how to find one, for the low panel of a phone. */
export function StormPeek() {
  const { entry, entries, loading, film } = useStorms("entry", "entries", "loading", "film");
  const zone = useZone("verdict");
  const { now } = useClock("now");
  const { words } = zone;
  const { peek } = words.verdict;
  const approaches = useApproaches();
  const answer = entry && approaches?.answers.get(entry.id);
  const stale = approaches && staleShip(approaches.observer, now, words);
  const last = entry?.tracks.observed.at(-1);
  if (entry && last) {
    return (
      <p className="text-sm">
        <strong>{stormName(entry, words)}</strong> {formatWind(last, entry, words)}
        <span className="line-clamp-2 text-xs">
          {/* The map shows another time of the storm. */}
          {film
            ? peek.inBulletin({ when: formatShortTime(issuedAt(entry), zone) })
            : answer
              ? [formatLine(answer, now, zone), stale]
                  .filter((sentence) => sentence !== undefined)
                  .join(words.ui.joins.sentences)
              : formatMoving(last, words)}
        </span>
      </p>
    );
  }
  const [first] = sortedByDanger(entries, approaches, now);
  if (first && approaches?.answers.has(first.id))
    return (
      <p className="text-sm">
        <strong>{stormName(first, words)}</strong>
        <StormLine entry={first} approaches={approaches} />
      </p>
    );
  return (
    <p className="text-muted text-sm">
      {loading ? words.storms.reading : entries.length === 0 ? peek.none : peek.tap}
    </p>
  );
}

/**
 * The storms that come near the ship, most dangerous first, each with its verdict line, for the ship panel.
 */
export function NearStorms({ onOpen }: { onOpen(id: string): void }) {
  const { entries } = useStorms("entries");
  const { now } = useClock("now");
  const zone = useZone("verdict");
  const approaches = useApproaches(true);
  if (!approaches) return null;
  const near = nearStorms(entries, approaches, now);
  const [worst] = near;
  const stale = staleShip(approaches.observer, now, zone.words);
  const none = entries.length > 0 ? zone.words.ship.whatIf.none : "";
  return (
    <div className="space-y-2">
      {/* Each tried course is announced, by the most important storm. */}
      <p role="status" className={worst ? "sr-only" : "font-semibold"}>
        {worst ? `${stormName(worst, zone.words)}: ${lineOf(worst, approaches, now, zone) ?? ""}` : none}
      </p>
      {near.map((entry) => (
        <button key={entry.id} type="button" className="storm-row" onClick={() => onOpen(entry.id)}>
          <strong>{stormName(entry, zone.words)}</strong>
          <StormLine entry={entry} approaches={approaches} />
        </button>
      ))}
      {stale ? <p className="notice-line text-sm">{stale}</p> : null}
    </div>
  );
}

/**
 * Draws the closest approach of the open storm, or else of the most dangerous one, and counts the dangerous
 * ones.
 */
export function StormDanger({ onCount }: { onCount(count: number): void }) {
  const { entries, film, showApproach } = useStorms("entries", "film", "showApproach");
  const view = useView("storm");
  const { now } = useClock("now");
  const zone = useZone("verdict");
  const approaches = useApproaches(true);
  const count = approaches ? dangerousStorms(entries, approaches, now).length : 0;
  const [worst] = approaches
    ? sortedByDanger(
        entries.filter(({ id }) => {
          const known = approaches.answers.get(id);
          return known && ["inside", "enters", "caution"].includes(dangerLevel(known, now));
        }),
        approaches,
        now,
      )
    : [];
  const answer = film ? undefined : approaches?.answers.get(view.storm ?? worst?.id ?? "");
  const label = answer && wholeValues(formatLine(answer, now, zone), zone.words);
  const short = answer && wholeValues(formatNearest(answer, now, zone), zone.words);
  useEffect(() => {
    onCount(count);
    return () => onCount(0);
  }, [onCount, count]);
  useEffect(() => {
    const entry = entries.find(({ id }) => id === answer?.id);
    const track = entry ? forecastMarks(entry) : [];
    const centre = answer && passingAt(track, answer.closest.time);
    if (!centre || !approaches || !label || !short || answer.closest.distance_km > NEAR_KM) return;
    const vessel = vesselOf(approaches.observer.fix, answer.from).at(answer.closest.time);
    showApproach({ id: answer.id, vessel, centre, track, label, short });
    return () => showApproach(undefined);
  }, [answer, approaches, entries, label, short, showApproach]);
  return null;
}
