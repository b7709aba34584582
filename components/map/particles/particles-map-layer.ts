import type { Map as MapLibreMap } from "maplibre-gl";
import type { MapHost, MapLayer } from "#components/map/map-layer.ts";
import { globeView, type MapView, mercatorView } from "#components/map/map-view.ts";
import { landTest } from "#components/map/outline.ts";
import type { Scene } from "#components/map/scene.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { ParticleCanvas } from "./particle-canvas.ts";
import { hasFlow, type LandMask, landMask, velocityGrid } from "./velocity-grid.ts";

/**
 * Particles that move with wind or current, on a canvas of their own above the map, so that the map, which costs far more,
 * need not be redrawn with them.
 *
 * None while the camera moves, with reduced motion, or in a hidden tab.
 */
export function particlesMapLayer(host: MapHost): MapLayer {
  const { map, element, probe } = host;
  const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
  let scene: Scene | undefined;
  let canvas: ParticleCanvas | undefined;
  let current: { view: MapView; mask: LandMask } | undefined;

  const stop = () => {
    current = undefined;
    canvas?.pause();
  };
  /** Updates the flow to the scene and the view. */
  const update = () => {
    const pair = scene && flowingPair(scene);
    if (!scene || !pair || reducedMotion.matches) {
      canvas?.remove();
      canvas = undefined;
      current = undefined;
      return;
    }
    const onLand = landOf();
    if (!onLand) return;
    if (map.isMoving()) return;
    canvas ??= new ParticleCanvas(map.getCanvasContainer(), element, probe);
    const restart = current === undefined;
    if (!current) {
      const view = viewOf(map, scene.projection === "globe");
      current = { view, mask: landMask(view, onLand) };
    }
    const { view, mask } = current;
    const grid = velocityGrid(view, pair, mask);
    if (grid) canvas.run(grid, view.width, view.height, restart);
  };
  const landOf = landTest(host, update);
  map.on("movestart", stop);
  map.on("moveend", update);
  map.on("resize", stop);
  map.on("resize", update);
  reducedMotion.addEventListener("change", update);

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
      reducedMotion.removeEventListener("change", update);
      canvas?.remove();
    },
  };
}

/** The frames that move the particles: the first that contain a flow. */
function flowingPair({ symbols }: Scene): FramePair | undefined {
  return symbols.find(({ kind, pair }) => kind === "particles" && hasFlow(pair.before))?.pair;
}

function viewOf(map: MapLibreMap, globe: boolean): MapView {
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  const { lat: latitude, lng: longitude } = map.getCenter();
  const camera = { width, height, zoom: map.getZoom(), centre: { latitude, longitude } };
  return globe ? globeView(camera) : mercatorView(camera);
}
