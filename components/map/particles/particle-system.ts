import {
  coverVertexShader,
  fadeFragmentShader,
  moveShader,
  showFragmentShader,
  strokeFragmentShader,
  strokeVertexShader,
} from "./particle-shaders.ts";
import { linkProgram, type Program } from "./programs.ts";
import type { VelocityGrid } from "./velocity-grid.ts";

/** Red, green, blue, opacity, 0..1. */
export type Rgba = readonly [number, number, number, number];

/** Longest life of a particle, seconds. */
const LIFE = 5;
/** Time in which a trail fades, seconds. */
const TRAIL = 0.9;
/** Width of strokes, CSS pixels. */
const WIDTH = 1.5;

/**
 * Particles that move with a flow, on the GPU by transform feedback; their trails are drawn into a texture that fades.
 *
 * Positions are pixels of the canvas, so that single precision suffices at every zoom, in Mercator and on the globe.
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
  /** Fraction of a fading step carried over: a byte has whole steps only. */
  private fadeRemainder = 0;

  /** @param seed Same seed, field, size and steps: same picture. */
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

  /** Places all particles again on a canvas of this size, CSS pixels; its device pixels are already set. */
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

  /** Sets the flow. Particles stay where they are. */
  flow({ cell, columns, rows, values }: VelocityGrid): void {
    const { gl } = this;
    this.cell = cell;
    gl.bindTexture(gl.TEXTURE_2D, this.velocity);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, columns, rows, 0, gl.RGBA, gl.FLOAT, values);
    linear(gl);
  }

  /** Moves `count` particles and draws their trails. @param seconds Since the previous frame. */
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

  /** Draws the trails on the canvas. */
  show(ink: Rgba, edge: Rgba): void {
    const { gl } = this;
    if (!this.trails) return;
    const { activate, uniform } = this.programs.show;
    activate();
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.trails.texture);
    gl.uniform1i(uniform("trails"), 0);
    gl.uniform4f(uniform("ink"), ...ink);
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

  /** Allocates state for more particles. They have no time left, so that the first step places them. */
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

/** Samples the bound texture linearly, clamped to its edges. */
function linear(gl: WebGL2RenderingContext): void {
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.LINEAR);
  }
  for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
    gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
  }
}
