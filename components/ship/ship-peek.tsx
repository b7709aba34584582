import { useClock } from "#components/view-state/clock-context.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useWords } from "#components/words/words-context.ts";
import { reckoned } from "#lib/geo/dead-reckoning.ts";
import { positionText } from "#lib/position.ts";
import { formatWay } from "./format-ship.ts";

/** Where the ship is, for the low panel of a phone. */
export function ShipPeek() {
  const { ship } = useShip();
  const { now } = useClock();
  const words = useWords();
  if (!ship) return <p className="text-muted text-sm">{words.ship.raise}</p>;
  const { latitude, longitude } = reckoned(ship, now);
  return (
    <p className="text-sm">
      <strong className="tabular-nums">{positionText(latitude, longitude)}</strong>
      <span className="block truncate text-muted text-xs">{formatWay(ship, words)}</span>
    </p>
  );
}
