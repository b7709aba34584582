import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColours } from "#components/view-state/map-colours.ts";
import { hatching } from "./area-layers.ts";

/** Name of the image that hatches danger areas. */
const PATTERN = "danger";

/** The hatching of danger areas: amber with a casing, so that it is seen on every colour of a field. */
export function dangerPattern({ danger, halo }: MapColours): [name: string, image: ImageData] {
  return [PATTERN, hatching(danger, 16, -1, { width: 1.3, casing: halo })];
}

/** Layers of the danger area, the lowest first: hatching, edge with a casing, label along the edge. */
export function dangerLayers(
  source: string,
  { danger, halo, ink }: MapColours,
  labelFont: string[],
): LayerSpecification[] {
  const filter: ExpressionSpecification = ["==", ["get", "kind"], "danger"];
  const line = (id: string, colour: string, width: number): LayerSpecification => ({
    id,
    type: "line",
    source,
    filter,
    layout: { "line-join": "round" },
    paint: { "line-color": colour, "line-width": width },
  });
  return [
    {
      id: "storm-danger",
      type: "fill",
      source,
      filter,
      paint: { "fill-pattern": PATTERN, "fill-opacity": 0.8 },
    },
    line("storm-danger-halo", halo, 6),
    line("storm-danger-line", danger, 3),
    {
      id: "storm-danger-label",
      type: "symbol",
      source,
      filter,
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 420,
        "text-field": ["get", "label"],
        "text-font": labelFont,
        "text-size": 12,
        "text-max-angle": 30,
        "text-padding": 4,
      },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": 2 },
    },
  ];
}
