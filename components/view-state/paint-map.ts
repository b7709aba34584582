import type {
  CircleLayerSpecification,
  ExpressionSpecification,
  LayerSpecification,
  LineLayerSpecification,
  Map as MapLibreMap,
  SymbolLayerSpecification,
} from "maplibre-gl";

/** Adds images to a map, or replaces existing ones. @param pixelRatio Image pixels per CSS pixel. */
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
 * Adds layers to a map, and updates the paint of existing ones, whose colours depend on the theme.
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

type Value = number | ExpressionSpecification;

/**
 * Functions that make layers of a source, each with an id, and a filter or the `kind` of the layer's
 * features.
 */
export function layersOf(source: string) {
  const of = (id: string, kind: string | ExpressionSpecification) => ({
    id,
    source,
    filter: typeof kind === "string" ? (["==", ["get", "kind"], kind] as ExpressionSpecification) : kind,
  });
  return {
    fill: (id: string, kind: string, colour: string, opacity: Value): LayerSpecification => ({
      ...of(id, kind),
      type: "fill",
      paint: { "fill-color": colour, "fill-opacity": opacity },
    }),
    /** @param pattern Name of an image. */
    hatched: (id: string, kind: string | ExpressionSpecification, pattern: string, opacity: number) =>
      ({
        ...of(id, kind),
        type: "fill",
        paint: { "fill-pattern": pattern, "fill-opacity": opacity },
      }) as LayerSpecification,
    line: (
      id: string,
      kind: string | ExpressionSpecification,
      colour: string | ExpressionSpecification,
      width: Value,
      more: LineLayerSpecification["paint"] & {
        dashes?: readonly number[] | undefined;
        join?: "round" | "miter";
      } = {},
    ): LayerSpecification => {
      const { dashes, join = "round", ...paint } = more;
      return {
        ...of(id, kind),
        type: "line",
        layout: { "line-join": join },
        paint: {
          "line-color": colour,
          "line-width": width,
          ...paint,
          ...(dashes && { "line-dasharray": [...dashes] }),
        },
      };
    },
    dots: (
      id: string,
      kind: string,
      colour: string | ExpressionSpecification,
      edge: string | ExpressionSpecification,
      [radius, width]: [radius: Value, width: number],
    ) =>
      ({
        ...of(id, kind),
        type: "circle",
        paint: {
          "circle-radius": radius,
          "circle-color": colour,
          "circle-stroke-color": edge,
          "circle-stroke-width": width,
        },
      }) satisfies CircleLayerSpecification as LayerSpecification,
    /** An invisible layer for hits by finger or pointer. */
    reached: (id: string, kind: string, radius: number): LayerSpecification => ({
      ...of(id, kind),
      type: "circle",
      paint: { "circle-radius": radius, "circle-opacity": 0 },
    }),
    /** Draws the `label` of features. */
    labels: (
      id: string,
      kind: string | ExpressionSpecification,
      { ink, halo }: { ink: string | ExpressionSpecification; halo: string },
      haloWidth: number,
      layout: NonNullable<SymbolLayerSpecification["layout"]>,
    ): LayerSpecification => ({
      ...of(id, kind),
      type: "symbol",
      layout: { "text-field": ["get", "label"], "text-size": 12, ...layout },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": haloWidth },
    }),
  };
}

/** Icons of the map are drawn at twice the resolution. */
export const ICON_RATIO = 2;

/**
 * An icon for the map.
 *
 * @param draw Draws with the centre at 0, 0, in CSS pixels, and round line ends and corners.
 * @param side CSS pixels.
 */
export function mapIcon(draw: (pen: CanvasRenderingContext2D) => void, side = 32): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side * ICON_RATIO;
  // Without this option, reading back from the GPU takes tens of milliseconds per icon.
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("This browser draws no pictures");
  pen.scale(ICON_RATIO, ICON_RATIO);
  pen.translate(side / 2, side / 2);
  pen.lineJoin = pen.lineCap = "round";
  draw(pen);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}
