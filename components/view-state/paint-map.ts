import type { LayerSpecification, Map as MapLibreMap } from "maplibre-gl";

/** Adds images to a map, or draws those again that it has. @param pixelRatio Pixels of an image in a CSS pixel. */
export function setImages(
  map: MapLibreMap,
  images: Iterable<readonly [name: string, image: ImageData]>,
  pixelRatio: number,
): void {
  for (const [name, image] of images) {
    if (map.hasImage(name)) map.updateImage(name, image);
    else map.addImage(name, image, { pixelRatio });
  }
}

/**
 * Adds layers to a map, and sets the paint of those that it has: their colours are those of the theme.
 *
 * @param before Id of the layer below which a layer is added.
 */
export function paintLayers(
  map: MapLibreMap,
  layers: readonly LayerSpecification[],
  before: (layer: LayerSpecification) => string,
): void {
  for (const layer of layers) {
    if (!map.getLayer(layer.id)) map.addLayer(layer, before(layer));
    for (const [property, value] of Object.entries(layer.paint ?? {}))
      map.setPaintProperty(layer.id, property as "line-color", value);
  }
}

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
