import { useClock } from "#components/view-state/clock-context.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { reckoned } from "#lib/geo/dead-reckoning.ts";
import { positionText } from "#lib/position.ts";
import { formatWay } from "./format-ship.ts";

/** Where the ship is, for the low panel of a phone. */
export function ShipPeek() {
  const { ship } = useShip();
  const { now } = useClock();
  if (!ship) return <p className="text-muted text-sm">Raise this panel to pin your ship.</p>;
  const { latitude, longitude } = reckoned(ship, now);
  return (
    <p className="text-sm">
      <strong className="tabular-nums">{positionText(latitude, longitude)}</strong>
      <span className="block truncate text-muted text-xs">{formatWay(ship)}</span>
    </p>
  );
}
