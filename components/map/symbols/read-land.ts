import type { MultiPolygon } from "geojson";
import { landIndex } from "#components/map/symbols/land-index.ts";
import type { OnLand } from "#components/map/symbols/placed-symbols.ts";

let reading: Promise<OnLand> | undefined;

/** The outline of the land, read once for all who ask; asked for again when it could not be read. */
export function readLand(): Promise<OnLand> {
  reading ??= fetchLand().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

async function fetchLand(): Promise<OnLand> {
  const reply = await fetch("/basemap/land-50m.json");
  if (!reply.ok) throw new Error(`The outline of the land could not be read (${reply.status}).`);
  return landIndex((await reply.json()) as MultiPolygon);
}
