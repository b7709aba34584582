import { useClock } from "#components/view-state/clock-context.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { stormName } from "./format-storm.ts";
import { formatClosest, verdictOf } from "./format-verdict.ts";
import { useStorms } from "./storms-context.tsx";
import { useShipApproaches } from "./use-ship-approaches.ts";

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
