import type { Rgba } from "#components/view-state/map-colours.ts";
import type { VelocityGrid } from "./velocity-grid.ts";

/** Longest life of a particle, seconds. */
const LIFE = 5;
/** Time in which a trail fades, seconds. */
const TRAIL = 0.9;
/** Width of strokes, CSS pixels; their edges fade over one more. */
const WIDTH = 1.1;

/** Colours of the trails, where the flow is fast and where it is slow, and of their edge. */
export interface ParticleInks {
  fast: Rgba;
  slow: Rgba;
  edge: Rgba;
}

/**
 * Particles that move with a flow, computed on the GPU by transform feedback. Their trails are drawn into a
 * texture that fades.
 *
 * Positions are in pixels of the canvas, so that single precision suffices at every zoom, in Mercator and on
 * the globe.
 */
export class ParticleSystem {
  private readonly gl: WebGL2RenderingContext;
  private readonly seed: number;
  private readonly programs: { move: Program; stroke: Program; fade: Program; show: Program };
  private readonly velocity: WebGLTexture;
  private readonly feedback: WebGLTransformFeedback;
  private buffers: [before: WebGLBuffer, after: WebGLBuffer];
  private trails: { texture: WebGLTexture; framebuffer: WebGLFramebuffer } | undefined;
  private size: readonly [width: number, height: number] = [1, 1];
  private cell = 1;
  private capacity = 0;
  private frame = 0;
  /** Fraction of a fading step that is carried over, because bytes only have whole steps. */
  private fadeRemainder = 0;

  /** @param seed With the same seed, field, size and steps the picture is the same. */
  constructor(gl: WebGL2RenderingContext, seed: number) {
    this.gl = gl;
    this.seed = seed;
    this.programs = {
      move: linkProgram(gl, moveShader, strokeFragmentShader, ["state"], "moved"),
      stroke: linkProgram(gl, strokeVertexShader, strokeFragmentShader, ["before", "after"]),
      fade: linkProgram(gl, coverVertexShader, fadeFragmentShader, []),
      show: linkProgram(gl, coverVertexShader, showFragmentShader, []),
    };
    this.velocity = gl.createTexture();
    this.feedback = gl.createTransformFeedback();
    this.buffers = [gl.createBuffer(), gl.createBuffer()];
  }

  /**
   * Places all particles again on a canvas of this size, CSS pixels. The caller has set its size in device
   * pixels.
   */
  restart(width: number, height: number): void {
    const { gl } = this;
    this.size = [width, height];
    this.frame = 0;
    this.capacity = 0;
    this.fadeRemainder = 0;
    this.dropTrails();
    const texture = gl.createTexture();
    const framebuffer = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8, gl.drawingBufferWidth, gl.drawingBufferHeight);
    linear(gl);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.trails = { texture, framebuffer };
  }

  /** Sets the flow without moving the particles. */
  flow({ cell, columns, rows, values }: VelocityGrid): void {
    const { gl } = this;
    this.cell = cell;
    gl.bindTexture(gl.TEXTURE_2D, this.velocity);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, columns, rows, 0, gl.RGBA, gl.FLOAT, values);
    linear(gl);
  }

  /** Moves `count` particles and draws their trails. @param seconds Time since the previous frame. */
  step(count: number, seconds: number): void {
    if (!this.trails) return;
    if (count > this.capacity) this.allocate(count);
    this.move(count, seconds);
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.trails.framebuffer);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.enable(gl.BLEND);
    this.fade(seconds);
    this.stroke(count, seconds);
    gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.buffers.reverse();
    this.frame++;
  }

  show({ fast, slow, edge }: ParticleInks): void {
    const { gl } = this;
    if (!this.trails) return;
    const { activate, uniform } = this.programs.show;
    activate();
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.trails.texture);
    gl.uniform1i(uniform("trails"), 0);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.velocity);
    gl.uniform1i(uniform("velocity"), 1);
    gl.uniform2f(uniform("size"), ...this.size);
    gl.uniform1f(uniform("cell"), this.cell);
    gl.uniform4f(uniform("fast"), ...fast);
    gl.uniform4f(uniform("slow"), ...slow);
    gl.uniform4f(uniform("edge"), ...edge);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  destroy(): void {
    const { gl } = this;
    this.dropTrails();
    for (const { program } of Object.values(this.programs)) gl.deleteProgram(program);
    for (const buffer of this.buffers) gl.deleteBuffer(buffer);
    gl.deleteTexture(this.velocity);
    gl.deleteTransformFeedback(this.feedback);
  }

  /** Allocates state for more particles. They have no time left, so the first step places them. */
  private allocate(count: number): void {
    const { gl } = this;
    for (const buffer of this.buffers) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(3 * count), gl.DYNAMIC_COPY);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    this.capacity = count;
  }

  private move(count: number, seconds: number): void {
    const { gl } = this;
    const [before, after] = this.buffers;
    const { activate, uniform } = this.programs.move;
    activate();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.velocity);
    gl.uniform1i(uniform("velocity"), 0);
    gl.uniform2f(uniform("size"), ...this.size);
    gl.uniform1f(uniform("cell"), this.cell);
    gl.uniform1f(uniform("seconds"), seconds);
    gl.uniform1f(uniform("life"), LIFE);
    gl.uniform1ui(uniform("seed"), this.seed);
    gl.uniform1ui(uniform("frame"), this.frame);
    this.attribute(0, before, 0);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, this.feedback);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, after);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, count);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.disableVertexAttribArray(0);
  }

  private fade(seconds: number): void {
    const { gl } = this;
    this.fadeRemainder += (255 * seconds) / TRAIL;
    const steps = Math.floor(this.fadeRemainder);
    this.fadeRemainder -= steps;
    const { activate, uniform } = this.programs.fade;
    activate();
    gl.uniform1f(uniform("share"), Math.min(255, steps) / 255);
    gl.blendEquation(gl.FUNC_REVERSE_SUBTRACT);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private stroke(count: number, seconds: number): void {
    const { gl } = this;
    const [before, after] = this.buffers;
    const { activate, uniform } = this.programs.stroke;
    activate();
    gl.uniform2f(uniform("size"), ...this.size);
    gl.uniform1f(uniform("width"), WIDTH);
    gl.uniform1f(uniform("seconds"), seconds);
    this.attribute(0, before, 1);
    this.attribute(1, after, 1);
    gl.blendEquation(gl.MAX);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.disableVertexAttribArray(0);
    gl.disableVertexAttribArray(1);
  }

  private attribute(location: number, buffer: WebGLBuffer, divisor: number): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(location, divisor);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
  }

  private dropTrails(): void {
    if (!this.trails) return;
    this.gl.deleteTexture(this.trails.texture);
    this.gl.deleteFramebuffer(this.trails.framebuffer);
    this.trails = undefined;
  }
}

/** Sets linear filtering for the bound texture, clamped to its edges. */
function linear(gl: WebGL2RenderingContext): void {
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.LINEAR);
  }
  for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
    gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
  }
}

/** Frame times per measurement. */
const FRAMES = 60;
/** Longest time of one measurement, milliseconds, so that a device on which each frame is slow is found soon. */
const MEASURED_MS = 3000;
/** Limit of the 95th percentile, milliseconds. */
const MAX_FRAME_MS = 20;
const MIN_PARTICLES = 250;
/** Measurements needed for `speed`, including the first one, which does not count. */
const MEASUREMENTS = 4;

/**
 * Number of particles that the device can draw. It halves whenever the 95th percentile of 60 frame times,
 * or of those of three seconds, exceeds 20 ms, and never rises, so that the map does not alternate between two numbers.
 *
 * `speed` results from the first measurements, except the very first, in which shaders compile.
 */
export class ParticleBudget {
  private readonly times: number[] = [];
  private measured = 0;
  count: number;
  /** undefined until it is known. */
  speed: "fast" | "slow" | undefined;

  /** @param count Initial number of particles. */
  constructor(count: number) {
    this.count = count;
  }

  /** Discards the measured times after a pause or a move of the map. */
  reset(): void {
    this.times.length = 0;
  }

  /**
   * Records a frame.
   *
   * @param milliseconds Time since the previous frame.
   * @returns Number of particles to draw from now on.
   */
  frame(milliseconds: number): number {
    this.times.push(milliseconds);
    const total = this.times.reduce((sum, time) => sum + time, 0);
    if (this.times.length >= FRAMES || total >= MEASURED_MS) {
      const slow = this.times.sort((a, b) => a - b)[Math.floor(0.95 * this.times.length)] ?? 0;
      const isSlow = slow > MAX_FRAME_MS;
      this.measured++;
      if (this.measured > 1 && isSlow) this.speed ??= "slow";
      if (this.measured >= MEASUREMENTS) this.speed ??= "fast";
      if (isSlow) this.count = Math.min(this.count, Math.max(MIN_PARTICLES, this.count >> 1));
      this.reset();
    }
    return this.count;
  }
}

/** A linked program and its uniforms by name. */
interface Program {
  program: WebGLProgram;
  /** Activates the program for the following draws. */
  activate(): void;
  uniform(name: string): WebGLUniformLocation | null;
}

/**
 * Compiles and links a program.
 *
 * @param attributes Names, in the order of their locations.
 * @param captured Output that transform feedback captures.
 * @throws Error with the driver's log if a shader is rejected.
 */
function linkProgram(
  gl: WebGL2RenderingContext,
  vertex: string,
  fragment: string,
  attributes: readonly string[],
  captured?: string,
): Program {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error("The graphics context was lost.");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    // The shader is freed together with the program.
    gl.deleteShader(shader);
  }
  for (const [location, name] of attributes.entries()) gl.bindAttribLocation(program, location, name);
  if (captured) gl.transformFeedbackVaryings(program, [captured], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(`Particles: ${[gl.getProgramInfoLog(program), ...logs].filter(Boolean).join("\n")}`);
  }
  return {
    program,
    activate: () => gl.useProgram(program),
    uniform: (name) => gl.getUniformLocation(program, name),
  };
}

/**
 * PCG hash (Jarzynski and Olano 2020, "Hash Functions for GPU Rendering"). Positions depend on seed, particle
 * and frame only, on every machine.
 */
const pcg = /* glsl */ `
uint pcg(uint value) {
  uint state = value * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
float unit(uint hash) { return float(hash >> 8u) / 16777216.0; }
`;

/**
 * Added to the time left of a particle that has just started, so that no stroke is drawn from its previous
 * end.
 */
const STARTED = "100.0";

/**
 * Moves each particle with the flow; a particle whose time is over restarts at a random place. State: x, y
 * (CSS pixels), time left.
 */
const moveShader = /* glsl */ `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D velocity;
uniform vec2 size;
uniform float cell;
uniform float seconds;
uniform float life;
uniform uint seed;
uniform uint frame;
in vec3 state;
out vec3 moved;
out float strength;
out float across;
${pcg}
// Velocity right and down, CSS pixels per second; the third component is 0 where there is none.
vec3 flow(vec2 place) {
  vec3 mean = texture(velocity, (place / cell + 0.5) / vec2(textureSize(velocity, 0))).xyz;
  return mean.z >= 0.5 ? vec3(mean.xy / mean.z, 1.0) : vec3(0.0);
}

void main() {
  vec3 here = flow(state.xy);
  vec3 half_way = flow(state.xy + 0.5 * seconds * here.xy);
  vec2 place = state.xy + seconds * half_way.xy;
  float left = (state.z >= ${STARTED} ? state.z - ${STARTED} : state.z) - seconds;
  bool outside = any(lessThan(place, vec2(0.0))) || any(greaterThan(place, size));
  if (left <= 0.0 || outside || here.z * half_way.z == 0.0) {
    uint hash = pcg(uint(gl_VertexID) ^ pcg(frame ^ pcg(seed)));
    uint other = pcg(hash);
    place = vec2(unit(hash), unit(other)) * size;
    left = ${STARTED} + life * (0.3 + 0.7 * unit(pcg(other)));
  }
  moved = vec3(place, left);
  strength = 0.0;
  across = 0.0;
}
`;

/** Draws a stroke from the previous to the current position of each particle, unless it has just started. */
const strokeVertexShader = /* glsl */ `#version 300 es
precision highp float;
uniform vec2 size;
uniform mediump float width;
uniform float seconds;
in vec3 before;
in vec3 after;
out float strength;
out float across;
// Below the first speed a particle fades; at the second it has all its brightness. CSS pixels per second.
const float LIVELY = 14.0;
const float SWIFT = 80.0;
void main() {
  vec2 along = after.xy - before.xy;
  float far = length(along);
  bool started = after.z >= ${STARTED};
  float speed = far / max(seconds, 1e-4);
  strength = clamp(speed / LIVELY, 0.0, 1.0) * mix(0.6, 1.0, clamp(speed / SWIFT, 0.0, 1.0));
  vec2 ahead = far > 0.0 ? along / far : vec2(1.0, 0.0);
  float half_width = 0.5 * width + 0.5;
  vec2 side = half_width * vec2(-ahead.y, ahead.x);
  across = (gl_VertexID & 2) == 0 ? half_width : -half_width;
  vec2 end = (gl_VertexID & 1) == 0 ? before.xy : after.xy + 0.3 * ahead;
  vec2 place = end + ((gl_VertexID & 2) == 0 ? side : -side);
  gl_Position = started ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(place / size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
`;

const strokeFragmentShader = /* glsl */ `#version 300 es
precision mediump float;
in float strength;
in float across;
uniform float width;
out vec4 colour;
void main() { colour = vec4(strength * clamp(0.5 * width + 0.5 - abs(across), 0.0, 1.0)); }
`;

/** A triangle that covers the canvas. */
const coverVertexShader = /* glsl */ `#version 300 es
out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  place = 0.5 * corner + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}
`;

const fadeFragmentShader = /* glsl */ `#version 300 es
precision mediump float;
uniform float share;
out vec4 colour;
void main() { colour = vec4(share); }
`;

/**
 * Trails in two tones, by the speed of the flow below them, with an edge in another one, which makes them
 * visible on every colour of a field.
 */
const showFragmentShader = /* glsl */ `#version 300 es
precision highp float;
uniform sampler2D trails;
uniform sampler2D velocity;
uniform vec2 size;
uniform float cell;
uniform vec4 fast;
uniform vec4 slow;
uniform vec4 edge;
// Speeds between which the tone changes, CSS pixels per second.
const vec2 TONES = vec2(22.0, 55.0);
in vec2 place;
out vec4 colour;
void main() {
  vec2 texel = 1.0 / vec2(textureSize(trails, 0));
  float trail = texture(trails, place).r;
  float near = max(
    max(texture(trails, place + vec2(texel.x, 0.0)).r, texture(trails, place - vec2(texel.x, 0.0)).r),
    max(texture(trails, place + vec2(0.0, texel.y)).r, texture(trails, place - vec2(0.0, texel.y)).r)
  );
  vec2 at = vec2(place.x, 1.0 - place.y) * size;
  vec3 mean = texture(velocity, (at / cell + 0.5) / vec2(textureSize(velocity, 0))).xyz;
  float speed = length(mean.xy) / max(mean.z, 0.25);
  vec4 ink = mix(slow, fast, smoothstep(TONES.x, TONES.y, speed));
  float inside = trail * ink.a;
  float around = max(near - trail, 0.0) * edge.a;
  colour = vec4(ink.rgb * inside + edge.rgb * around * (1.0 - inside), inside + around * (1.0 - inside));
}
`;
