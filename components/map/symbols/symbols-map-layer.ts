import { type MapHost, type MapLayer, endOf } from "#components/map/map-layer.ts";
import { loadOutline } from "#components/map/outline.ts";
import type { Scene } from "#components/map/scene.ts";
import { drawAtlas, type GlyphAtlas } from "./glyph-atlas.ts";
import { glyphsOf, type SymbolQuantity } from "./glyph-names.ts";
import type { OnLand } from "./land-index.ts";
import { quantityOf } from "./placed-symbols.ts";
import { SymbolLayer, type SymbolLayerOptions } from "./symbol-layer.ts";

/** Wind barbs, current arrows and wave arrows. */
export function symbolsMapLayer(host: MapHost): MapLayer {
  let atlases = new Map<SymbolQuantity, GlyphAtlas>();
  const atlasOf = (quantity: SymbolQuantity) => {
    const atlas =
      atlases.get(quantity) ??
      drawAtlas(glyphsOf(quantity), symbolColours(host.element, quantity), window.devicePixelRatio);
    atlases.set(quantity, atlas);
    return atlas;
  };
  // Until the outline of the land is read no symbol is drawn: none may flash on land.
  let onLand: OnLand | undefined;
  let asked = false;
  const askForLand = () => {
    if (asked) return;
    asked = true;
    host.waitFor(
      loadOutline().then(
        (outline) => {
          onLand = outline.onLand;
          host.redraw();
        },
        // Asked for again at the next change.
        () => {
          asked = false;
        },
      ),
    );
  };
  return {
    draw(scene, last) {
      if (scene.theme !== last?.theme) atlases = new Map();
      if (symbolsOf(scene).length > 0) askForLand();
    },
    layers(scene) {
      if (!onLand) return [];
      const land = onLand;
      return symbolsOf(scene).map(({ pair, quantity }) => {
        const options: SymbolLayerOptions = {
          id: `symbols-${quantity}`,
          beforeId: endOf("symbols"),
          pair,
          atlas: atlasOf(quantity),
          onLand: land,
          pickable: false,
        };
        return new SymbolLayer(options);
      });
    },
  };
}

/** What the scene draws as barbs and arrows, each quantity once. */
function symbolsOf({ symbols }: Scene) {
  const drawn = new Map<SymbolQuantity, Scene["symbols"][number]["pair"]>();
  for (const { kind, pair } of symbols) {
    const quantity = kind === "barbs" || kind === "arrows" ? quantityOf(pair.before) : undefined;
    if (quantity) drawn.set(quantity, pair);
  }
  return [...drawn].map(([quantity, pair]) => ({ quantity, pair }));
}

/** Colours of the theme that is in force. */
function symbolColours(element: Element, quantity: SymbolQuantity): { ink: string; halo: string } {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--map-${name}`).trim();
  return { ink: token(quantity === "current" ? "current" : "ink"), halo: token("halo") };
}
