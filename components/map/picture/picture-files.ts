import type { FeatureCollection, Point } from "geojson";
import { fetchLand } from "#components/map/fetch-land.ts";
import { landEdges, landIndex } from "#components/map/symbols/land-index.ts";
import type { PlaceName } from "./paint-names.ts";
import { landPaths, type PictureData } from "./paint-picture.ts";

/** The small land of the first view: parsing its 5,000 points takes a few milliseconds. */
export const loadLand = once(async (): Promise<NonNullable<PictureData["land"]>> => {
  const land = await fetchLand("110m");
  return { ...landPaths(land), onLand: landIndex(landEdges(land)) };
});

export const loadNames = once(async (): Promise<readonly PlaceName[]> => {
  const reply = await fetch("/basemap/names.json");
  if (!reply.ok) throw new Error(`The names of the map could not be read (${reply.status}).`);
  const { features } = (await reply.json()) as FeatureCollection<
    Point,
    Omit<PlaceName, "longitude" | "latitude">
  >;
  return features.map(({ properties, geometry }) => {
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    return { ...properties, longitude, latitude };
  });
});

/** A load that all callers share; after a failure the next caller tries again. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
