import { clipOf, type Divider } from "#components/map/divider.ts";
import { endOf, type MapHost, type MapLayer } from "#components/map/map-layer.ts";
import { landTest } from "#components/map/outline.ts";
import type { Scene, SceneSymbols } from "#components/map/scene.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import { drawAtlas, type GlyphAtlas } from "./glyph-atlas.ts";
import { glyphsOf, type SymbolQuantity } from "./glyph-names.ts";
import { glyphOutlines, type LabelBox, readLabelBoxes, sameLabels } from "./label-boxes.ts";
import { quantityOf } from "./placed-symbols.ts";
import { SymbolLayer, type SymbolLayerOptions } from "./symbol-layer.ts";

/** Wind barbs, current arrows and wave arrows. */
export function symbolsMapLayer(host: MapHost): MapLayer {
  let atlases = new Map<SymbolQuantity, GlyphAtlas>();
  const outlines = new Map<SymbolQuantity, ReturnType<typeof glyphOutlines>>();
  const outlinesOf = (quantity: SymbolQuantity) => {
    const known = outlines.get(quantity) ?? glyphOutlines(glyphsOf(quantity));
    outlines.set(quantity, known);
    return known;
  };
  const atlasOf = (quantity: SymbolQuantity) => {
    let atlas = atlases.get(quantity);
    if (!atlas) {
      const { ink, current, halo } = mapColours(host.element);
      const colours = { ink: quantity === "current" ? current : ink, halo };
      atlas = drawAtlas(glyphsOf(quantity), colours, window.devicePixelRatio);
      atlases.set(quantity, atlas);
    }
    return atlas;
  };
  // No symbol is drawn before the outline of the land is known: none may flash on land.
  const landOf = landTest(host, host.redraw);
  const { map } = host;
  let divider: Divider | undefined;
  // The same functions for all draws: deck.gl does not look for others.
  const clips = {
    a: () => clipOf("a", divider, map.getCanvas().width),
    b: () => clipOf("b", divider, map.getCanvas().width),
  };
  let drawing = false;
  let labels: LabelBox[] = [];
  // While the map moves, symbols make way for the labels that it had when it last rested.
  const readLabels = () => {
    if (!drawing) return;
    const now = readLabelBoxes(map);
    if (sameLabels(labels, now, 360 / (512 * 2 ** map.getZoom()))) return;
    labels = now;
    host.redraw();
  };
  map.on("idle", readLabels);
  return {
    draw(scene, last) {
      if (scene.theme !== last?.theme) atlases = new Map();
      divider = scene.compared?.divider;
    },
    layers(scene) {
      const symbols = symbolsOf(scene);
      const onLand = symbols.length > 0 ? landOf() : undefined;
      drawing = onLand !== undefined;
      if (!onLand) return [];
      return symbols.map(({ pair, quantity, side }) => {
        const options: SymbolLayerOptions = {
          id: `symbols-${quantity}${side === "b" ? "-b" : ""}`,
          beforeId: endOf("symbols"),
          pair,
          atlas: atlasOf(quantity),
          onLand,
          labels,
          outlines: outlinesOf(quantity),
          clip: side === "b" ? clips.b : clips.a,
          pickable: false,
        };
        return new SymbolLayer(options);
      });
    },
    close: () => void map.off("idle", readLabels),
  };
}

/** Quantities that the scene draws as barbs and arrows, each once on a side. */
function symbolsOf({ symbols }: Scene) {
  const drawn = new Map<string, Pick<SceneSymbols, "pair" | "side"> & { quantity: SymbolQuantity }>();
  for (const { kind, pair, side } of symbols) {
    const quantity = kind === "barbs" || kind === "arrows" ? quantityOf(pair.before) : undefined;
    if (quantity) drawn.set(`${quantity} ${side}`, { quantity, pair, side });
  }
  return [...drawn.values()];
}
