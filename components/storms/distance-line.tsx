import { useView } from "#components/view-state/view-context.tsx";
import { distanceKm, initialBearing, type Place } from "#lib/geo/sphere.ts";
import { formatBearing } from "#lib/position.ts";
import { formatMiles } from "./format-storm.ts";

/** How far a place is from the sampled point, in a row of a list; nothing without either. */
export function DistanceLine({ to }: { to: Place | undefined }) {
  const { view } = useView();
  if (!view.p || !to) return null;
  return (
    <span className="block text-sm">
      {formatMiles(distanceKm(view.p, to))} from your point, bearing{" "}
      {formatBearing(initialBearing(view.p, to))}
    </span>
  );
}
