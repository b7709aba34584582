import type { MultiPolygon } from "geojson";

/** Scales of the land outline, 1:110 million and 1:50 million. */
export type LandScale = "110m" | "50m";

/**
 * Land of the basemap. It should be called in a worker, because parsing its 60,000 points takes a tenth of a
 * second or more.
 */
export async function fetchLand(scale: LandScale = "50m"): Promise<MultiPolygon> {
  const reply = await fetch(`/basemap/land-${scale}.json`);
  if (!reply.ok) throw new Error(`The outline of the land could not be read (${reply.status}).`);
  return reply.json();
}
