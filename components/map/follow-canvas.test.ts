import { CanvasContext, type Device } from "@luma.gl/core";
import { expect, it, vi } from "vitest";
import { followCanvas } from "./follow-canvas.ts";

/** luma.gl's own sizes, without a graphics processor. */
class Context extends CanvasContext {
  readonly device = {} as Device;
  readonly handle = undefined;
  readonly [Symbol.toStringTag] = "Context";
  protected override _configureDevice(): void {}
  protected override _getCurrentFramebuffer() {
    return {} as ReturnType<CanvasContext["getCurrentFramebuffer"]>;
  }
}

it("keeps the size that the map gave to its canvas, also while an earlier one has not been drawn", () => {
  const context = new Context({ width: 1060, height: 752 });
  const canvas = context.canvas as HTMLCanvasElement;
  Object.assign(context, { htmlCanvas: canvas });
  const device = { canvasContext: context, props: { onResize: vi.fn() } } as unknown as Device;
  const resize = (height: number) => {
    Object.assign(canvas, { height, clientWidth: 1060, clientHeight: height });
    followCanvas(device);
  };
  resize(816);
  resize(752);
  context.getCurrentFramebuffer();
  expect(canvas.height).toBe(752);
  expect(context.getDrawingBufferSize()).toEqual([1060, 752]);
  expect(context.getCSSSize()).toEqual([1060, 752]);
  expect(device.props.onResize).toHaveBeenCalledTimes(2);
});
