import type { Grid } from "@open-metocean/geo/grid";
import { seeded } from "#test/seeded.ts";

/** Spacing of the knots of the shortest and of the longest waves, nodes. */
const SHORTEST = 2;
const LONGEST = 128;
/** Distance that waves travel in an hour, nodes. */
const PACE = 1.3;
/** Variance of a spline through random knots. */
const SPLINE_VARIANCE = 0.23;

interface Octave {
  spacing: number;
  across: number;
  down: number;
  amplitude: number;
  /** Two states of the knots, between which they turn. */
  knots: readonly [Float32Array, Float32Array];
  turn: number;
  drift: number;
}

/**
 * Random waves of all lengths from one to a hundred nodes, which travel and change, the shorter ones faster.
 *
 * @returns A function from hours since the start to the deviates, (rows, columns).
 */
export function randomWaves(grid: Grid, slope: number, hours: number, seed: number) {
  const { count: rows } = grid.latitude;
  const { count: columns } = grid.longitude;
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const octaves: Octave[] = [];
  for (let spacing = SHORTEST; spacing <= LONGEST; spacing *= 2) {
    const across = Math.ceil(columns / spacing);
    const down = Math.ceil(rows / spacing) + 4;
    const knots = () => Float32Array.from({ length: across * down }, normal);
    octaves.push({
      spacing,
      across,
      down,
      amplitude: (spacing / LONGEST) ** slope,
      knots: [knots(), knots()],
      turn: (2 * Math.PI) / (hours * (spacing / SHORTEST) ** (2 / 3)),
      drift: PACE * (0.7 + 0.6 * random()),
    });
  }
  const norm = Math.sqrt(octaves.reduce((sum, { amplitude }) => sum + SPLINE_VARIANCE * amplitude ** 2, 0));
  return (hour: number): Float32Array => {
    const out = new Float32Array(rows * columns);
    for (const octave of octaves) addOctave(octave, hour, norm, rows, columns, out);
    return out;
  };
}

function addOctave(
  octave: Octave,
  hour: number,
  norm: number,
  rows: number,
  columns: number,
  out: Float32Array,
) {
  const { spacing, across, down, amplitude, knots, turn, drift } = octave;
  const [cosine, sine] = [Math.cos(turn * hour), Math.sin(turn * hour)].map(
    (part) => (part * amplitude) / norm,
  );
  const now = knots[0].map((knot, i) => knot * cosine! + knots[1][i]! * sine!);
  const along = new Float32Array(down * columns);
  for (let x = 0; x < columns; x++) {
    const place = (((x - drift * hour) / spacing) % across) + across;
    const knot = Math.floor(place);
    const weights = splineWeights(place - knot);
    for (let y = 0; y < down; y++)
      for (let i = 0; i < 4; i++)
        along[y * columns + x]! += weights[i]! * now[y * across + ((knot + i) % across)]!;
  }
  for (let y = 0; y < rows; y++) {
    const knot = Math.floor(y / spacing);
    const [a, b, c, d] = splineWeights(y / spacing - knot);
    const from = knot * columns;
    for (let x = 0; x < columns; x++)
      out[y * columns + x]! +=
        a * along[from + x]! +
        b * along[from + columns + x]! +
        c * along[from + 2 * columns + x]! +
        d * along[from + 3 * columns + x]!;
  }
}

/** Weights of the cubic B-spline. */
function splineWeights(t: number): [number, number, number, number] {
  const s = 1 - t;
  return [s ** 3 / 6, (4 - 6 * t * t + 3 * t ** 3) / 6, (4 - 6 * s * s + 3 * s ** 3) / 6, t ** 3 / 6];
}
