import { brotliDecompressSync } from "node:zlib";
import { DEGREE_KM, EARTH_KM, RADIANS } from "@open-metocean/geo/sphere";
import { cellAt, clamp, type LandMask, nodesOf, smoothstep, worldGrid } from "#server/demo/math/grid.ts";
import { addBump, kernel, splineNoise } from "#server/demo/math/patterns.ts";
import { landMaskBase64 } from "./land-mask.data.ts";

// This file derives land, distance to the coast and depth of the sea, over `worldGrid`.

const WIDTH = worldGrid.longitude.count;
const HEIGHT = worldGrid.latitude.count;

/** Unpacks the mask that `scripts/build-land-mask.ts` derived from the Natural Earth coastline. */
export function landMask(): LandMask {
  const bits = brotliDecompressSync(Buffer.from(landMaskBase64, "base64"));
  const mask = new Uint8Array(bits.length * 8);
  for (let cell = 0; cell < mask.length; cell++) {
    const south = cell < WIDTH ? 0 : mask[cell - WIDTH]!;
    mask[cell] = south ^ ((bits[cell >> 3]! >> (cell & 7)) & 1);
  }
  return mask;
}

/** Packs a mask to bits, each row as its difference from the row south of it, which compresses better. */
export function packMask(mask: LandMask): Uint8Array {
  const bits = new Uint8Array(mask.length / 8);
  for (let cell = 0; cell < mask.length; cell++) {
    const south = cell < WIDTH ? 0 : mask[cell - WIDTH]!;
    bits[cell >> 3]! |= (mask[cell]! ^ south) << (cell & 7);
  }
  return bits;
}

/** Distance of the coast from the centres of the cells on either side of it, about half a cell, km. */
const HALF_CELL_KM = worldGrid.latitude.step * DEGREE_KM * 0.5;

/** Distance to the coast, km: positive at sea, negative inland, about 0 on the coastline. */
export function coastDistance(land: LandMask): Float32Array {
  const toLand = distanceTo(land);
  const toSea = distanceTo(land.map((cell) => 1 - cell));
  return toLand.map((km, cell) => {
    const across = land[cell] === 1 ? toSea[cell]! : km;
    const beyondEdge = across - Math.min(HALF_CELL_KM, across / 2);
    return land[cell] === 1 ? -beyondEdge : beyondEdge;
  });
}

/**
 * Great-circle distance from each cell to the nearest marked cell, km; cyclic in longitude.
 *
 * Sweeps pass the *place* of the nearest mark from cell to cell (Danielsson 1980) and not the distance, so that the
 * result is round. Adding up steps would give octagons.
 *
 * @param marked 1 at sources; at least one cell must be marked.
 */
export function distanceTo(marked: Uint8Array): Float32Array {
  const { sinLatitude: sin, cosLatitude: cos } = nodesOf(worldGrid);
  const cosTurn = Float64Array.from({ length: WIDTH }, (_, step) =>
    Math.cos(step * worldGrid.longitude.step * RADIANS),
  );
  const source = Int32Array.from(marked, (mark, cell) => (mark === 1 ? cell : -1));
  /** Cosine of the angle to the source. A larger value is nearer. */
  const nearness = Float64Array.from(marked, (mark) => (mark === 1 ? 1 : -2));

  const offer = (row: number, column: number, from: number): void => {
    const place = source[from]!;
    const at = row * WIDTH + column;
    if (place < 0 || source[at] === place) return;
    const sourceRow = (place / WIDTH) | 0;
    const turn = Math.abs(column - (place - sourceRow * WIDTH));
    const near = sin[row]! * sin[sourceRow]! + cos[row]! * cos[sourceRow]! * cosTurn[turn]!;
    if (near > nearness[at]!) {
      nearness[at] = near;
      source[at] = place;
    }
  };
  const sweepRow = (row: number, previous: number): void => {
    for (let step = 0; step < WIDTH + 8; step++) {
      const column = step % WIDTH;
      const west = column === 0 ? WIDTH - 1 : column - 1;
      if (previous >= 0 && previous < HEIGHT)
        for (const from of [column, west, (column + 1) % WIDTH]) offer(row, column, previous * WIDTH + from);
      offer(row, column, row * WIDTH + west);
    }
    for (let step = WIDTH + 8; step > 0; step--) offer(row, step % WIDTH, row * WIDTH + ((step + 1) % WIDTH));
  };
  for (let round = 0; round < 2; round++) {
    for (let row = 0; row < HEIGHT; row++) sweepRow(row, row - 1);
    for (let row = HEIGHT - 1; row >= 0; row--) sweepRow(row, row + 1);
  }
  return Float32Array.from(nearness, (near) => EARTH_KM * Math.acos(Math.min(1, near)));
}

/** Constant seed of the sea floor, which does not depend on the seed of the weather. */
const SEED = 0x5eaf1007;

/**
 * Derives the depth of the sea floor, metres, positive down; 0 on land. It resembles the real one (shelves, slopes,
 * ridges, trenches) but is not a chart.
 *
 * @param coast From `coastDistance`, km.
 */
export function deriveDepth(land: LandMask, coast: Float32Array): Float32Array {
  const nodes = nodesOf(worldGrid);
  const noise = (degrees: number, salt: number) => splineNoise(nodes, SEED + salt, degrees);
  const [margin, broad, middle, fine] = [noise(9, 1), noise(6, 2), noise(2.5, 3), noise(1, 4)];
  const toRidge = distanceTo(drawn(ridges));
  const toTrench = distanceTo(drawn(trenches));
  const metres = coast.map((offshore, cell) => {
    if (land[cell] === 1) return 0;
    const edge = Math.max(25, 90 + 60 * margin[cell]!);
    const hills = 520 * broad[cell]! + 280 * middle[cell]! + 160 * fine[cell]!;
    const coastal = 12 + 118 * Math.min(1, offshore / edge) * (1 + 0.25 * middle[cell]!);
    // The depth follows the age of the sea floor (Parsons & Sclater 1977), at 28 km per million years on each side of a
    // ridge.
    const plain = Math.min(5700, 2600 + 350 * Math.sqrt(toRidge[cell]! / 28)) + hills;
    const floor = Math.max(900, plain + 3600 * Math.exp(-((toTrench[cell]! / 75) ** 2)));
    return coastal + (floor - coastal) * smoothstep(edge, edge + 200, offshore);
  });
  const near = new Float32Array(metres.length);
  for (const [latitude, longitude, km, metresDeep] of shelves) {
    near.fill(0);
    addBump(nodes, kernel(latitude, longitude, km, 1), near);
    for (let cell = 0; cell < metres.length; cell++) {
      if (near[cell] === 0) continue;
      const floor = metresDeep * (1 + 0.25 * middle[cell]!);
      // Noise makes the edge of a shoal irregular instead of circular.
      const share = smoothstep(0, 0.25, near[cell]! * (1 + clamp(0.8 * broad[cell]!, -0.6, 0.6)));
      if (metres[cell]! > floor) metres[cell] = metres[cell]! + (floor - metres[cell]!) * share;
    }
  }
  return metres;
}

/** Marks the cells that lines pass through, with points every few kilometres. */
function drawn(lines: readonly (readonly number[])[]): Uint8Array {
  const marked = new Uint8Array(WIDTH * HEIGHT);
  for (const line of lines) {
    for (let at = 2; at < line.length; at += 2) {
      const [fromLatitude, from, toLatitude, unwrapped] = line.slice(at - 2, at + 2) as [
        number,
        number,
        number,
        number,
      ];
      // The line takes the shorter way around the globe.
      const to = unwrapped - 360 * Math.round((unwrapped - from) / 360);
      const points = Math.ceil(8 * Math.max(Math.abs(toLatitude - fromLatitude), Math.abs(to - from)));
      for (let point = 0; point <= points; point++) {
        const share = point / points;
        const latitude = fromLatitude + share * (toLatitude - fromLatitude);
        marked[cellAt(latitude, from + share * (to - from))] = 1;
      }
    }
  }
  return marked;
}

/** Axes of the mid-ocean ridges: °N, °E of each point. */
const ridges = [
  // Mid-Atlantic
  [
    64, -21, 60, -29, 53, -35, 45, -28, 38, -30, 30, -42, 23, -45, 15, -46, 10, -41, 2, -30, 0, -20, -8, -13,
    -20, -12, -35, -16, -48, -10, -54, 0, -52, 15, -50, 25,
  ],
  // South-west Indian
  [-50, 25, -40, 45, -32, 58, -25, 70],
  // South-east Indian and Pacific-Antarctic, to the East Pacific Rise
  [
    -25, 70, -38, 78, -46, 96, -50, 120, -52, 140, -62, 160, -65, 185, -56, 225, -45, 248, -30, 248, -10, 250,
    0, 258, 10, 256, 20, 252,
  ],
  // Carlsberg
  [-25, 70, -10, 67, 2, 66, 10, 58, 14, 50],
];

/** Axes of the deep-sea trenches: °N, °E of each point. */
const trenches = [
  // Aleutian
  [58, -147, 54, -158, 51.3, -170, 50.8, 180, 52.5, 170],
  // Kuril-Kamchatka, Japan, Izu-Bonin, Mariana
  [55, 163.5, 49, 158, 44, 150.5, 40, 144.3, 35, 142, 30, 142.7, 24, 143.5, 18, 147.5, 12, 144, 11.3, 142],
  // Ryukyu, Philippine, Sunda
  [27, 130, 24, 127],
  [14, 126, 9, 127.3, 5, 128],
  [14, 92.3, 5, 93, -2, 98, -7, 104, -10, 111, -11, 119],
  // Tonga-Kermadec, New Britain, New Hebrides
  [-15.5, 187, -22, 185, -30, 183, -36, 180.5],
  [-6, 151, -7, 155, -11, 162],
  [-13, 166, -19, 168, -22, 171],
  // Peru-Chile and Middle America
  [-4, -82, -12, -79, -18, -73.5, -24, -71.3, -34, -73.2],
  [17, -102, 13, -91.5, 9, -85],
  // Puerto Rico and South Sandwich
  [19.8, -68, 19.7, -63, 16.5, -59.5],
  [-55, -28, -57.5, -24.5, -60.5, -26],
];

/** Shelves far wider than usual, and inland seas: °N, °E, radius km, depth m. */
const shelves = [
  [55, 3, 620, 75], // North Sea
  [50, -1.5, 330, 55], // English Channel
  [53, 3, 300, 35], // southern North Sea
  [54, -5, 220, 65], // Irish Sea
  [50, -8, 480, 115], // Celtic
  [-47, -64, 850, 105], // Patagonia
  [3, 107, 1200, 60], // Sunda
  [34, 123, 800, 60], // Yellow and East China
  [45.5, -51, 480, 85], // Grand Banks
  [61, -171, 800, 75], // Bering
  [73, 140, 1100, 45], // Siberia
  [71, 172, 900, 50], // Chukchi
  [73, 42, 950, 220], // Barents
  [-10, 136, 850, 60], // Arafura
  [27, 51, 480, 45], // Persian Gulf
  [60, -85, 800, 120], // Hudson
  [24, -77, 320, 25], // Bahamas
  [-19, 117, 520, 90], // north-west Australia
  [58, 20, 500, 60], // Baltic
  [44, -66, 380, 110], // Gulf of Maine
  [70, 65, 700, 80], // Kara
  [22, -90, 260, 40], // Campeche
  [-36, -54, 420, 70], // La Plata
  [44.5, 14, 300, 50], // northern Adriatic
  [46, 36.5, 230, 10], // Azov
  [39, 119.5, 380, 22], // Bohai
] as const;
