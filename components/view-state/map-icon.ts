/** Side of an icon of the map, CSS pixels; drawn at twice the resolution. */
const SIDE = 32;
export const ICON_RATIO = 2;

/** An icon for the map. @param draw With the centre at 0, 0, in CSS pixels, and round ends and corners of lines. */
export function mapIcon(draw: (pen: CanvasRenderingContext2D) => void): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE * ICON_RATIO;
  // Reading back from the GPU takes tens of milliseconds per icon.
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("This browser draws no pictures");
  pen.scale(ICON_RATIO, ICON_RATIO);
  pen.translate(SIDE / 2, SIDE / 2);
  pen.lineJoin = pen.lineCap = "round";
  draw(pen);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}
