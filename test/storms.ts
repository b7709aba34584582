import { EARTH_KM, type Place, RADIANS } from "@open-metocean/geo/sphere";
import type { ForecastPoint, StormEntry, TrackPoint } from "@open-metocean/storms/schema";

/** Base time of the storms of these tests: 2026-09-15 12:00 UTC. */
export const BASE = 1_789_473_600;

const EDGE_KM = 200;

/** A storm of 70 kt without radii. Its affectance box represents a reach of 200 km. */
export function trackPoint(hour: number, place: Place, more: Partial<TrackPoint> = {}): TrackPoint {
  const edge = EDGE_KM / EARTH_KM / RADIANS;
  const { latitude: lat, longitude: lon } = place;
  return {
    time: BASE + hour * 3600,
    lat,
    lon,
    vmax_kt: 70,
    mslp_hpa: 980,
    type: "HU",
    category: 1,
    heading_deg: 285,
    speed_kmh: 20,
    wind_radii_km: null,
    affectance_bbox: { s: lat - edge, n: lat + edge, w: lon - edge, e: lon + edge },
    affectance_bbox_estimated: true,
    ...more,
  };
}

/** A forecast point. The cone's radius grows by 2 km an hour. */
export function aheadPoint(fhr: number, place: Place, more: Partial<ForecastPoint> = {}): ForecastPoint {
  const point = { ...trackPoint(fhr, place), fhr };
  return fhr === 0 ? { ...point, ...more } : { ...point, cone_radius_km: 2 * fhr, ...more };
}

/** The same radii in all quadrants for 34, 50 and 64 kt, km. */
export function allRound(gale: number, storm: number | null, hurricane: number | null) {
  const quadrants = (km: number | null) => (km === null ? null : { ne: km, se: km, sw: km, nw: km });
  return {
    wind_radii_km: { "34kn": quadrants(gale), "50kn": quadrants(storm), "64kn": quadrants(hurricane) },
    affectance_bbox_estimated: false,
  };
}

export function stormOf(points: readonly ForecastPoint[], more: Partial<StormEntry> = {}): StormEntry {
  const { fhr: _, ...observed } = points[0]!;
  return {
    schema_version: "1.0",
    generated_at: BASE,
    provider: "jtwc",
    id: "AL012026",
    name: "DEMOALFA",
    year: 2026,
    basin: "north_atlantic",
    is_active: true,
    is_invest: false,
    units: {
      vmax_kt: "kt",
      mslp_hpa: "hPa",
      speed_kmh: "km/h",
      heading_deg: "degrees",
      wind_radii_km: "km",
      cone_radius_km: "km",
    },
    track_bbox: { s: 0, n: 1, w: 0, e: 1 },
    tracks: {
      observed: [observed],
      forecast: { issued_at: BASE, cone_source: "nhc", points: [...points] },
    },
    ...more,
  };
}
