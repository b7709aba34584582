import { coastColour } from "#components/map/basemap.ts";
import { layLand } from "#components/map/basemap-map-layer.ts";
import { viewBoxOf } from "#components/map/map-events.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "#components/map/map-layer.ts";
import { isOverLand } from "#components/map/scene.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import { type CellNumber, cellsIn } from "#lib/places/coast-cells.ts";
import type { CoastReply, CoastRequest } from "./coast.worker.ts";

/** The 1:10 million coast is drawn from this zoom on. */
const FINE_ZOOM = 6;
/** Most cells of a view. Near a pole a view includes every longitude, and the 1:50 million coast remains. */
const MAX_CELLS = 24;

const SOURCE = "fine-coast";
/**
 * Layers of both coasts, and the property that hides them without delay; changing the visibility would lay
 * out their tiles again.
 */
const fine = [
  ["fine-land", "fill-opacity"],
  ["fine-coast", "line-opacity"],
] as const;
const coarse = [
  ["land", "fill-opacity"],
  ["coast", "line-opacity"],
] as const;

/**
 * The 1:10 million coast for close views. It replaces the 1:50 million coast once the whole view has been
 * read.
 */
export function coastMapLayer(host: MapHost): MapLayer {
  const { map, element } = host;
  const setCoast = addGeojson(map, SOURCE, { tolerance: 0.1 });
  addLayers(host);
  let worker: Worker | undefined;
  let shown = false;
  /** Cells in the source, and cells that are on their way to it. */
  let drawn: ReadonlySet<CellNumber> = new Set();
  let awaited: { id: number; cells: ReadonlySet<CellNumber>; end(): void } | undefined;
  let url = "";
  let lastId = 0;

  const seen = () => (map.getZoom() < FINE_ZOOM ? [] : cellsIn(viewBoxOf(map)));
  const show = () => {
    const cells = seen();
    const covered = cells.length > 0 && cells.every((cell) => drawn.has(cell));
    if (covered === shown) return;
    shown = covered;
    for (const [layer, property] of fine) map.setPaintProperty(layer, property, covered ? 1 : 0);
    for (const [layer, property] of coarse) map.setPaintProperty(layer, property, covered ? 0 : 1);
  };
  const load = () => {
    show();
    const cells = seen();
    const known = awaited?.cells ?? drawn;
    if (cells.length > MAX_CELLS || cells.every((cell) => known.has(cell))) return;
    worker ??= openWorker();
    awaited?.end();
    const id = ++lastId;
    host.waitFor(
      new Promise<void>((end) => {
        awaited = { id, cells: new Set(cells), end };
      }),
    );
    worker.postMessage({ id, cells } satisfies CoastRequest);
  };
  const openWorker = () => {
    const opened = new Worker(new URL("./coast.worker.ts", import.meta.url), { type: "module" });
    opened.addEventListener("message", ({ data }: MessageEvent<CoastReply>) => onReply(data));
    return opened;
  };
  const onReply = (reply: CoastReply) => {
    if (reply.id !== awaited?.id) return;
    const { cells, end } = awaited;
    // If the finer coast is unavailable the other one remains, and the next move tries again.
    if ("failed" in reply) {
      awaited = undefined;
      return end();
    }
    const former = url;
    url = URL.createObjectURL(reply.coast);
    setCoast(url);
    map.once("idle", () => {
      // It is not revoked earlier because the map may still be reading it.
      URL.revokeObjectURL(former);
      drawn = cells;
      if (awaited?.cells === cells) awaited = undefined;
      show();
      end();
    });
  };
  map.on("move", show);
  map.on("moveend", load);
  load();
  return {
    draw(scene, last) {
      const below = isOverLand(scene);
      const isMoved = below !== (last !== undefined && isOverLand(last));
      if (isMoved) layLand(map, "fine-land", below);
      if (!isMoved && scene.theme === last?.theme) return;
      const colours = mapColours(element);
      map.setPaintProperty("fine-land", "fill-color", colours.land);
      map.setPaintProperty("fine-coast", "line-color", coastColour(colours, below));
    },
    close() {
      map.off("move", show);
      map.off("moveend", load);
      awaited?.end();
      worker?.terminate();
      URL.revokeObjectURL(url);
    },
  };
}

function addLayers({ map }: MapHost): void {
  const common = { source: SOURCE, minzoom: FINE_ZOOM - 0.5 };
  map.addLayer(
    {
      ...common,
      id: "fine-land",
      type: "fill",
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-antialias": false, "fill-opacity": 0 },
    },
    "borders",
  );
  map.addLayer(
    {
      ...common,
      id: "fine-coast",
      type: "line",
      filter: ["==", ["geometry-type"], "LineString"],
      paint: { "line-width": 0.8, "line-opacity": 0 },
    },
    endOf("land"),
  );
  for (const [layer, property] of [...fine, ...coarse]) {
    // The coasts are swapped within one frame.
    map.setPaintProperty(layer, `${property}-transition`, { duration: 0 });
  }
}
