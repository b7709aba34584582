import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { formatMiles } from "#lib/format-miles.ts";
import { isPlanned, reckoned } from "#lib/geo/dead-reckoning.ts";
import { distanceKm, initialBearing, type Place } from "#lib/geo/sphere.ts";
import { formatBearing } from "#lib/position.ts";

/** How far a place is from the ship now, or else from the sampled point, in a row of a list; nothing without either. */
export function DistanceLine({ to }: { to: Place | undefined }) {
  const { view } = useView();
  const zone = useZone("verdict");
  const { now } = useClock();
  const { ship } = useShip();
  const from = ship ? reckoned(ship, now) : view.p;
  if (!from || !to) return null;
  const { range } = zone.words.verdict;
  const distance = formatMiles(distanceKm(from, to), zone.words);
  const bearing = formatBearing(initialBearing(from, to));
  return (
    <span className="block text-sm">
      {!ship
        ? range.fromPoint({ distance, bearing })
        : isPlanned(ship, now)
          ? range.fromPlanned({ distance, bearing, when: formatShortTime(ship.time, zone) })
          : range.fromShip({ distance, bearing })}
    </span>
  );
}
