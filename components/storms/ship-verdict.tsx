import { useClock } from "#components/view-state/clock-context.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { staleShip, verdictOf, verdictWithout } from "./format-verdict.ts";
import { useShipApproaches } from "./use-ship-approaches.ts";

/** What the storm means for the ship, in a few sentences; nothing without a ship. */
export function ShipVerdict({ entry }: { entry: StormEntry }) {
  const zone = useZone("verdict");
  const { now } = useClock();
  const approaches = useShipApproaches();
  if (!approaches) return null;
  const { ship, answers } = approaches;
  if (!answers) return <p role="status">{zone.words.verdict.approach.looking}</p>;
  const answer = answers.get(entry.id);
  const { level, sentences } = answer
    ? verdictOf(answer, now, zone)
    : verdictWithout(entry, now, ship.time > now, zone);
  const [first, ...others] = sentences;
  const stale = staleShip(ship, now, zone.words);
  if (stale) others.push(stale);
  return (
    <div role="status" className="verdict" data-level={level}>
      <p className="font-semibold">{first}</p>
      {others.map((sentence) => (
        <p key={sentence} className="text-sm">
          {sentence}
        </p>
      ))}
    </div>
  );
}
