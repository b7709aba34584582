import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import type { Box } from "./box.ts";
import type { Place } from "./sphere.ts";

/** The box between two opposite corners, the shorter way around the globe. */
export function boxBetween(one: Place, other: Place): ViewBox {
  const longitude = other.longitude - 360 * Math.round((other.longitude - one.longitude) / 360);
  return boxOfCorners(one, { ...other, longitude });
}

/** The box between two opposite corners, whose longitudes may be beyond 180: not the shorter way around. */
export function boxOfCorners(one: Place, other: Place): ViewBox {
  return {
    south: Math.min(one.latitude, other.latitude),
    north: Math.max(one.latitude, other.latitude),
    west: Math.min(one.longitude, other.longitude),
    east: Math.max(one.longitude, other.longitude),
  };
}

/** The same box with its west in −180..180, within the poles, and at most once around the globe. */
export function aroundGlobe({ south, north, west, east }: ViewBox): ViewBox {
  const within = { south: Math.max(-90, south), north: Math.min(90, north) };
  if (east - west >= 360) return { ...within, west: -180, east: 180 };
  const from = normaliseLongitude(west);
  return { ...within, west: from, east: from + (east - west) };
}

/** The box of a request: longitudes in −180..180, the west above the east across the antimeridian. */
export function boxOfView(view: ViewBox): Box {
  const { west, east, ...latitudes } = aroundGlobe(view);
  return { ...latitudes, west, east: east > 180 ? east - 360 : east };
}

/** Inverse of `boxOfView`. */
export function viewOfBox({ west, east, ...latitudes }: Box): ViewBox {
  return { ...latitudes, west, east: east < west ? east + 360 : east };
}
