import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { MapColours } from "#components/view-state/map-colours.ts";
import { type Likelihood, likelihoods } from "#lib/contract/likelihoods.ts";

/** Dashes of the outlines, in widths of the line: dotted, dashed, solid. */
const dashes: Readonly<Record<Likelihood, number[] | undefined>> = {
  low: [1, 2],
  medium: [4, 2],
  high: undefined,
};

/** Colour of a likelihood: the agencies' yellow, orange and red. */
function likelihoodColour(likelihood: Likelihood, colours: MapColours): string {
  return colours[`likely-${likelihood}`];
}

/** Name of the hatching of areas of a likelihood, and of the corridors of alerts. */
const patternOf = (kind: "area" | "alert", likelihood: Likelihood) => `${kind}-${likelihood}`;

/** Side of a hatching, CSS pixels; drawn at twice the resolution. */
const SIDE = 16;
export const PATTERN_RATIO = 2;

/** Distances of the hatching's lines, CSS pixels: the likelier, the closer. */
const spacing: Readonly<Record<Likelihood, number>> = { low: 16, medium: 8, high: 16 / 3 };

/** Hatchings by name. Areas rise to the right; corridors of alerts fall to the right, so that both can be seen. */
export function areaPatterns(colours: MapColours): Map<string, ImageData> {
  return new Map(
    likelihoods.flatMap((likelihood) =>
      (["area", "alert"] as const).map(
        (kind) =>
          [
            patternOf(kind, likelihood),
            hatching(likelihoodColour(likelihood, colours), spacing[likelihood], kind === "area" ? 1 : -1),
          ] as const,
      ),
    ),
  );
}

/**
 * Parallel lines on a transparent square that repeats without a seam.
 *
 * @param gap Distance of the lines across the square, CSS pixels, a part of its side.
 * @param sense 1: they rise to the right. -1: they fall.
 * @param line Width, CSS pixels, and the colour of an edge on both sides of each line.
 */
export function hatching(
  colour: string,
  gap: number,
  sense: 1 | -1,
  { width, casing }: { width: number; casing?: string } = { width: 0.9 },
): ImageData {
  const canvas = document.createElement("canvas");
  const side = SIDE * PATTERN_RATIO;
  canvas.width = canvas.height = side;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("This browser draws no pictures");
  // Lines beyond the edges too, so that the pattern continues without a seam.
  for (let at = -2 * side; at <= 2 * side; at += gap * PATTERN_RATIO) {
    pen.moveTo(at, sense > 0 ? 2 * side : -side);
    pen.lineTo(at + 3 * side, sense > 0 ? -side : 2 * side);
  }
  if (casing) {
    pen.strokeStyle = casing;
    pen.lineWidth = (width + 1.2) * PATTERN_RATIO;
    pen.stroke();
  }
  pen.strokeStyle = colour;
  pen.globalAlpha = 0.9;
  pen.lineWidth = width * PATTERN_RATIO;
  pen.stroke();
  return pen.getImageData(0, 0, side, side);
}

/** Layers of areas of interest and formation alerts, the lowest first. */
export function areaLayers(source: string, colours: MapColours): LayerSpecification[] {
  const of = (kind: "area" | "alert", likelihood: Likelihood): ExpressionSpecification => [
    "all",
    ["==", ["get", "kind"], kind],
    ["==", ["get", "likelihood"], likelihood],
  ];
  const width = (selected: number, other: number): ExpressionSpecification => [
    "case",
    ["get", "selected"],
    selected,
    other,
  ];
  return (["area", "alert"] as const).flatMap((kind) =>
    likelihoods.flatMap((likelihood): LayerSpecification[] => {
      const id = `storm-${kind}-${likelihood}`;
      const filter = of(kind, likelihood);
      const dash = kind === "area" ? dashes[likelihood] : [6, 1.5, 1.5, 1.5];
      return [
        {
          id,
          type: "fill",
          source,
          filter,
          paint: {
            "fill-pattern": patternOf(kind, likelihood),
            "fill-opacity": 0.75,
          },
        },
        {
          id: `${id}-halo`,
          type: "line",
          source,
          filter,
          paint: { "line-color": colours.halo, "line-width": width(5, 4) },
        },
        {
          id: `${id}-line`,
          type: "line",
          source,
          filter,
          paint: {
            "line-color": likelihoodColour(likelihood, colours),
            "line-width": width(3, 2),
            ...(dash && { "line-dasharray": dash }),
          },
        },
      ];
    }),
  );
}
