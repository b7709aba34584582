import {
  CompositeLayer,
  type DefaultProps,
  type LayerProps,
  type UpdateParameters,
  type Viewport,
} from "@deck.gl/core";
import type { Texture } from "@luma.gl/core";
import { type Clip, wholeWidth } from "#components/map/divider.ts";
import { globeView, type MapView, mercatorView } from "#components/map/map-view.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { ClippedIconLayer } from "./clipped-icon-layer.ts";
import type { GlyphAtlas } from "./glyph-atlas.ts";
import { coverOf, type glyphOutlines, type LabelBox } from "./label-boxes.ts";
import type { OnLand } from "./land-index.ts";
import { type PlacedSymbol, placeSymbols } from "./placed-symbols.ts";

interface SymbolLayerProps {
  pair: FramePair;
  atlas: GlyphAtlas;
  onLand: OnLand;
  /** Labels that symbols make way for. */
  labels: readonly LabelBox[];
  outlines: ReturnType<typeof glyphOutlines>;
  /** Pixels of each row that are coloured, read in each draw. */
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

/** Barbs or arrows of a field, placed on the lattice again whenever the view, the instant or the field changes. */
export class SymbolLayer extends CompositeLayer<SymbolLayerProps> {
  static override layerName = "SymbolLayer";
  static override defaultProps = defaultProps as never;

  // deck.gl creates a layer for each draw; only its state persists.
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
    // `setState` would update the layer once more.
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
export type SymbolLayerOptions = SymbolLayerProps & LayerProps & { beforeId?: string };

function viewOf(viewport: Viewport): MapView {
  const { width, height, zoom, latitude, longitude } = viewport as Viewport & {
    latitude: number;
    longitude: number;
  };
  const camera = { width, height, zoom, centre: { latitude, longitude } };
  return viewport.resolution === undefined ? mercatorView(camera) : globeView(camera);
}
