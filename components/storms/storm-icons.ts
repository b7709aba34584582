/** Side of an icon, CSS pixels; drawn at twice the resolution. */
const SIDE = 32;
const RATIO = 2;

export interface StormColours {
  storm: string;
  ink: string;
  halo: string;
}

/**
 * The symbols of storms by name, after those on weather maps: an open swirl for a tropical storm, a filled one with its
 * category for a hurricane or typhoon, a ring for a depression, L for a low, a crossed ring for an invest. Swirls turn
 * with the wind: anticlockwise in the north, clockwise in the south.
 */
const symbols: ReadonlyMap<string, (pen: Pen, colours: StormColours) => void> = new Map([
  ["storm-invest", invest],
  ["storm-low", low],
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
  return drawn((pen) => symbol(pen, colours));
}

export const ICON_RATIO = RATIO;

type Pen = CanvasRenderingContext2D;

/** Draws an icon with its centre at 0, 0. */
function drawn(draw: (pen: Pen) => void): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE * RATIO;
  // Reading back from the GPU takes tens of milliseconds per icon.
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("This browser draws no pictures");
  pen.scale(RATIO, RATIO);
  pen.translate(SIDE / 2, SIDE / 2);
  pen.lineJoin = pen.lineCap = "round";
  draw(pen);
  return pen.getImageData(0, 0, SIDE * RATIO, SIDE * RATIO);
}

const BODY = 7;

/** @param sense 1 anticlockwise, −1 clockwise. @param category Drawn filled, with its number; undefined: an open ring. */
function swirl(pen: Pen, { storm, halo }: StormColours, sense: 1 | -1, category: number | undefined): void {
  const body = new Path2D();
  body.arc(0, 0, BODY, 0, 2 * Math.PI);
  const arms = new Path2D();
  for (const end of [1, -1]) {
    // The arms trail: each leaves the body against the sense of rotation.
    const at = (x: number, y: number) => [end * sense * x, end * y] as const;
    arms.moveTo(...at(-BODY, 0));
    arms.bezierCurveTo(...at(-BODY, -7), ...at(-3, -13), ...at(8, -13));
    arms.bezierCurveTo(...at(1, -11.5), ...at(-1, -9), ...at(0, -BODY));
    arms.closePath();
  }
  outlined(pen, halo, () => {
    pen.stroke(body);
    pen.stroke(arms);
  });
  pen.fillStyle = storm;
  pen.fill(arms);
  if (category === undefined) {
    pen.fillStyle = halo;
    pen.fill(body);
    pen.strokeStyle = storm;
    pen.lineWidth = 2.5;
    pen.stroke(body);
    return;
  }
  pen.fill(body);
  if (category > 0) letter(pen, String(category), halo, 11);
}

function ringed(pen: Pen, { storm, halo }: StormColours): void {
  const body = new Path2D();
  body.arc(0, 0, BODY, 0, 2 * Math.PI);
  outlined(pen, halo, () => pen.stroke(body));
  pen.fillStyle = halo;
  pen.fill(body);
  pen.strokeStyle = storm;
  pen.lineWidth = 2.5;
  pen.stroke(body);
}

function invest(pen: Pen, { storm, halo }: StormColours): void {
  const body = new Path2D();
  body.arc(0, 0, BODY + 2, 0, 2 * Math.PI);
  const cross = new Path2D("M-4 -4L4 4M4 -4L-4 4");
  outlined(pen, halo, () => {
    pen.stroke(body);
    pen.stroke(cross);
  });
  pen.strokeStyle = storm;
  pen.lineWidth = 2.5;
  pen.stroke(cross);
  pen.lineWidth = 2;
  pen.setLineDash([3.5, 3.5]);
  pen.stroke(body);
}

function low(pen: Pen, { storm, halo }: StormColours): void {
  pen.font = "bold 20px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  outlined(pen, halo, () => pen.strokeText("L", 0, 1));
  pen.fillStyle = storm;
  pen.fillText("L", 0, 1);
}

function letter(pen: Pen, text: string, colour: string, size: number): void {
  pen.font = `bold ${size}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = colour;
  pen.fillText(text, 0, 0.5);
}

/** A halo that separates the symbol from any background. */
function outlined(pen: Pen, halo: string, stroke: () => void): void {
  pen.strokeStyle = halo;
  pen.lineWidth = 5;
  stroke();
}
