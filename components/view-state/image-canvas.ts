/**
 * A canvas with an image, to be drawn on the picture. It lives in memory as the picture does: Chromium moves a canvas to the
 * graphics processor when one that lives there is drawn on it.
 */
export function canvasOf(image: ImageData): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d", { willReadFrequently: true })?.putImageData(image, 0, 0);
  return canvas;
}
