import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { formatMoving, formatWind, issuedAt, stormName } from "./format-storm.ts";
import { formatClosest, staleShip, verdictOf } from "./format-verdict.ts";
import { useShipApproaches } from "./ship-approaches.ts";
import { useStorms } from "./storms-context.tsx";

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

interface Props {
  /** The storm whose card is open: it says the same. */
  except: string | null;
  onOpen(id: string): void;
}

/** The storms whose danger area or gales reach the ship, for every tab of the panel; nothing where there are none. */
export function ShipWarnings({ except, onOpen }: Props) {
  const zone = useZone("verdict");
  const { now } = useClock();
  const { entries } = useStorms();
  const answers = useShipApproaches()?.answers;
  return entries.map((entry) => {
    const answer = entry.is_active && entry.id !== except ? answers?.get(entry.id) : undefined;
    if (!answer) return null;
    const { level, sentences } = verdictOf(answer, now, zone);
    const isReached = level === "inside" || level === "enters";
    if (!isReached && answer.arrivals[0]?.outlook !== "expected") return null;
    return (
      <button
        key={entry.id}
        type="button"
        className="verdict ship-warning"
        data-level={isReached ? level : "enters"}
        onClick={() => onOpen(entry.id)}
      >
        <strong>{stormName(entry, zone.words)}</strong>{" "}
        {[...sentences, formatClosest(answer, now, zone)].join(zone.words.ui.joins.sentences)}
      </button>
    );
  });
}
