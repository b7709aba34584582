import type { MultiPolygon } from "geojson";

/** Land of the finer basemap. Call it in a worker: parsing its 60,000 points takes a tenth of a second or more. */
export async function fetchLand(): Promise<MultiPolygon> {
  const reply = await fetch("/basemap/land-50m.json");
  if (!reply.ok) throw new Error(`The outline of the land could not be read (${reply.status}).`);
  return reply.json();
}
