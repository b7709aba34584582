import { MAX_ZOOM, MIN_ZOOM } from "#components/map/camera-limits.ts";
import {
  type Camera,
  latitudeOf,
  MERCATOR_END,
  mercatorView,
  northing,
  type ScreenPoint,
  worldOf,
} from "#components/map/map-view.ts";
import type { Place } from "#components/view-state/view-url.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";

/** The camera as MapLibre would have it: no sky above or below the world. */
export function keptWithin(camera: Camera): Camera {
  const { width, height, centre } = camera;
  const fitting = height > 0 ? Math.log2(height / 512) : MIN_ZOOM;
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, fitting, camera.zoom));
  const half = Math.PI - (height / 2 / worldOf({ zoom })) * 2 * Math.PI;
  const north = northing(Math.min(MERCATOR_END, Math.max(-MERCATOR_END, centre.latitude)));
  const kept = Math.min(half, Math.max(-half, north));
  const latitude = kept === northing(centre.latitude) ? centre.latitude : latitudeOf(kept);
  return { width, height, zoom, centre: { latitude, longitude: normaliseLongitude(centre.longitude) } };
}

/** What the camera sees; across the antimeridian west is below −180 or east above 180. */
export function boxOfCamera(camera: Camera): ViewBox {
  const { width, height, centre } = camera;
  const world = worldOf(camera);
  const north = northing(centre.latitude);
  const [high, wide] = [(height / 2 / world) * 2 * Math.PI, (width / 2 / world) * 360];
  return {
    south: latitudeOf(north - high),
    north: latitudeOf(north + high),
    west: centre.longitude - wide,
    east: centre.longitude + wide,
  };
}

/** The camera moved by some pixels of the picture: what was at the left comes in by a positive `right`. */
export function panned(camera: Camera, right: number, down: number): Camera {
  const world = worldOf(camera);
  const { latitude, longitude } = camera.centre;
  return keptWithin({
    ...camera,
    centre: {
      latitude: latitudeOf(northing(latitude) + (down / world) * 2 * Math.PI),
      longitude: longitude - (right / world) * 360,
    },
  });
}

/** The camera with another zoom; the place at `at` stays there. */
export function zoomed(camera: Camera, zoom: number, at: ScreenPoint): Camera {
  const next = keptWithin({ ...camera, zoom });
  const share = 1 - 2 ** (next.zoom - camera.zoom);
  return panned(next, (at.x - camera.width / 2) * share, (at.y - camera.height / 2) * share);
}

/** The camera that shows a box whole. @param padding Pixels left free around it. */
export function fitted(
  camera: Camera,
  { south, north, west, east }: ViewBox,
  padding: { top: number; right: number; bottom: number; left: number },
  maxZoom: number,
): Camera {
  const width = Math.max(1, camera.width - padding.left - padding.right);
  const height = Math.max(1, camera.height - padding.top - padding.bottom);
  const high = (northing(north) - northing(south)) / (2 * Math.PI);
  const across = Math.max((east - west) / 360 / width, high / height, 1e-9);
  const zoom = Math.min(maxZoom, Math.log2(1 / (512 * across)));
  const centre: Place = {
    latitude: latitudeOf((northing(north) + northing(south)) / 2),
    longitude: (west + east) / 2,
  };
  const [right, down] = [(padding.left - padding.right) / 2, (padding.top - padding.bottom) / 2];
  return panned(keptWithin({ ...camera, centre, zoom }), right, down);
}

/** The view of a camera, for what is placed on it. */
export const viewOf = (camera: Camera) => mercatorView(camera);
