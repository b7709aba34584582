import { distanceKm, greatCircle, MILE_KM, type Place, placeOf, RADIANS } from "@open-metocean/geo/sphere";
import { legsOf, type Waypoint } from "#lib/passage/march.ts";
import type { Leg } from "#lib/passage/route.ts";
import {
  CELL_DEGREES,
  COLUMNS,
  type Coastline,
  type CoastNear,
  columnOf,
  hasBit,
  placeIn,
  ROWS,
  rowOf,
  wrapped,
} from "./coastline.ts";
import { type Exempt, keepsOffing, OFFING_MILES, offset, UNCOUNTED_MILES } from "./offing.ts";

/**
 * Length of the parts in which a great circle is followed, n mi; they are practically straight on the raster.
 */
const PART_MILES = 10;

/** Within this distance of its ends a way may come as close to the coast as necessary, n mi. */
const HARBOUR_MILES = 10;

/** Positions at which water is searched in a cell with a coast, as shares of the cell, the middle first. */
const TRIES = [0.5, 0.25, 0.75, 0.1, 0.9];

/** Land and sea in cells of 0.05°, and the line of the coast in some of them. */
interface CoastData {
  /** One bit per cell that a route avoids: land, and cells near the coast that are not part of a strait. */
  closed: Uint8Array;
  /** One bit per cell that the coast touches. */
  coastal: Uint8Array;
  coastline: Coastline;
}

interface Area {
  south: number;
  north: number;
  west: number;
  /** East edge, degrees; its turn around the Earth is the same as that of the west edge. */
  east: number;
}

type Kind = "sea" | "closed" | "by_line";

/** Distances that routes keep from the coast. @see line The same coast, of which only the line counts. */
interface Keeping {
  exempt: Exempt;
  line: Coast;
}

/**
 * The obstacles that a route avoids. A cell that the coast touches is closed as a whole, so that a route
 * passes capes at some distance; where that would close a strait, the line of the coast decides.
 */
export class Coast {
  readonly #data: CoastData;
  /** Areas in which only the line of the coast counts. */
  readonly #byLine: readonly Area[] | "everywhere";
  /** Distance in blocks to the nearest block with land or coast, for each block. */
  readonly #open: Uint8Array;
  /** If set, ways keep a mile off the coast where there is room, except near the exempt places. */
  readonly #keeps: Keeping | undefined;

  constructor(
    data: CoastData,
    byLine: readonly Area[] | "everywhere" = [],
    open?: Uint8Array,
    keeps?: Keeping,
  ) {
    this.#data = data;
    this.#byLine = byLine;
    this.#open = open ?? openBlocks(data.closed, data.coastal);
    this.#keeps = keeps;
  }

  /** The same coast, of which only the line counts: places inside it are land, all others are sea. */
  get line(): Coast {
    return new Coast(this.#data, "everywhere", this.#open);
  }

  /** The same coast for a way between places in harbours, near which only its line counts. */
  near(places: readonly Place[]): Coast {
    return new Coast(
      this.#data,
      places.map((place) => areaAround(place, HARBOUR_MILES)),
      this.#open,
    );
  }

  /**
   * The same as `near`, for a way that also keeps a mile off the coast where there is room, at more than 5 n mi from
   * the ends.
   */
  offingNear(places: readonly Place[]): Coast {
    const areas = places.map((place) => areaAround(place, HARBOUR_MILES));
    const isStrait = ({ latitude, longitude }: Place) =>
      this.isByLine(rowOf(latitude), Math.floor(columnOf(longitude)));
    return new Coast(this.#data, areas, this.#open, { exempt: { ends: places, isStrait }, line: this.line });
  }

  isLand(place: Place): boolean {
    const kind = this.#kindOf(rowOf(place.latitude), Math.floor(columnOf(place.longitude)));
    return kind === "by_line" ? this.#data.coastline.isLand(place) : kind === "closed";
  }

  /** Whether a cell has neither land nor coast. @param column Column in any turn around the Earth. */
  isSea(row: number, column: number): boolean {
    return this.#kindOf(row, column) === "sea";
  }

  /** Whether the line of the coast decides in a cell, as at a strait and near the ends of a way. */
  isByLine(row: number, column: number): boolean {
    return this.#kindOf(row, column) === "by_line";
  }

  /**
   * A place on water in a cell or a part of one, as near to its middle as is known; undefined if there is
   * none or the cell is closed.
   *
   * @param row, column South-west corner.
   * @param side Size of the part, as a share of a cell.
   */
  waterIn(row: number, column: number, side = 1): Place | undefined {
    const kind = this.#kindOf(Math.floor(row), Math.floor(column));
    if (kind === "closed") return undefined;
    if (kind === "sea") return this.#withOffing(placeIn(row, column, side / 2, side / 2));
    for (const up of TRIES)
      for (const right of TRIES) {
        const place = placeIn(row, column, side * up, side * right);
        if (!this.#data.coastline.isLand(place)) return this.#withOffing(place);
      }
    return undefined;
  }

  /**
   * A place on water, moved off the coast if a way has to keep its distance; undefined if that is not
   * possible.
   */
  #withOffing(place: Place): Place | undefined {
    if (!this.#keeps || this.#keepsOffing(place, place)) return place;
    const { line } = this.#keeps;
    let best = { place, miles: 0 };
    const near = line.nearestCoastTo(place);
    if (!near || near.miles === 0) return undefined;
    // The place moves at most to the middle of a strait.
    for (let by = 0; by < 2 * OFFING_MILES; by += OFFING_MILES / 20) {
      const [north, east] = [(-by * near.north) / near.miles, (-by * near.east) / near.miles];
      const moved = offset(place, north, east);
      const miles = line.nearestCoastTo(moved)?.miles ?? Number.POSITIVE_INFINITY;
      if (miles <= best.miles || miles > 1.3 * OFFING_MILES) break;
      best = { place: moved, miles };
    }
    return best.miles >= OFFING_MILES && !this.isLand(best.place) ? best.place : undefined;
  }

  /** Whether a great circle is clear of land and of closed cells, including those of its ends. */
  isClear(from: Place, to: Place): boolean {
    const miles = distanceKm(from, to) / MILE_KM;
    const place = miles > PART_MILES ? greatCircle(from, to) : undefined;
    let at = from;
    for (let gone = 0; ; ) {
      const open = this.openMiles(at);
      if (gone === 0 && open === 0 && this.isLand(from)) return false;
      const next = Math.min(miles, gone + Math.max(PART_MILES, open));
      const end = next === miles || !place ? to : placeOf(place(next / miles));
      if (next - gone > open && !(this.#isClearPart(at, end) && this.#keepsOffing(at, end))) return false;
      if (next === miles) return true;
      [gone, at] = [next, end];
    }
  }

  /** Approximately the nearest place on water; undefined if there is none within the radius, n mi. */
  nearestWater(place: Place, withinMiles: number): Place | undefined {
    if (!this.isLand(place)) return place;
    const { south, north, west, east } = areaAround(place, withinMiles);
    let [best, found]: [number, Place | undefined] = [withinMiles * MILE_KM, undefined];
    for (let row = south; row <= north; row++)
      for (let column = west; column <= east; column++) {
        const middle = placeIn(row, column, 0.5, 0.5);
        // The water of a cell may be this much nearer than its middle.
        if (distanceKm(place, middle) - 0.75 * CELL_DEGREES * 60 * MILE_KM >= best) continue;
        const water = this.waterIn(row, column);
        if (!water) continue;
        const km = distanceKm(place, water);
        if (km < best) [best, found] = [km, water];
      }
    return found;
  }

  /** The nearest point of the coastline; undefined if none lies within a cell of 3 n mi. */
  nearestCoastTo(place: Place): CoastNear | undefined {
    const [y, x] = [(place.latitude + 90) / CELL_DEGREES, columnOf(place.longitude)];
    const [row, column] = [rowOf(place.latitude), Math.floor(x)];
    const across = Math.ceil(1 / Math.max(0.05, Math.cos(place.latitude * RADIANS)));
    const shrink = Math.cos(place.latitude * RADIANS);
    let found: CoastNear | undefined;
    // The cell of the place first, then those around it: of cells with many edges only the nearest are looked through.
    for (let up = 0; up <= 1; up++)
      for (let right = 0; right <= across; right++)
        for (const r of up === 0 ? [row] : [row - 1, row + 1])
          for (const c of right === 0 ? [column] : [column - right, column + right]) {
            if (r < 0 || r >= ROWS || !hasBit(this.#data.coastal, r * COLUMNS + wrapped(c))) continue;
            const most = found?.miles ?? CELL_DEGREES * 60;
            const [north, east] = [Math.max(r - y, y - r - 1, 0), Math.max(c - x, x - c - 1, 0) * shrink];
            if (Math.sqrt(north * north + east * east) * CELL_DEGREES * 60 >= most) continue;
            const near = this.#data.coastline.nearestIn(r, c, x, y);
            if (near && near.miles < most) found = near;
          }
    return found;
  }

  #kindOf(row: number, column: number): Kind {
    const cell = row * COLUMNS + wrapped(column);
    const isCoastal = hasBit(this.#data.coastal, cell);
    if (!hasBit(this.#data.closed, cell)) return isCoastal ? "by_line" : "sea";
    return isCoastal && this.#countsByLine(row, column) ? "by_line" : "closed";
  }

  #countsByLine(row: number, column: number): boolean {
    return (
      this.#byLine === "everywhere" ||
      this.#byLine.some(
        ({ south, north, west, east }) =>
          row >= south && row <= north && wrapped(column - west) <= east - west,
      )
    );
  }

  /** Distance around a place that is known to be free of land, n mi. */
  openMiles({ latitude, longitude }: Place): number {
    const open = this.#open[blockOf(rowOf(latitude), Math.floor(columnOf(longitude)))]!;
    // This is half of the distance that meridians allow here, because they converge along the way.
    return open <= 1 ? 0 : 30 * (open - 1) * Math.cos(latitude * RADIANS);
  }

  #keepsOffing(from: Place, to: Place): boolean {
    return !this.#keeps || keepsOffing(from, to, this.#keeps.exempt, this.#keeps.line);
  }

  /**
   * Whether a straight line on the raster is clear, by checking every cell that it touches (Amanatides and
   * Woo 1987).
   */
  #isClearPart(from: Place, to: Place): boolean {
    const [y0, y1] = [(from.latitude + 90) / CELL_DEGREES, (to.latitude + 90) / CELL_DEGREES];
    const x0 = columnOf(from.longitude);
    let dx = columnOf(to.longitude) - x0;
    if (dx > COLUMNS / 2) dx -= COLUMNS;
    if (dx < -COLUMNS / 2) dx += COLUMNS;
    const dy = y1 - y0;
    const line = [x0, y0, x0 + dx, y1] as const;
    let [row, column] = [Math.min(ROWS - 1, Math.floor(y0)), Math.floor(x0)];
    const [lastRow, lastColumn] = [Math.min(ROWS - 1, Math.floor(y1)), Math.floor(x0 + dx)];
    const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
    let nextX =
      dx === 0 ? Number.POSITIVE_INFINITY : (stepX > 0 ? column + 1 - x0 : x0 - column) / Math.abs(dx);
    let nextY = dy === 0 ? Number.POSITIVE_INFINITY : (stepY > 0 ? row + 1 - y0 : y0 - row) / Math.abs(dy);
    for (let left = Math.abs(lastRow - row) + Math.abs(lastColumn - column); ; left--) {
      const kind = this.#kindOf(row, column);
      if (kind === "closed") return false;
      if (kind === "by_line" && this.#data.coastline.meets(row, column, line)) return false;
      if (left <= 0) return true;
      if (nextX < nextY) {
        column += stepX;
        nextX += 1 / Math.abs(dx);
      } else {
        row = Math.max(0, Math.min(ROWS - 1, row + stepY));
        nextY += 1 / Math.abs(dy);
      }
    }
  }
}

function areaAround({ latitude, longitude }: Place, miles: number): Area {
  const rows = Math.ceil(miles / 60 / CELL_DEGREES);
  const [row, column] = [rowOf(latitude), Math.floor(columnOf(longitude))];
  const stretch = 1 / Math.max(0.05, Math.cos(latitude * RADIANS));
  const columns = Math.min(COLUMNS / 2 - 1, Math.ceil(rows * stretch));
  return {
    south: Math.max(0, row - rows),
    north: Math.min(ROWS - 1, row + rows),
    west: column - columns,
    east: column + columns,
  };
}

/**
 * Approximate length of the parts in which a leg is followed, and of the samples where it meets the coast, n
 * mi.
 */
const [LEG_PART_MILES, SAMPLE_MILES] = [10, 0.25];

/**
 * Most samples of a route. Longer routes get longer samples, because a request may have hundreds of thousands
 * of miles.
 */
const MAX_SAMPLES = 40_000;

export interface LandOnLeg {
  /** Position of the leg in the route, from 0. */
  leg: number;
  /** Where the leg first meets land, and the distance from its start, n mi. */
  at: Place;
  gone: number;
  /** Length of the leg over land, n mi; 0 where it only touches a spit or an islet. */
  miles: number;
}

export function crossesLand(route: readonly Waypoint[], coast: Coast): boolean {
  return landOnRoute(legsOf(route), coast).length > 0;
}

/**
 * Legs that cross land, leaving out 2 n mi at both ends of the route. @param coast Coast of which only the
 * line counts.
 */
export function landOnRoute(legs: readonly Leg[], coast: Coast): LandOnLeg[] {
  const found: LandOnLeg[] = [];
  const sampleMiles = sampleMilesOf(legs);
  for (const part of partsOf(legs, LEG_PART_MILES)) {
    if (coast.isClear(part.from, part.to)) continue;
    for (const sample of partsOf(legs, sampleMiles, part)) {
      if (sample.fromEnds < UNCOUNTED_MILES) continue;
      const isLand = coast.isLand(sample.middle);
      if (!isLand && coast.isClear(sample.from, sample.to)) continue;
      let last = found.at(-1);
      if (last?.leg !== sample.leg) {
        last = { leg: sample.leg, at: sample.middle, gone: sample.gone, miles: 0 };
        found.push(last);
      }
      if (isLand) last.miles += sample.miles;
    }
  }
  return found;
}

function sampleMilesOf(legs: readonly Leg[]): number {
  return Math.max(SAMPLE_MILES, legs.reduce((sum, { miles }) => sum + miles, 0) / MAX_SAMPLES);
}

interface Part {
  leg: number;
  from: Place;
  to: Place;
  middle: Place;
  /** Distance from the start of the leg to the middle of the part, n mi. */
  gone: number;
  miles: number;
  /** Great-circle distance of the middle from the nearer end of the route, n mi. */
  fromEnds: number;
  begin: number;
  end: number;
}

/** Cuts legs into parts of about equal length. @param within Only this part is cut. */
function* partsOf(
  legs: readonly Leg[],
  partMiles: number,
  within?: Pick<Part, "leg" | "begin" | "end">,
): Generator<Part> {
  const [first, last] = [legs[0]?.at(0), legs.at(-1)?.at(1)];
  if (!first || !last) return;
  const fromEnds = (place: Place) => Math.min(distanceKm(place, first), distanceKm(place, last)) / MILE_KM;
  for (const [leg, { miles: whole, at }] of legs.entries()) {
    if (within && within.leg !== leg) continue;
    const { begin: low, end: high } = within ?? { begin: 0, end: 1 };
    const count = Math.max(1, Math.ceil((whole * (high - low)) / partMiles));
    const shareAt = (index: number) => low + ((high - low) * index) / count;
    for (let index = 0; whole > 0 && index < count; index++) {
      const [begin, end] = [shareAt(index), shareAt(index + 1)];
      const share = (begin + end) / 2;
      const middle = at(share);
      yield {
        leg,
        begin,
        end,
        from: at(begin),
        to: at(end),
        middle,
        gone: share * whole,
        miles: whole * (end - begin),
        fromEnds: fromEnds(middle),
      };
    }
  }
}

/** Cells along the side of a block. Blocks tell how far away the nearest land is. */
const BLOCK = 20;
const [BLOCK_ROWS, BLOCK_COLUMNS] = [ROWS / BLOCK, COLUMNS / BLOCK];
const WIDTH = COLUMNS / 8;
/** Blocks around each that are searched for land. */
const FARTHEST = 12;

/**
 * For each block of the raster, how many blocks in all directions, itself included, have neither land nor
 * coast.
 */
function openBlocks(...masks: readonly Uint8Array[]): Uint8Array {
  const hasLand = new Uint8Array(BLOCK_ROWS * BLOCK_COLUMNS);
  for (const bits of masks)
    for (let row = 0; row < ROWS; row++) {
      const blocks = Math.floor(row / BLOCK) * BLOCK_COLUMNS;
      for (let at = 0; at < WIDTH; at++) {
        if (bits[row * WIDTH + at] === 0) continue;
        // The eight cells of a byte lie in at most two blocks.
        hasLand[blocks + Math.floor((at * 8) / BLOCK)] = 1;
        hasLand[blocks + Math.floor((at * 8 + 7) / BLOCK)] = 1;
      }
    }
  const open = new Uint8Array(hasLand.length);
  let free: Uint8Array = hasLand.map((land) => 1 - land);
  for (let radius = 1; radius <= FARTHEST; radius++) {
    for (let block = 0; block < open.length; block++) open[block]! += free[block]!;
    free = shrunk(free);
  }
  return open;
}

function blockOf(row: number, column: number): number {
  return Math.floor(row / BLOCK) * BLOCK_COLUMNS + Math.floor(wrapped(column) / BLOCK);
}

/** Blocks that are free and surrounded by eight free blocks. */
function shrunk(free: Uint8Array): Uint8Array {
  return free.map((one, block) => {
    if (one === 0) return 0;
    const [row, column] = [Math.floor(block / BLOCK_COLUMNS), block % BLOCK_COLUMNS];
    for (let r = Math.max(0, row - 1); r <= Math.min(BLOCK_ROWS - 1, row + 1); r++)
      for (let c = column - 1; c <= column + 1; c++)
        if (free[r * BLOCK_COLUMNS + wrapped(c, BLOCK_COLUMNS)] === 0) return 0;
    return 1;
  });
}
