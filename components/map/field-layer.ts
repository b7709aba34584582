import type { DefaultProps, LayerProps, UpdateParameters } from "@deck.gl/core";
import { BitmapLayer, type BitmapLayerProps } from "@deck.gl/layers";
import type { Texture } from "@luma.gl/core";
import type { Model } from "@luma.gl/engine";
import { wraps } from "@open-metocean/geo/grid";
import type { Rgba } from "#components/view-state/map-colours.ts";
import { FILL } from "#lib/catalog/fill.ts";
import type { Frame } from "#lib/field/frame.ts";
import { type FramePair, MIN_VALID_WEIGHT } from "#lib/field/interpolate.ts";
import { type Clip, wholeWidth } from "./divider.ts";
import { MERCATOR_END } from "./map-view.ts";

interface FieldLayerProps {
  /**
   * The frames around the displayed instant: one band, or the two components of a vector. undefined paints
   * nothing.
   */
  pair: FramePair | undefined;
  /** Frames of the same variable whose values are subtracted; undefined paints the values themselves. */
  base?: FramePair | undefined;
  /** Colour table, RGBA, 256 entries. */
  colours: Uint8Array;
  /** Values of the first and last colour. */
  range: readonly [number, number];
  /** Whether the length of the vector of both bands is painted, or the first band. */
  paints: "length" | "value";
  /**
   * Colour of the hatching where the field has no value: red, green, blue and opacity, 0..1; opacity 0 draws
   * none.
   */
  missing?: Rgba;
  /** Pixels of each row that are coloured, read at each draw. */
  clip?: () => Clip;
  /** Whether the field is painted, read at each draw. */
  isShown?: () => boolean;
  /** Called after each draw that painted the field. */
  onDrawn?: () => void;
}

const defaultProps: DefaultProps<FieldLayerProps> = {
  pair: { type: "object", value: undefined, compare: false },
  base: { type: "object", value: undefined, compare: false } as never,
  colours: { type: "object", value: new Uint8Array(1024), compare: false },
  range: { type: "object", value: [0, 1], compare: false },
  paints: { type: "object", value: "value", compare: false },
  missing: { type: "array", value: [0, 0, 0, 0], compare: false } as never,
  clip: { type: "function", value: () => wholeWidth, compare: false } as never,
  isShown: { type: "function", value: () => true, compare: false } as never,
  onDrawn: { type: "function", value: (() => undefined) as () => void },
};

/** Cell size of the mesh on the globe, degrees. */
const GLOBE_CELL = 2;

/** Radius of deck.gl's globe in its common space. */
const GLOBE_RADIUS = 256;

/**
 * Paints a field of two int16 frames, interpolated in time on the GPU, through a colour table.
 *
 * A new instant within the pair, other colours or another range change only uniforms. Textures are rg16sint
 * (r16sint for one band): the exact numbers of the archive, without conversion.
 */
export class FieldLayer extends BitmapLayer<FieldLayerProps> {
  static override layerName = "FieldLayer";
  static override defaultProps = defaultProps as never;

  // deck.gl creates a new layer object for each draw; only the state persists.
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

  /** The state also depends on the projection, which is not a property. */
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
    if (props.pair !== oldProps.pair || props.base !== oldProps.base)
      this.updateTextures([props.pair, props.base]);
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
    const { pair, base, range, paints, missing = [0, 0, 0, 0], opacity, isShown } = this.props;
    if (!model || !pair || shaderModuleProps.picking?.isActive || isShown?.() === false) return;
    const shown = gridUniforms(pair);
    const subtracted = gridUniforms(base ?? pair);
    if (!shown || !subtracted) return;
    const [x = 0, y = 0, z = 0] = this.context.viewport.cameraPosition;
    model.shaderInputs.setProps({
      bitmap: { bounds: [-180, -90, 180, 90], coordinateConversion: this.isGlobe() ? 0 : -1 },
      field: {
        rows: shown.rows,
        columns: shown.columns,
        packing: shown.packing,
        baseRows: subtracted.rows,
        baseColumns: subtracted.columns,
        basePacking: subtracted.packing,
        paint: [range[0], range[1], paints === "length" ? 1 : 0, opacity],
        missing,
        camera: [x, y, z, GLOBE_RADIUS],
        poles: shown.poles,
        basePoles: subtracted.poles,
        later: pair.later,
        baseLater: (base ?? pair).later,
        differs: base ? 1 : 0,
        mercator: this.isGlobe() ? 0 : 1,
        clip: this.props.clip?.() ?? wholeWidth,
      },
    });
    model.setBindings({
      beforeTexture: this.state.textures.get(pair.before)!,
      afterTexture: this.state.textures.get(pair.after)!,
      baseBeforeTexture: this.state.textures.get((base ?? pair).before)!,
      baseAfterTexture: this.state.textures.get((base ?? pair).after)!,
      colourTexture: this.state.colourTexture!,
    });
    if (model.draw(this.context.renderPass)) this.props.onDrawn?.();
    // There is no event for compiled shaders, so the next frame checks again.
    else if (!model.pipeline.isErrored) this.setNeedsRedraw();
  }

  protected override _createMesh(): Mesh {
    return this.isGlobe() ? sphereMesh(GLOBE_CELL) : mercatorMesh();
  }

  private isGlobe(): boolean {
    return this.context.viewport.resolution !== undefined;
  }

  private updateTextures(pairs: readonly (FramePair | undefined)[]): void {
    const frames = new Set(pairs.flatMap((pair) => (pair ? [pair.before, pair.after] : [])));
    for (const [frame, texture] of this.state.textures) {
      if (frames.has(frame)) continue;
      texture.destroy();
      this.state.textures.delete(frame);
    }
    for (const frame of frames) {
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

/** Uniforms of a pair of frames; undefined for one without bands. */
function gridUniforms({ before: { grid, bands } }: FramePair) {
  const { latitude: rows, longitude: columns } = grid;
  const [first, second = first] = bands;
  if (!first || !second) return undefined;
  const north = rows.start + (rows.count - 0.5) * rows.step;
  return {
    rows: [rows.start, rows.step, rows.count, 0] as const,
    columns: [columns.start, columns.step, columns.count, wraps(columns) ? 1 : 0] as const,
    packing: [first.scale, first.offset, second.scale, second.offset] as const,
    poles: [rows.start - rows.step / 2 <= -90 ? 1 : 0, north >= 90 ? 1 : 0] as const,
  };
}

/** Properties for `new FieldLayer(…)`. */
export type FieldLayerOptions = FieldLayerProps &
  LayerProps &
  Partial<BitmapLayerProps> & { beforeId?: string };

/** There is one member per line because luma.gl parses the block line by line. */
const block = /* glsl */ `\
layout(std140) uniform fieldUniforms {
  vec4 rows;
  vec4 columns;
  vec4 packing;
  vec4 baseRows;
  vec4 baseColumns;
  vec4 basePacking;
  vec4 paint;
  vec4 missing;
  vec4 camera;
  vec2 poles;
  vec2 basePoles;
  vec2 clip;
  float later;
  float baseLater;
  float differs;
  float mercator;
} field;
`;

/** Uniforms of a pair of frames. */
const fieldUniforms = {
  name: "field",
  vs: block,
  fs: block,
  uniformTypes: {
    /** First latitude, step, number of rows, 0. */
    rows: "vec4<f32>",
    /** First longitude, step, number of columns, 1 if they wrap around the globe. */
    columns: "vec4<f32>",
    /** Scale and offset of the first band, then of the second one. */
    packing: "vec4<f32>",
    /** The same of the frames that are subtracted. */
    baseRows: "vec4<f32>",
    baseColumns: "vec4<f32>",
    basePacking: "vec4<f32>",
    /** Lowest value, highest value, 1 to paint the length of a vector, opacity. */
    paint: "vec4<f32>",
    /** Colour of the hatching where there is no value. */
    missing: "vec4<f32>",
    /** On the globe: position of the camera in deck.gl's common space, and the radius of the sphere. */
    camera: "vec4<f32>",
    /** 1 if the grid reaches the south pole, and 1 if it reaches the north pole. */
    poles: "vec2<f32>",
    /** The same of the frames that are subtracted. */
    basePoles: "vec2<f32>",
    /** First pixel of each row that is coloured, and the first pixel after the last one. */
    clip: "vec2<f32>",
    /** Weight of the later frame, and of the later one that is subtracted. */
    later: "f32",
    baseLater: "f32",
    /** 1 if a field is subtracted. */
    differs: "f32",
    /** 1 on Mercator, 0 on the globe. */
    mercator: "f32",
  },
} as const;

/** Passes the position on the mesh, in deck.gl's common space, to the fragment shader. */
const fieldVertexInject = {
  "vs:#decl": "out vec3 meshPosition;",
  "vs:#main-end": "meshPosition = geometry.position.xyz;",
};

/**
 * The sampler of lib/field/interpolate.ts per fragment: four corners weighted by validity, then two steps;
 * components are interpolated before the length is computed. Both must be changed together; the browser tests
 * compare them.
 */
const fieldFragmentShader = /* glsl */ `\
#version 300 es
#define SHADER_NAME field-layer-fragment-shader
precision highp float;
precision highp int;
precision highp isampler2D;

uniform isampler2D beforeTexture;
uniform isampler2D afterTexture;
uniform isampler2D baseBeforeTexture;
uniform isampler2D baseAfterTexture;
uniform sampler2D colourTexture;

in vec2 vTexPos;
in vec3 meshPosition;
out vec4 fragColor;

const float PI = 3.1415926536;
const float WORLD_SCALE = 512.0 / PI / 2.0;
const float MIN_WEIGHT = ${(MIN_VALID_WEIGHT - 1e-6).toFixed(7)};
// Precision of a float32 position in the grid, cells.
const float EDGE = 1e-3;
// Distance and width of the lines of the hatching along a row, device pixels.
const float HATCH = 12.0;
const float HATCH_LINE = 2.0;

vec2 lngLatHere() {
  if (field.mercator > 0.5) {
    vec2 angle = vTexPos / WORLD_SCALE;
    return degrees(vec2(angle.x - PI, atan(exp(angle.y - PI)) * 2.0 - PI * 0.5));
  }
  // The flat mesh lies slightly below the sphere: intersect the line of sight with the sphere.
  float radius = field.camera.w;
  vec3 sight = normalize(meshPosition - field.camera.xyz);
  float along = dot(meshPosition, sight);
  float below = radius * radius - dot(meshPosition, meshPosition);
  vec3 place = meshPosition - sight * below / (abs(along) + sqrt(max(0.0, along * along + below)));
  return degrees(vec2(atan(place.x, -place.y), asin(clamp(place.z / radius, -1.0, 1.0))));
}

void corner(isampler2D frame, ivec2 node, float share, inout vec2 sum, inout vec2 weight) {
  ivec2 stored = texelFetch(frame, node, 0).xy;
  vec2 valid = vec2(notEqual(stored, ivec2(${FILL}))) * share;
  sum += valid * vec2(stored);
  weight += valid;
}

// Means of the stored numbers, and 1 where there is a value.
void sampleFrame(isampler2D frame, ivec4 cell, vec2 share, out vec2 mean, out vec2 has) {
  vec2 sum = vec2(0.0);
  vec2 weight = vec2(0.0);
  corner(frame, cell.xy, (1.0 - share.x) * (1.0 - share.y), sum, weight);
  corner(frame, cell.zy, share.x * (1.0 - share.y), sum, weight);
  corner(frame, cell.xw, (1.0 - share.x) * share.y, sum, weight);
  corner(frame, cell.zw, share.x * share.y, sum, weight);
  has = step(MIN_WEIGHT, weight);
  mean = sum / max(weight, vec2(1e-6));
}

// States of a place.
const int OUTSIDE = 0;
const int MISSING = 1;
const int PRESENT = 2;

// The painted value of a field at a place, and its state.
int valueAt(
  isampler2D beforeFrame, isampler2D afterFrame, vec4 rows, vec4 columns, vec4 packing, vec2 poles, float later,
  vec2 lngLat, out float painted
) {
  painted = 0.0;
  float last = rows.z - 1.0;
  float row = (lngLat.y - rows.x) / rows.y;
  if (row < -EDGE && (poles.x < 0.5 || row < -0.5 - EDGE)) return OUTSIDE;
  if (row > last + EDGE && (poles.y < 0.5 || row > last + 0.5 + EDGE)) return OUTSIDE;
  row = clamp(row, 0.0, last);
  float south = min(floor(row), max(0.0, last - 1.0));

  float turn = 360.0 / columns.y;
  float column = mod((lngLat.x - columns.x) / columns.y, turn);
  float count = columns.z;
  float west;
  float east;
  if (columns.w > 0.5) {
    if (column >= count) column -= count;
    west = floor(column);
    east = west + 1.0 >= count ? 0.0 : west + 1.0;
  } else {
    if (column > turn - EDGE) column = 0.0;
    if (column > count - 1.0 + EDGE) return OUTSIDE;
    column = min(column, count - 1.0);
    west = min(floor(column), max(0.0, count - 2.0));
    east = min(west + 1.0, count - 1.0);
  }
  ivec4 cell = ivec4(int(west), int(south), int(east), int(min(south + 1.0, last)));
  vec2 share = vec2(column - west, row - south);

  vec2 before;
  vec2 hasBefore;
  sampleFrame(beforeFrame, cell, share, before, hasBefore);
  vec2 stored = before;
  vec2 has = hasBefore;
  if (later > 0.0) {
    vec2 after;
    vec2 hasAfter;
    sampleFrame(afterFrame, cell, share, after, hasAfter);
    vec2 both = hasBefore * hasAfter;
    vec2 onlyBefore = hasBefore * (1.0 - hasAfter) * step(MIN_WEIGHT, 1.0 - later);
    vec2 onlyAfter = hasAfter * (1.0 - hasBefore) * step(MIN_WEIGHT, later);
    stored = both * mix(before, after, later) + onlyBefore * before + onlyAfter * after;
    has = both + onlyBefore + onlyAfter;
  }
  vec2 value = stored * packing.xz + packing.yw;
  bool vector = field.paint.z > 0.5;
  if (has.x < 0.5 || (vector && has.y < 0.5)) return MISSING;
  painted = vector ? length(value) : value.x;
  return PRESENT;
}

void main(void) {
  if (gl_FragCoord.x < field.clip.x || gl_FragCoord.x >= field.clip.y) discard;
  vec2 lngLat = lngLatHere();
  float painted;
  int state = valueAt(
    beforeTexture, afterTexture, field.rows, field.columns, field.packing, field.poles, field.later, lngLat, painted
  );
  if (field.differs > 0.5) {
    float subtracted;
    int other = valueAt(
      baseBeforeTexture, baseAfterTexture, field.baseRows, field.baseColumns, field.basePacking, field.basePoles,
      field.baseLater, lngLat, subtracted
    );
    painted -= subtracted;
    state = min(state, other);
  }
  if (state == OUTSIDE) discard;
  if (state == MISSING) {
    if (mod(gl_FragCoord.x + gl_FragCoord.y, HATCH) >= HATCH_LINE) discard;
    fragColor = vec4(field.missing.rgb, field.missing.a * field.paint.w);
    return;
  }
  float place = clamp((painted - field.paint.x) / (field.paint.y - field.paint.x), 0.0, 1.0);
  vec4 colour = texelFetch(colourTexture, ivec2(int(floor(place * 255.0 + 0.5)), 0), 0);
  fragColor = vec4(colour.rgb, colour.a * field.paint.w);
  DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;

/** A mesh over the whole globe in the form of deck.gl's BitmapLayer. */
interface Mesh {
  vertexCount: number;
  /** Longitude, latitude, 0 of each vertex. */
  positions: Float64Array<ArrayBuffer>;
  /** Share of the way east from −180 and south from 90. */
  texCoords: Float32Array<ArrayBuffer>;
  indices: Uint32Array<ArrayBuffer>;
}

/**
 * Cells of equal size in degrees. On the globe each cell is drawn flat: with finer cells less of the limb is
 * missing, and the shader has less to correct.
 *
 * @param cell Size of a cell, degrees; must divide 180.
 */
export function sphereMesh(cell: number): Mesh {
  const columns = 360 / cell;
  const rows = 180 / cell;
  const positions = new Float64Array(3 * (columns + 1) * (rows + 1));
  const texCoords = new Float32Array(2 * (columns + 1) * (rows + 1));
  const indices = new Uint32Array(6 * columns * rows);
  let vertex = 0;
  let index = 0;
  for (let column = 0; column <= columns; column++) {
    for (let row = 0; row <= rows; row++) {
      positions[3 * vertex] = -180 + column * cell;
      positions[3 * vertex + 1] = -90 + row * cell;
      texCoords[2 * vertex] = column / columns;
      texCoords[2 * vertex + 1] = 1 - row / rows;
      if (column > 0 && row > 0) {
        const [southEast, southWest] = [vertex - 1, vertex - rows - 2];
        indices.set([southWest, southEast, vertex, southWest, vertex, southWest + 1], index);
        index += 6;
      }
      vertex++;
    }
  }
  return { vertexCount: indices.length, positions, texCoords, indices };
}

/** One rectangle that covers the whole Mercator map. */
export function mercatorMesh(): Mesh {
  const [west, east, south, north] = [-180, 180, -MERCATOR_END, MERCATOR_END];
  return {
    vertexCount: 6,
    positions: Float64Array.of(west, south, 0, west, north, 0, east, north, 0, east, south, 0),
    texCoords: Float32Array.of(0, 1, 0, 0, 1, 0, 1, 1),
    indices: Uint32Array.of(0, 2, 1, 0, 3, 2),
  };
}
