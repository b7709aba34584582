import type { DefaultProps, LayerProps, UpdateParameters } from "@deck.gl/core";
import { BitmapLayer, type BitmapLayerProps } from "@deck.gl/layers";
import type { Texture } from "@luma.gl/core";
import type { Model } from "@luma.gl/engine";
import type { Frame } from "#lib/field/frame.ts";
import { wraps } from "#lib/field/grid.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { type Clip, wholeWidth } from "./divider.ts";
import { fieldFragmentShader, fieldUniforms, fieldVertexInject } from "./field-shader.ts";
import { type Mesh, mercatorMesh, sphereMesh } from "./sphere-mesh.ts";

interface FieldLayerProps {
  /** The frames around the instant shown: one band, or the two components of a vector. Undefined paints nothing. */
  pair: FramePair | undefined;
  /** RGBA, 256 entries. */
  colours: Uint8Array;
  /** Values of the first and last colour. */
  range: readonly [number, number];
  /** Paints the length of the vector of both bands, or the first band. */
  paints: "length" | "value";
  /** Pixels of each row that are coloured, read in each draw. */
  clip?: () => Clip;
  /** Called after each draw that painted the field. */
  onDrawn?: () => void;
}

const defaultProps: DefaultProps<FieldLayerProps> = {
  pair: { type: "object", value: undefined, compare: false },
  colours: { type: "object", value: new Uint8Array(1024), compare: false },
  range: { type: "object", value: [0, 1], compare: false },
  paints: { type: "object", value: "value", compare: false },
  clip: { type: "function", value: () => wholeWidth, compare: false } as never,
  onDrawn: { type: "function", value: (() => undefined) as () => void },
};

/** Cell size of the mesh on the globe, degrees. */
const GLOBE_CELL = 2;

/** Radius of deck.gl's globe in its common space. */
const GLOBE_RADIUS = 256;

/**
 * Paints a field of two int16 frames, interpolated in time on the GPU, through a colour table.
 *
 * A new instant within the pair, other colours or another range change uniforms only. Textures are rg16sint (r16sint for
 * one band): the archive's own numbers, exact, without conversion.
 */
export class FieldLayer extends BitmapLayer<FieldLayerProps> {
  static override layerName = "FieldLayer";
  static override defaultProps = defaultProps as never;

  // deck.gl creates a layer for each draw; only its state persists.
  declare state: BitmapLayer["state"] & {
    textures: Map<Frame, Texture>;
    colourTexture: Texture | undefined;
    onGlobe: boolean | undefined;
  };

  override initializeState(): void {
    super.initializeState();
    this.setState({ textures: new Map(), colourTexture: undefined, onGlobe: undefined });
  }

  override getShaders() {
    const shaders = super.getShaders();
    return {
      ...shaders,
      fs: fieldFragmentShader,
      inject: fieldVertexInject,
      modules: [...shaders.modules, fieldUniforms],
    };
  }

  /** Also when the projection changes, which no property reflects. */
  override shouldUpdateState(params: UpdateParameters<this>): boolean {
    return super.shouldUpdateState(params) || this.state.onGlobe !== this.isGlobe();
  }

  override updateState(params: UpdateParameters<this>): void {
    super.updateState(params);
    const { props, oldProps } = params;
    if (this.state.onGlobe !== this.isGlobe()) {
      const mesh = this._createMesh();
      this.setState({ mesh, onGlobe: this.isGlobe() });
      this.state.model?.setVertexCount(mesh.vertexCount);
      this.getAttributeManager()?.invalidateAll();
    }
    if (props.pair !== oldProps.pair) this.updateTextures(props.pair);
    if (props.colours !== oldProps.colours || !this.state.colourTexture) {
      this.state.colourTexture?.destroy();
      const colourTexture = this.context.device.createTexture({
        format: "rgba8unorm",
        width: props.colours.length / 4,
        height: 1,
        data: props.colours,
        sampler: { minFilter: "nearest", magFilter: "nearest" },
      });
      this.setState({ colourTexture });
    }
  }

  override finalizeState(context: this["context"]): void {
    for (const texture of this.state.textures.values()) texture.destroy();
    this.state.colourTexture?.destroy();
    super.finalizeState(context);
  }

  override draw({ shaderModuleProps }: { shaderModuleProps: { picking?: { isActive?: boolean } } }): void {
    const model = this.state.model as Model | undefined;
    const { pair, range, paints, opacity } = this.props;
    if (!model || !pair || shaderModuleProps.picking?.isActive) return;
    const { grid, bands } = pair.before;
    const { latitude: rows, longitude: columns } = grid;
    const [first, second = first] = bands;
    if (!first || !second) return;
    const [x = 0, y = 0, z = 0] = this.context.viewport.cameraPosition;
    const north = rows.start + (rows.count - 0.5) * rows.step;
    model.shaderInputs.setProps({
      bitmap: { bounds: [-180, -90, 180, 90], coordinateConversion: this.isGlobe() ? 0 : -1 },
      field: {
        rows: [rows.start, rows.step, rows.count, 0],
        columns: [columns.start, columns.step, columns.count, wraps(columns) ? 1 : 0],
        packing: [first.scale, first.offset, second.scale, second.offset],
        paint: [range[0], range[1], paints === "length" ? 1 : 0, opacity],
        camera: [x, y, z, GLOBE_RADIUS],
        poles: [rows.start - rows.step / 2 <= -90 ? 1 : 0, north >= 90 ? 1 : 0],
        later: pair.later,
        mercator: this.isGlobe() ? 0 : 1,
        clip: this.props.clip?.() ?? wholeWidth,
      },
    });
    model.setBindings({
      beforeTexture: this.state.textures.get(pair.before)!,
      afterTexture: this.state.textures.get(pair.after)!,
      colourTexture: this.state.colourTexture!,
    });
    if (model.draw(this.context.renderPass)) this.props.onDrawn?.();
    // There is no event for compiled shaders: the next frame tries again.
    else if (!model.pipeline.isErrored) this.setNeedsRedraw();
  }

  protected override _createMesh(): Mesh {
    return this.isGlobe() ? sphereMesh(GLOBE_CELL) : mercatorMesh();
  }

  private isGlobe(): boolean {
    return this.context.viewport.resolution !== undefined;
  }

  private updateTextures(pair: FramePair | undefined): void {
    for (const [frame, texture] of this.state.textures) {
      if (frame === pair?.before || frame === pair?.after) continue;
      texture.destroy();
      this.state.textures.delete(frame);
    }
    for (const frame of pair ? [pair.before, pair.after] : []) {
      if (!this.state.textures.has(frame)) this.state.textures.set(frame, this.textureOf(frame));
    }
  }

  private textureOf({ grid, perNode, values }: Frame): Texture {
    return this.context.device.createTexture({
      format: perNode === 1 ? "r16sint" : perNode === 2 ? "rg16sint" : "rgba16sint",
      width: grid.longitude.count,
      height: grid.latitude.count,
      data: values,
      sampler: { minFilter: "nearest", magFilter: "nearest", addressModeU: "clamp-to-edge" },
    });
  }
}

/** Properties for `new FieldLayer(…)`. */
export type FieldLayerOptions = FieldLayerProps &
  LayerProps &
  Partial<BitmapLayerProps> & { beforeId?: string };
