import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { formatMoving, formatWind, issuedAt, stormName } from "./format-storm.ts";
import { staleShip, verdictOf } from "./format-verdict.ts";
import { useStorms } from "./storms-context.tsx";
import { useShipApproaches } from "./use-ship-approaches.ts";

/** The selected storm with what it means for the ship, or how to find one, for the low panel of a phone. */
export function StormPeek() {
  const { entry, entries, loading, film } = useStorms();
  const zone = useZone("verdict");
  const { now } = useClock();
  const { words } = zone;
  const { peek } = words.verdict;
  const approaches = useShipApproaches();
  const answer = entry && approaches?.answers?.get(entry.id);
  const stale = approaches && staleShip(approaches.ship, now, words);
  const [verdict, ...details] = answer ? verdictOf(answer, now, zone).sentences : [];
  const last = entry?.tracks.observed.at(-1);
  if (entry && last) {
    return (
      <p className="text-sm">
        <strong>{stormName(entry, words)}</strong> {formatWind(last, entry, words)}
        <span className="block truncate text-muted text-xs">
          {/* The map shows another time of the storm. */}
          {film
            ? peek.inBulletin({ when: formatShortTime(issuedAt(entry), zone) })
            : answer
              ? [verdict, stale, ...details]
                  .filter((sentence) => sentence !== undefined)
                  .join(words.ui.joins.sentences)
              : formatMoving(last, words)}
        </span>
      </p>
    );
  }
  return (
    <p className="text-muted text-sm">
      {loading ? words.storms.reading : entries.length === 0 ? peek.none : peek.tap}
    </p>
  );
}
