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
