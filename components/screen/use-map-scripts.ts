import { useEffect, useState } from "react";
import { loadMapLibrary } from "#components/map/library/map-library.ts";
import { isPictured } from "#components/map/picture/picture-rule.ts";
import { readPlan } from "#components/view-state/plan.ts";
import { readShip } from "#components/view-state/ship-store.ts";
import { readView } from "#components/view-state/view-url.ts";
import { mapMayStart } from "./map-start.ts";
import type { MapWithStorms } from "./map-with-storms.tsx";

/** How long after a failure the map's scripts are asked for again, ms. */
const RETRY_MS = 10_000;

/** Loads what draws the map: half of all scripts, all files at once. */
const loadMap = () =>
  mapMayStart()
    .then(() => Promise.all([import("./map-with-storms.tsx"), loadMapLibrary()]))
    .then(([file]) => file.MapWithStorms);

/** What this device adds to the view. */
const deviceView = () => ({
  hasShip: readShip().ship !== undefined,
  hasPlan: readPlan().plan.route.length > 0,
});

// Where no picture stands for the map it is needed at once: it is loaded while the page hydrates, and again if that fails.
if (typeof window !== "undefined" && !isPictured(readView(window.location.search), deviceView()))
  loadMap().catch(() => undefined);

/**
 * The map, when its scripts have come.
 *
 * @param isWanted Nothing is loaded without. A load that fails is repeated, at once where the network is back.
 */
export function useMapScripts(isWanted: boolean): {
  MapOfScene: typeof MapWithStorms | undefined;
  hasFailed: boolean;
} {
  const [map, setMap] = useState<{ MapOfScene?: typeof MapWithStorms; hasFailed: boolean }>({
    hasFailed: false,
  });
  const isLoaded = map.MapOfScene !== undefined;
  useEffect(() => {
    if (!isWanted || isLoaded) return;
    let isClosed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = () => {
      clearTimeout(timer);
      loadMap().then(
        (MapOfScene) => isClosed || setMap({ MapOfScene, hasFailed: false }),
        () => {
          if (isClosed) return;
          setMap({ hasFailed: true });
          timer = setTimeout(load, RETRY_MS);
        },
      );
    };
    load();
    window.addEventListener("online", load);
    return () => {
      isClosed = true;
      clearTimeout(timer);
      window.removeEventListener("online", load);
    };
  }, [isWanted, isLoaded]);
  return { MapOfScene: map.MapOfScene, hasFailed: map.hasFailed };
}
