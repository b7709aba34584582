import { RADIANS } from "@open-metocean/geo/sphere";
import type { Place } from "#components/view-state/view-url.ts";

/** A place on the canvas: CSS pixels from its top left. */
export interface ScreenPoint {
  x: number;
  y: number;
}

/**
 * Projection of the visible map, from places to the canvas and back: north up, in Mercator or on the globe.
 *
 * The geometry is that of MapLibre at pitch 0, computed without allocations for thousands of places per
 * frame.
 */
export interface MapView {
  readonly width: number;
  readonly height: number;
  /** CSS pixels per degree of latitude at the centre. */
  readonly pixelsPerDegree: number;
  readonly onGlobe: boolean;
  readonly centre: Place;
  /**
   * Computes the position of a place on the canvas, possibly outside it; in Mercator that of the copy nearest
   * to the centre.
   *
   * @returns How squarely the place is seen: 1 in the middle, 0 at the limb of the globe, negative behind it.
   */
  project(latitude: number, longitude: number, out: ScreenPoint): number;
  /** The place at a point of the canvas; undefined off the Earth. */
  unproject(x: number, y: number): Place | undefined;
  /**
   * Computes the direction of a bearing on the canvas, right and down. Its length is 1 in Mercator, which is
   * conformal; on the globe it is shorter where the surface is seen at an angle.
   */
  along(latitude: number, longitude: number, bearing: number, out: ScreenPoint): void;
}

/** Size of the canvas (CSS pixels), centre and zoom of the map. */
export interface Camera {
  width: number;
  height: number;
  centre: Place;
  /** MapLibre's zoom; the equator is 512 · 2^zoom pixels long. */
  zoom: number;
}

/** Latitude at which the Mercator map ends, degrees. */
export const MERCATOR_END = 85.0511287798066;

export function mercatorView({ width, height, centre, zoom }: Camera): MapView {
  const world = 512 * 2 ** zoom;
  const north = northing(centre.latitude);
  return {
    width,
    height,
    pixelsPerDegree: world / 360 / Math.cos(centre.latitude * RADIANS),
    onGlobe: false,
    centre,
    project(latitude, longitude, out) {
      const away = longitude - centre.longitude;
      out.x = width / 2 + ((away - 360 * Math.round(away / 360)) / 360) * world;
      out.y = height / 2 + ((north - northing(latitude)) / (2 * Math.PI)) * world;
      return 1;
    },
    unproject(x, y) {
      const latitude = Math.atan(Math.sinh(north - ((y - height / 2) / world) * 2 * Math.PI)) / RADIANS;
      if (Math.abs(latitude) > MERCATOR_END) return undefined;
      return { latitude, longitude: centre.longitude + ((x - width / 2) / world) * 360 };
    },
    along(_latitude, _longitude, bearing, out) {
      out.x = Math.sin(bearing * RADIANS);
      out.y = -Math.cos(bearing * RADIANS);
    },
  };
}

/** Half of MapLibre's field of view. */
const HALF_FIELD = 0.6435011087932844 / 2;

/**
 * A map view of the globe in perspective, from the height at which the centre has the same scale as in
 * Mercator.
 */
export function globeView({ width, height, centre, zoom }: Camera): MapView {
  const cosCentre = Math.cos(centre.latitude * RADIANS);
  const sinCentre = Math.sin(centre.latitude * RADIANS);
  const radius = (512 * 2 ** zoom) / (2 * Math.PI * cosCentre);
  const distance = (0.5 / Math.tan(HALF_FIELD)) * height;
  const eye = (distance + radius) / radius;
  const horizon = 1 / eye;
  /** Pixels per Earth radius at a distance of `z` radii towards the eye. */
  const scale = (z: number) => distance / (eye - z);
  return {
    width,
    height,
    pixelsPerDegree: radius * RADIANS,
    onGlobe: true,
    centre,
    project(latitude, longitude, out) {
      const away = (longitude - centre.longitude) * RADIANS;
      const cos = Math.cos(latitude * RADIANS);
      const sin = Math.sin(latitude * RADIANS);
      const z = sin * sinCentre + cos * cosCentre * Math.cos(away);
      out.x = width / 2 + cos * Math.sin(away) * scale(z);
      out.y = height / 2 - (sin * cosCentre - cos * Math.cos(away) * sinCentre) * scale(z);
      return (z - horizon) / (1 - horizon);
    },
    unproject(x, y) {
      const right = (x - width / 2) / distance;
      const up = (height / 2 - y) / distance;
      const slope = right * right + up * up;
      const inside = 1 + slope - slope * eye * eye;
      if (inside < 0) return undefined;
      const z = (slope * eye + Math.sqrt(inside)) / (slope + 1);
      const [east, north] = [right * (eye - z), up * (eye - z)];
      return {
        latitude: Math.asin(Math.min(1, Math.max(-1, north * cosCentre + z * sinCentre))) / RADIANS,
        longitude: centre.longitude + Math.atan2(east, z * cosCentre - north * sinCentre) / RADIANS,
      };
    },
    along(latitude, longitude, bearing, out) {
      const away = (longitude - centre.longitude) * RADIANS;
      const [cosAway, sinAway] = [Math.cos(away), Math.sin(away)];
      const cos = Math.cos(latitude * RADIANS);
      const sin = Math.sin(latitude * RADIANS);
      const z = sin * sinCentre + cos * cosCentre * cosAway;
      const east = Math.sin(bearing * RADIANS);
      const north = Math.cos(bearing * RADIANS);
      const dx = east * cosAway - north * sin * sinAway;
      const dy = east * sinCentre * sinAway + north * (cos * cosCentre + sin * cosAway * sinCentre);
      const dz = -east * cosCentre * sinAway + north * (cos * sinCentre - sin * cosCentre * cosAway);
      const pixels = scale(z) / radius;
      const nearer = dz / (eye - z);
      out.x = (dx + cos * sinAway * nearer) * pixels;
      out.y = -(dy + (sin * cosCentre - cos * cosAway * sinCentre) * nearer) * pixels;
    },
  };
}

/** Mercator ordinate of a latitude, radians. */
export function northing(latitude: number): number {
  return Math.asinh(Math.tan(latitude * RADIANS));
}
