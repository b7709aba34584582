import type { TrackPoint } from "#lib/contract/storm-form.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { ofWire } from "#lib/storms/wire.ts";

/** Positions of one fix in two bulletins: further apart, the storm was placed anew. */
const SAME_PLACE_KM = 20;

/**
 * Fixes of the newest bulletin, completed by what an older one told of them.
 *
 * Some feeds give wind, pressure and radii of the newest fix only and of the others the place. What was said of a fix
 * when it was new still holds, unless the fix was moved since.
 *
 * @param points Of the newest bulletin.
 * @param older Of the bulletin before, completed in the same way.
 */
export function remembered(points: readonly TrackPoint[], older: readonly TrackPoint[]): TrackPoint[] {
  const known = new Map(older.map((point) => [point.time, point]));
  return points.map((point) => {
    const before = known.get(point.time);
    if (!before || distanceKm(ofWire(point), ofWire(before)) > SAME_PLACE_KM) return point;
    const sameWind = point.vmax_kt === null || point.vmax_kt === before.vmax_kt;
    if (!sameWind) return point;
    const told = { ...point };
    if (point.vmax_kt === null) {
      told.vmax_kt = before.vmax_kt;
      told.type = before.type;
      told.category = before.category;
    }
    told.mslp_hpa ??= before.mslp_hpa;
    if (point.wind_radii_km === null) {
      told.wind_radii_km = before.wind_radii_km;
      told.affectance_bbox = before.affectance_bbox;
      told.affectance_bbox_estimated = before.affectance_bbox_estimated;
    }
    return told;
  });
}
