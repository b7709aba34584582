import {
  CompositeLayer,
  type DefaultProps,
  type LayerProps,
  type UpdateParameters,
  type Viewport,
} from "@deck.gl/core";
import { IconLayer } from "@deck.gl/layers";
import type { Texture } from "@luma.gl/core";
import type { Model } from "@luma.gl/engine";
import { type Clip, clipOf, type Divider, wholeWidth } from "#components/map/divider.ts";
import { landTest } from "#components/map/land/land-test.ts";
import type { OnLand } from "#components/map/land/land-tiles.ts";
import { endOf, type MapHost, type MapLayer } from "#components/map/map-layer.ts";
import { globeView, type MapView, mercatorView } from "#components/map/map-view.ts";
import { hasFlow } from "#components/map/particles/velocity-grid.ts";
import type { Scene, SceneSymbols } from "#components/map/scene.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { drawAtlas, type GlyphAtlas, glyphsOf, type SymbolQuantity } from "./glyph-atlas.ts";
import {
  coverOf,
  glyphOutlines,
  type LabelBox,
  type PlacedSymbol,
  placeSymbols,
  quantityOf,
  watchLabels,
} from "./placed-symbols.ts";

/** Opacity of barbs and arrows among particles. */
const BESIDE_PARTICLES = 0.4;

/** Zoom from which barbs are drawn among particles; on a smaller scale they would only cover the weather. */
const BARBS_ZOOM = 5;

/** Draws wind barbs, current arrows and wave arrows. */
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
  // No symbol is drawn before the outline of the land is known, so that none flashes up on land.
  const landOf = landTest(host, host.redraw);
  const { map } = host;
  let divider: Divider | undefined;
  // The functions are the same for all draws, so that deck.gl sees no change.
  const clips = {
    a: () => clipOf("a", divider, map.getCanvas().width),
    b: () => clipOf("b", divider, map.getCanvas().width),
  };
  let drawing = false;
  let labels: LabelBox[] = [];
  // While the map moves, symbols avoid the labels that it showed when it last stood still.
  const unwatchLabels = watchLabels(
    map,
    () => drawing,
    (now) => {
      labels = now;
      host.redraw();
    },
  );
  let isFar = map.getZoom() < BARBS_ZOOM;
  const onZoom = () => {
    if (isFar === map.getZoom() < BARBS_ZOOM) return;
    isFar = !isFar;
    host.redraw();
  };
  map.on("zoom", onZoom);
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
      const flows = scene.symbols.some(({ kind, pair }) => kind === "particles" && hasFlow(pair.before));
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
          // Particles show the same flow, and barbs give it as a number.
          opacity: flows ? BESIDE_PARTICLES : 1,
          visible: !(flows && quantity === "wind" && isFar),
          pickable: false,
        };
        return new SymbolLayer(options);
      });
    },
    close() {
      unwatchLabels();
      map.off("zoom", onZoom);
    },
  };
}

/** Quantities that the scene draws as barbs and arrows, each once per side. */
function symbolsOf({ symbols }: Scene) {
  const drawn = new Map<string, Pick<SceneSymbols, "pair" | "side"> & { quantity: SymbolQuantity }>();
  for (const { kind, pair, side } of symbols) {
    const quantity = kind === "barbs" || kind === "arrows" ? quantityOf(pair.before) : undefined;
    if (quantity) drawn.set(`${quantity} ${side}`, { quantity, pair, side });
  }
  return [...drawn.values()];
}

interface SymbolLayerProps {
  pair: FramePair;
  atlas: GlyphAtlas;
  onLand: OnLand;
  /** Labels that symbols avoid. */
  labels: readonly LabelBox[];
  outlines: ReturnType<typeof glyphOutlines>;
  /** Pixels of each row that are coloured, read at each draw. */
  clip: () => Clip;
}

const defaultProps: DefaultProps<SymbolLayerProps> = {
  pair: { type: "object", value: null as unknown as FramePair, compare: false },
  atlas: { type: "object", value: null as unknown as GlyphAtlas, compare: false },
  onLand: { type: "function", value: () => false },
  labels: { type: "object", value: [], compare: false },
  outlines: { type: "object", value: new Map(), compare: false },
  clip: { type: "function", value: () => wholeWidth, compare: false } as never,
};

/**
 * Barbs or arrows of a field, placed again on the lattice whenever the view, the instant or the field
 * changes.
 */
class SymbolLayer extends CompositeLayer<SymbolLayerProps> {
  static override layerName = "SymbolLayer";
  static override defaultProps = defaultProps as never;

  // deck.gl creates a new layer object for each draw; only the state persists.
  declare state: { texture: Texture | undefined; symbols: PlacedSymbol[] };

  override initializeState(): void {
    this.state = { texture: undefined, symbols: [] };
  }

  override shouldUpdateState({ changeFlags }: UpdateParameters<this>): boolean {
    return Boolean(changeFlags.somethingChanged);
  }

  override updateState({ props, oldProps }: UpdateParameters<this>): void {
    const { atlas, pair, onLand, labels, outlines } = props;
    let { texture } = this.state;
    if (atlas !== oldProps.atlas || !texture) {
      texture?.destroy();
      texture = this.context.device.createTexture({
        data: atlas.image,
        width: atlas.image.width,
        height: atlas.image.height,
        sampler: { minFilter: "linear", magFilter: "linear" },
      });
    }
    const view = viewOf(this.context.viewport);
    const covered = labels.length > 0 ? coverOf(view, labels, outlines) : undefined;
    // `setState` would trigger another update of the layer.
    this.state = { texture, symbols: placeSymbols(view, pair, onLand, covered) };
  }

  override finalizeState(context: this["context"]): void {
    super.finalizeState(context);
    this.state.texture?.destroy();
  }

  override renderLayers() {
    const { entries, ratio } = this.props.atlas;
    return new ClippedIconLayer<PlacedSymbol>(
      this.getSubLayerProps({ id: "icons" }),
      {
        data: this.state.symbols,
        iconAtlas: this.state.texture as never,
        iconMapping: entries,
        sizeUnits: "pixels",
        getPosition: ({ position }) => position,
        getIcon: ({ glyph }) => glyph,
        getSize: ({ glyph }) => (entries[glyph]?.height ?? 0) / ratio,
        // deck.gl rotates icons anticlockwise.
        getAngle: ({ turn }) => -turn,
        alphaCutoff: 0.02,
        clip: this.props.clip,
        // On the globe deck.gl culls back faces, and icons count as such; symbols behind the globe are not placed anyway.
        parameters: { depthCompare: "always", depthWriteEnabled: false, cullMode: "none" },
      },
      { beforeId: (this.props as { beforeId?: string }).beforeId } as object,
    );
  }
}

/** Properties for `new SymbolLayer(…)`. */
type SymbolLayerOptions = SymbolLayerProps & LayerProps & { beforeId?: string };

function viewOf(viewport: Viewport): MapView {
  const { width, height, zoom, latitude, longitude } = viewport as Viewport & {
    latitude: number;
    longitude: number;
  };
  const camera = { width, height, zoom, centre: { latitude, longitude } };
  return viewport.resolution === undefined ? mercatorView(camera) : globeView(camera);
}

/** There is one member per line because luma.gl parses the block line by line. */
const block = /* glsl */ `\
layout(std140) uniform clipUniforms {
  vec2 span;
} clip;
`;

const clipUniforms = { name: "clip", fs: block, uniformTypes: { span: "vec2<f32>" } } as const;

interface ClipProps {
  /** Pixels of each row that are coloured, read at each draw. */
  clip: () => Clip;
}

/** Icons of one of two pictures; the divider cuts them as it cuts the colours below. */
class ClippedIconLayer<Item> extends IconLayer<Item, ClipProps> {
  static override layerName = "ClippedIconLayer";
  static override defaultProps = {
    clip: { type: "function", value: () => wholeWidth, compare: false },
  } as never;

  override getShaders() {
    const shaders = super.getShaders();
    return {
      ...shaders,
      modules: [...shaders.modules, clipUniforms],
      inject: {
        ...shaders.inject,
        "fs:#main-start": "if (gl_FragCoord.x < clip.span.x || gl_FragCoord.x >= clip.span.y) discard;",
      },
    };
  }

  protected override _drawModel(model: Model): void {
    model.shaderInputs.setProps({ clip: { span: this.props.clip() } });
    super._drawModel(model);
  }
}
