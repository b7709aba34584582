import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapHost, MapLayer } from "#components/map/map-layer.ts";
import { globeView, type MapView, mercatorView } from "#components/map/map-view.ts";
import { loadOutline } from "#components/map/outline.ts";
import type { Scene } from "#components/map/scene.ts";
import type { OnLand } from "#components/map/symbols/land-index.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { ParticleCanvas } from "./particle-canvas.ts";
import { hasFlow, landMask, velocityGrid } from "./velocity-grid.ts";

/**
 * Particles that float with wind or current. On a canvas of their own above the map, so that the map itself, which costs
 * far more than they do, rests between two changes.
 *
 * None while the camera moves, none for who asked the system for less motion, none in a hidden tab.
 */
export function particlesMapLayer(host: MapHost): MapLayer {
  const { map, element, probe } = host;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  let scene: Scene | undefined;
  let canvas: ParticleCanvas | undefined;
  let onLand: OnLand | undefined;
  let seen: { view: MapView; mask: Uint8Array } | undefined;

  const stop = () => {
    seen = undefined;
    canvas?.pause();
  };
  /** Brings the flow up to the scene and the view. */
  const update = () => {
    const pair = scene && flowingPair(scene);
    if (!scene || !pair || calm.matches) {
      canvas?.remove();
      canvas = undefined;
      seen = undefined;
      return;
    }
    if (!onLand) {
      host.waitFor(
        loadOutline().then(
          (outline) => {
            onLand = outline.onLand;
            update();
          },
          // Asked for again at the next change.
          () => undefined,
        ),
      );
      return;
    }
    if (map.isMoving()) return;
    canvas ??= new ParticleCanvas(map.getCanvasContainer(), element, probe);
    const anew = seen === undefined;
    if (!seen) {
      const view = viewOf(map, scene.projection === "globe");
      seen = { view, mask: landMask(view, onLand) };
    }
    const grid = velocityGrid(seen.view, pair, seen.mask);
    if (grid) canvas.float(grid, seen.view.width, seen.view.height, anew);
  };
  map.on("movestart", stop);
  map.on("moveend", update);
  map.on("resize", stop);
  map.on("resize", update);
  calm.addEventListener("change", update);

  return {
    draw(next, last) {
      scene = next;
      if (next.theme !== last?.theme) canvas?.paint();
      const turned = next.projection !== last?.projection;
      if (turned) stop();
      if (turned || flowingPair(next) !== (last && flowingPair(last))) update();
    },
    close() {
      scene = undefined;
      map.off("movestart", stop);
      map.off("moveend", update);
      map.off("resize", stop);
      map.off("resize", update);
      calm.removeEventListener("change", update);
      canvas?.remove();
    },
  };
}

/** The frames that particles float in: the first that hold a flow. */
function flowingPair({ symbols }: Scene): FramePair | undefined {
  return symbols.find(({ kind, pair }) => kind === "particles" && hasFlow(pair.before))?.pair;
}

function viewOf(map: MapLibreMap, globe: boolean): MapView {
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  const { lat: latitude, lng: longitude } = map.getCenter();
  const camera = { width, height, zoom: map.getZoom(), centre: { latitude, longitude } };
  return globe ? globeView(camera) : mercatorView(camera);
}
