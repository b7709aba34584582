import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const components = path.resolve(import.meta.dirname, "..", "..");
const sources = readdirSync(components, { recursive: true, encoding: "utf8" })
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => readFileSync(path.join(components, name), "utf8"))
  .join("\n");

/** What `scripts/map-library-parts.mjs` leaves out, as code would ask for it. */
const absent = {
  "kinds of layers": /type: "(?:heatmap|hillshade|color-relief|fill-extrusion|raster)"/,
  "kinds of sources": /type: "(?:vector|raster-dem|image|video|canvas)"/,
  "patterns and gradients": /"(?:background-pattern|line-pattern|line-gradient)":/,
  "text within icons": /\[\s*"image",/,
  "text in columns": /text-writing-mode|localIdeographFontFamily/,
  clusters: /\bcluster: true/,
  expressions: /\[\s*"(?:distance|within|number-format|collator)"/,
  "differences of styles": /\.setStyle\(/,
  terrain: /setTerrain\(|renderingMode: "3d"/,
  sprites: /setSprite\(|addSprite\(|\bsprite:/,
  "debugging drawings": /show(?:TileBoundaries|CollisionBoxes|Padding)/,
  "MapLibre's own controls": /attributionControl: (?!false)|maplibreLogo: (?!false)/,
  "picking with deck.gl": /pickable: true|pickObject|onHover: .*PickingInfo/,
  "lights and effects of deck.gl": /\beffects: \[|LightingEffect/,
  "queries and computations of luma.gl": /createQuerySet|device\.createTransformFeedback|BufferTransform/,
  "transitions of deck.gl": /\btransitions: \{/,
  "deck.gl's controllers": /\bviews: |new MapLibreOverlay\(\{[^}]*controller/,
  "MapLibre's own package, but for types: its code would be sent twice":
    /^import (?!type )[^;]*from "maplibre-gl"/m,
};

it.each(Object.entries(absent))("the map asks for no %s", (_name, pattern) => {
  expect(pattern.exec(sources)?.[0]).toBeUndefined();
});

it.each([
  ["maplibre.mjs", 245_000],
  ["deck.mjs", 130_000],
])("the library stays small: %s, %d bytes compressed", (file, most) => {
  const built = readFileSync(path.join(import.meta.dirname, "generated", file));
  expect(gzipSync(built).length).toBeLessThan(most);
});
