import type { Zone } from "#components/view-state/civil.ts";
import { formatClock } from "#components/view-state/format-time.ts";
import { type Fix, reckoned, wayAhead } from "#lib/geo/dead-reckoning.ts";
import { unwrappedLine } from "#lib/geo/unwrap.ts";

/** What the map draws of the ship. */
export interface ShipScene {
  fix: Fix;
  /** Unix seconds. */
  time: number;
  /** Clock of the labels. */
  zone: Zone;
}

/**
 * The ship at the time shown, its way of the next 24 hours and a mark at each sixth. Longitudes continue beyond 180.
 *
 * `kind` of a feature is `ship`, `way` or `mark`. `course`: degrees clockwise from north. `known`: the time is not before
 * that of the position.
 */
export function shipShapes({ fix, time, zone }: ShipScene): GeoJSON.FeatureCollection {
  const { way, marks } = wayAhead(fix, time);
  const line = unwrappedLine(way);
  const coordinates = line.map(({ longitude, latitude }) => [longitude, latitude]);
  const { latitude, longitude } = reckoned(fix, time);
  const known = time >= fix.time;
  const features: GeoJSON.Feature[] = [
    {
      type: "Feature",
      geometry: { type: "Point", coordinates: coordinates[0] ?? [longitude, latitude] },
      properties: { kind: "ship", moves: fix.speed > 0, course: fix.course, known },
    },
    ...marks.map(
      ({ hours, time: at }): GeoJSON.Feature => ({
        type: "Feature",
        geometry: { type: "Point", coordinates: coordinates[hours]! },
        properties: { kind: "mark", label: formatClock(at, zone) },
      }),
    ),
  ];
  if (coordinates.length > 1) {
    features.unshift({
      type: "Feature",
      geometry: { type: "LineString", coordinates },
      properties: { kind: "way" },
    });
  }
  return { type: "FeatureCollection", features };
}
