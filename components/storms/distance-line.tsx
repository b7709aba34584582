import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { isPlanned, reckoned } from "#lib/geo/dead-reckoning.ts";
import { distanceKm, initialBearing, type Place } from "#lib/geo/sphere.ts";
import { formatBearing } from "#lib/position.ts";
import { formatMiles } from "./format-storm.ts";

/** How far a place is from the ship now, or else from the sampled point, in a row of a list; nothing without either. */
export function DistanceLine({ to }: { to: Place | undefined }) {
  const { view, zone } = useView();
  const { now } = useClock();
  const { ship } = useShip();
  const from = ship ? reckoned(ship, now) : view.p;
  if (!from || !to) return null;
  const miles = formatMiles(distanceKm(from, to));
  const bearing = formatBearing(initialBearing(from, to));
  return (
    <span className="block text-sm">
      {!ship
        ? `${miles} from your point, bearing ${bearing}`
        : isPlanned(ship, now)
          ? `Now ${miles} from where your ship will be ${formatShortTime(ship.time, zone)}, bearing ${bearing}`
          : `Now ${miles} from your ship, bearing ${bearing}`}
    </span>
  );
}
