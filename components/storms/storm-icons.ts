import { likelihoods } from "@open-metocean/storms/providers";
import type { MapColours } from "#components/view-state/map-colours.ts";
import { mapIcon } from "#components/view-state/paint-map.ts";

export type StormColours = Pick<
  MapColours,
  "storm" | "ink" | "halo" | "likely-low" | "likely-medium" | "likely-high"
>;

/**
 * The symbols of storms by name, following those of weather maps: an open swirl for a tropical storm, a
 * filled one with its category for a hurricane or typhoon, a ring for a depression, L for a low, a crossed
 * ring for an invest. Swirls turn with the wind: anticlockwise in the northern hemisphere, clockwise in the
 * southern.
 */
const symbols: ReadonlyMap<string, (pen: Pen, colours: StormColours) => void> = new Map([
  ["storm-invest", invest],
  ["storm-low", low],
  ...likelihoods.map(
    (likelihood, index) =>
      [
        `storm-area-${likelihood}`,
        (pen: Pen, colours: StormColours) =>
          area(pen, colours[`likely-${likelihood}`], colours.halo, index + 1),
      ] as const,
  ),
  ...sidesOf("north", 1),
  ...sidesOf("south", -1),
]);

function sidesOf(side: "north" | "south", sense: 1 | -1) {
  const turning = (category?: number) => (pen: Pen, colours: StormColours) =>
    swirl(pen, colours, sense, category);
  return [
    [`storm-${side}-td`, ringed] as const,
    [`storm-${side}-ts`, turning()] as const,
    ...[0, 1, 2, 3, 4, 5].map((category) => [`storm-${side}-hu${category}`, turning(category)] as const),
  ];
}

export const stormIconNames: readonly string[] = [...symbols.keys()];

/** @param name One of `stormIconNames`. */
export function stormIcon(name: string, colours: StormColours): ImageData {
  const symbol = symbols.get(name);
  if (!symbol) throw new Error(`There is no symbol ${name}`);
  return mapIcon((pen) => {
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    symbol(pen, colours);
  });
}

type Pen = CanvasRenderingContext2D;

const BODY = 7;

/**
 * @param sense 1 anticlockwise, −1 clockwise. @param category Number in a filled swirl; undefined draws an
 * open ring.
 */
function swirl(pen: Pen, { storm, halo }: StormColours, sense: 1 | -1, category: number | undefined): void {
  const body = circle(BODY);
  const arms = new Path2D();
  for (const end of [1, -1]) {
    // The arms trail, leaving the body against the sense of rotation.
    const at = (x: number, y: number) => [end * sense * x, end * y] as const;
    arms.moveTo(...at(-BODY, 0));
    arms.bezierCurveTo(...at(-BODY, -7), ...at(-3, -13), ...at(8, -13));
    arms.bezierCurveTo(...at(1, -11.5), ...at(-1, -9), ...at(0, -BODY));
    arms.closePath();
  }
  outline(pen, halo, body, arms);
  pen.fillStyle = storm;
  pen.fill(arms);
  if (category === undefined) {
    ring(pen, storm, halo, body);
    return;
  }
  pen.fill(body);
  if (category === 0) return;
  pen.font = "bold 11px system-ui, sans-serif";
  pen.fillStyle = halo;
  pen.fillText(String(category), 0, 0.5);
}

function ringed(pen: Pen, { storm, halo }: StormColours): void {
  const body = circle(BODY);
  outline(pen, halo, body);
  ring(pen, storm, halo, body);
}

function invest(pen: Pen, { storm, halo }: StormColours): void {
  const body = circle(BODY + 2);
  const cross = new Path2D("M-4 -4L4 4M4 -4L-4 4");
  outline(pen, halo, body, cross);
  pen.strokeStyle = storm;
  pen.lineWidth = 2.5;
  pen.stroke(cross);
  pen.lineWidth = 2;
  pen.setLineDash([3.5, 3.5]);
  pen.stroke(body);
}

/** Draws a cross, with one to three dots below it for a low, medium or high likelihood. */
function area(pen: Pen, colour: string, halo: string, dots: number): void {
  const cross = new Path2D("M-5 -9L5 1M5 -9L-5 1");
  const below = new Path2D();
  for (let index = 0; index < dots; index++) {
    const x = 6 * (index - (dots - 1) / 2);
    below.moveTo(x + 2, 8);
    below.arc(x, 8, 2, 0, 2 * Math.PI);
  }
  outline(pen, halo, cross, below);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 3;
  pen.stroke(cross);
  pen.fill(below);
}

function low(pen: Pen, { storm, halo }: StormColours): void {
  pen.font = "bold 20px system-ui, sans-serif";
  outline(pen, halo);
  pen.strokeText("L", 0, 1);
  pen.fillStyle = storm;
  pen.fillText("L", 0, 1);
}

function circle(radius: number): Path2D {
  const path = new Path2D();
  path.arc(0, 0, radius, 0, 2 * Math.PI);
  return path;
}

function ring(pen: Pen, storm: string, halo: string, body: Path2D): void {
  pen.fillStyle = halo;
  pen.fill(body);
  pen.strokeStyle = storm;
  pen.lineWidth = 2.5;
  pen.stroke(body);
}

/** Draws a halo that separates the symbol from any background. */
function outline(pen: Pen, halo: string, ...paths: Path2D[]): void {
  pen.strokeStyle = halo;
  pen.lineWidth = 7;
  for (const path of paths) pen.stroke(path);
}
