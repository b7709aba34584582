/// <reference lib="dom" />
/**
 * The page of the measurement in bench/field-cost.bench.ts: a map, drawn frame after frame with nothing on it, with our
 * field layer, and with the raster layer of weatherlayers-gl, all of the same numbers.
 */
import type { Layer } from "@deck.gl/core";
import { MapLibreOverlay } from "@deck.gl/maplibre";
import { Map as MapLibreMap, setWorkerUrl } from "maplibre-gl";
import { RasterLayer } from "weatherlayers-gl";
import { clipOf, openDivider } from "#components/map/divider.ts";
import { FieldLayer, type FieldLayerOptions } from "#components/map/field-layer.ts";
import { colourScales, colourTable } from "#lib/catalog/colours.ts";
import type { Frame } from "#lib/field/frame.ts";

setWorkerUrl("/maplibre/maplibre-gl-worker.mjs");

const COLUMNS = 1440;
const ROWS = 721;
const SCALE = 0.01;
const { range } = colourScales.wind;
const colours = colourTable(colourScales.wind);

/** A global 0.25° wind, made up. */
function makeFrame(step: number): Frame {
  const values = new Int16Array(2 * ROWS * COLUMNS);
  for (let row = 0, at = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++, at += 2) {
      values[at] = (8 + 9 * Math.sin(row / 40 + step) * Math.cos(column / 35)) / SCALE;
      values[at + 1] = (9 * Math.sin(column / 30 + step)) / SCALE;
    }
  }
  const plane = (name: string) => ({ name, scale: SCALE, offset: 0 });
  return {
    grid: {
      latitude: { start: -90, step: 0.25, count: ROWS },
      longitude: { start: -180, step: 0.25, count: COLUMNS },
    },
    time: step,
    bands: [plane("u"), plane("v")],
    values,
    perNode: 2,
  };
}

/** The same as weatherlayers-gl takes it: float32, rows from the north. */
function asImage({ values }: Frame) {
  const data = new Float32Array(values.length);
  for (let row = 0; row < ROWS; row++) {
    for (let at = 0; at < 2 * COLUMNS; at++) {
      data[row * 2 * COLUMNS + at] = values[(ROWS - 1 - row) * 2 * COLUMNS + at]! * SCALE;
    }
  }
  return { data, width: COLUMNS, height: ROWS };
}

const frames = [makeFrame(0), makeFrame(1)] as const;
const images = frames.map(asImage);
const palette = Array.from({ length: 9 }, (_, stop) => {
  const value = range[0] + (stop / 8) * (range[1] - range[0]);
  const entry = 4 * Math.round((stop / 8) * 255);
  return [value, [...colours.subarray(entry, entry + 3)]];
});

const beforeId = "land";

function ours(later: number): Layer {
  const options: FieldLayerOptions = {
    id: "ours",
    beforeId,
    pair: { before: frames[0], after: frames[1], later },
    colours,
    range,
    paints: "length",
    parameters: { depthCompare: "always", depthWriteEnabled: false },
  };
  return new FieldLayer(options);
}

const theirs = (imageInterpolation: "LINEAR" | "CUBIC") => (imageWeight: number) =>
  new RasterLayer({
    id: `theirs-${imageInterpolation}`,
    beforeId,
    image: images[0],
    image2: images[1],
    imageWeight,
    imageType: "VECTOR",
    imageInterpolation,
    bounds: [-180, -90, 180, 90],
    palette,
  } as never) as Layer;

const divider = openDivider(0.5);

/** Two pictures, each with textures of its own. */
function sides(later: number): Layer[] {
  divider.move(0.3 + 0.4 * later);
  const width = () => map.getCanvas().width;
  const side = (name: "a" | "b", pair: FieldLayerOptions["pair"]) => {
    const options: FieldLayerOptions = {
      id: `side-${name}`,
      beforeId,
      pair,
      colours,
      range,
      paints: "length",
      clip: () => clipOf(name, divider, width()),
      parameters: { depthCompare: "always", depthWriteEnabled: false },
    };
    return new FieldLayer(options);
  };
  return [
    side("a", { before: frames[0], after: frames[1], later }),
    side("b", { before: frames[1], after: frames[0], later }),
  ];
}

const drawings: Record<string, ((later: number) => Layer | Layer[]) | undefined> = {
  empty: undefined,
  field: ours,
  "two fields side by side": sides,
  "weatherlayers linear": theirs("LINEAR"),
  "weatherlayers cubic": theirs("CUBIC"),
};

const map = new MapLibreMap({
  container: "map",
  style: {
    version: 8,
    sources: { land: { type: "geojson", data: "/basemap/land-50m.json" } },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": "#c3cdd6" } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": "#dcd6ca" } },
    ],
  },
  center: [-30, 30],
  zoom: 2,
  attributionControl: false,
  fadeDuration: 0,
});
const overlay = new MapLibreOverlay({ interleaved: true, layers: [] });
map.addControl(overlay);

const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

/**
 * Draws one of the drawings again and again, at another instant between the steps each time.
 *
 * @returns Milliseconds of each frame until the card had drawn it, and whether the drawing left something on the map.
 */
async function measure(name: string, count: number) {
  const drawing = drawings[name];
  const gl = map.getCanvas().getContext("webgl2")!;
  const pixel = new Uint8Array(4);
  const draw = async (later: number) => {
    overlay.setProps({ layers: drawing ? [drawing(later)].flat() : [] });
    await nextFrame();
    const start = performance.now();
    map.redraw();
    // Mid-Atlantic: reading waits for the card.
    gl.readPixels(640, 360, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return performance.now() - start;
  };
  for (let warm = 0; warm < 2; warm++) await draw(0.5);
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await draw((index + 1) / (count + 1)));
  return { times, pixel: [...pixel.subarray(0, 3)] };
}

function rendererName(): string {
  const gl = map.getCanvas().getContext("webgl2")!;
  const debug = gl.getExtension("WEBGL_debug_renderer_info");
  return String(debug && gl.getParameter(debug.UNMASKED_RENDERER_WEBGL));
}

map.on("load", () =>
  Object.assign(window, { bench: { measure, rendererName, names: Object.keys(drawings) } }),
);
