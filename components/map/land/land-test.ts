import { viewBoxOf } from "#components/map/map-events.ts";
import type { MapHost } from "#components/map/map-layer.ts";
import { landIn, type OnLand, tilesIn, tileZoom } from "./land-tiles.ts";

/**
 * The land test for a map layer, from the tiles that the map draws. It is undefined until those of a view are read, which the
 * first call starts; while those of another view are being read it is that of the last one. After a failure the next call tries
 * again.
 *
 * @param onLoad Called when the test of another view becomes available.
 */
export function landTest({ map, waitFor }: MapHost, onLoad: () => void): () => OnLand | undefined {
  let land: OnLand | undefined;
  let requested = "";
  const request = () => {
    const [box, zoom] = [viewBoxOf(map), tileZoom(map.getZoom())];
    const names = tilesIn(box, zoom).join(" ");
    if (names === requested) return;
    requested = names;
    const isLatest = () => requested === names;
    const load = landIn(box, zoom).then(
      (test) => {
        if (!isLatest()) return;
        land = test;
        onLoad();
      },
      () => {
        if (isLatest()) requested = "";
      },
    );
    waitFor(load);
  };
  map.on("moveend", () => {
    if (land) request();
  });
  return () => {
    request();
    return land;
  };
}
