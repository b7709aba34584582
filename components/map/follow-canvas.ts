import type { Device } from "@luma.gl/core";

/**
 * Tells deck.gl the size that the map has just given to its canvas. By itself deck.gl learns of it from an observer, after
 * the frame that the map draws at once. Where an earlier size has not been drawn yet, deck.gl gives it back to the canvas
 * in that frame, and from then on draws elsewhere than the map.
 */
export function followCanvas({ canvasContext, props }: Pick<Device, "canvasContext" | "props">): void {
  if (!canvasContext?.htmlCanvas) return;
  const { width, height, clientWidth, clientHeight } = canvasContext.htmlCanvas;
  const oldPixelSize = canvasContext.getDevicePixelSize();
  canvasContext.cssWidth = clientWidth;
  canvasContext.cssHeight = clientHeight;
  canvasContext.setDrawingBufferSize(width, height);
  props.onResize(canvasContext, { oldPixelSize });
}
