import { type Box, unionBox } from "@open-metocean/geo/box";
import { EdrQueryError, westernOf, withinGlobe } from "./queries.ts";

/** Geometry types that queries use. */
export const geometryTypes = [
  "POINT",
  "MULTIPOINT",
  "LINESTRING",
  "LINESTRINGM",
  "POLYGON",
  "MULTIPOLYGON",
] as const;

export type GeometryType = (typeof geometryTypes)[number];

/** A geometry as flat lists of numbers. */
export interface Geometry {
  type: GeometryType;
  /** Numbers per place: longitude and latitude, degrees; a LINESTRINGM also has Unix seconds. */
  stride: 2 | 3;
  /**
   * Consecutive places: one list for all points or for a line, one list per ring for polygons. Longitudes of
   * polygons may lie beyond 180°.
   */
  lists: number[][];
}

/** Nesting depth of lists in each type. */
const nesting: Readonly<Record<GeometryType, number>> = {
  POINT: 1,
  MULTIPOINT: 1,
  LINESTRING: 1,
  LINESTRINGM: 1,
  POLYGON: 2,
  MULTIPOLYGON: 3,
};

/** Places that are read between two pauses, about a millisecond of work. */
const PLACES_PER_TURN = 4096;

const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const WORD = /[A-Za-z]+/y;

/**
 * Reads Well Known Text (OGC 06-103r4) of the geometry types that queries use, and yields regularly so that
 * other work can run.
 *
 * @param allowed Types that the query accepts.
 * @param maxPlaces Most places that are accepted.
 * @param isLatitudeFirst Whether the first number of a place is its latitude.
 * @returns The geometry.
 * @throws TooManyPlacesError beyond `maxPlaces`.
 * @throws EdrQueryError for a text in another form.
 */
export function* readWkt(
  text: string,
  allowed: readonly GeometryType[],
  maxPlaces: number,
  isLatitudeFirst = false,
): Generator<void, Geometry, void> {
  const reader = new Reader(text, maxPlaces, isLatitudeFirst);
  const type = reader.type(allowed);
  const stride = type === "LINESTRINGM" ? 3 : 2;
  const lists: number[][] = [];
  yield* readLists(reader, nesting[type], stride, type, lists);
  reader.end();
  const places = lists.reduce((sum, list) => sum + list.length / stride, 0);
  if (type === "POINT" && places !== 1) throw new EdrQueryError("coords: POINT has one place");
  if (type.startsWith("LINESTRING") && places < 2)
    throw new EdrQueryError(`coords: ${type} has at least two places`);
  if (type.endsWith("POLYGON")) for (const ring of lists) checkRing(ring);
  return { type, stride, lists };
}

/** A geometry has more places than one request allows. */
export class TooManyPlacesError extends Error {
  override readonly name = "TooManyPlacesError";
  constructor(max: number) {
    super(`coords: at most ${max} places: send the rest in another request`);
  }
}

function* readLists(
  reader: Reader,
  depth: number,
  stride: number,
  type: GeometryType,
  into: number[][],
): Generator<void, void, void> {
  reader.take("(");
  const list: number[] = [];
  let sinceTurn = 0;
  do {
    if (depth > 1) {
      yield* readLists(reader, depth - 1, stride, type, into);
      continue;
    }
    // Both MULTIPOINT(1 2, 3 4) and MULTIPOINT((1 2), (3 4)) are in use.
    const isWrapped = type === "MULTIPOINT" && reader.takes("(");
    reader.place(stride, list, type.endsWith("POLYGON"));
    if (isWrapped) reader.take(")");
    if (++sinceTurn === PLACES_PER_TURN) {
      sinceTurn = 0;
      yield;
    }
  } while (reader.takes(","));
  reader.take(")");
  if (depth === 1) into.push(list);
}

function checkRing(ring: readonly number[]): void {
  if (ring.length < 8) throw new EdrQueryError("coords: a ring of a POLYGON has at least four places");
  if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1))
    throw new EdrQueryError("coords: a ring of a POLYGON ends where it began");
}

class Reader {
  #at = 0;
  #places = 0;
  readonly #text: string;
  readonly #maxPlaces: number;
  readonly #isLatitudeFirst: boolean;

  constructor(text: string, maxPlaces: number, isLatitudeFirst: boolean) {
    this.#text = text;
    this.#maxPlaces = maxPlaces;
    this.#isLatitudeFirst = isLatitudeFirst;
  }

  /** `LINESTRINGM` and `LINESTRING M` mean the same. */
  type(allowed: readonly GeometryType[]): GeometryType {
    const first = this.#match(WORD)?.toUpperCase() ?? "";
    const second = this.#match(WORD)?.toUpperCase() ?? "";
    const given = first + second;
    const found = allowed.find((type) => type === given);
    if (found) return found;
    const expected = `${allowed.slice(0, -1).join(", ")}${allowed.length > 1 ? " or " : ""}${allowed.at(-1)}`;
    const known = geometryTypes.some((type) => given.replace(/Z?M?$/, "") === type.replace(/M$/, ""));
    const heights = known && /ZM?$/.test(given) ? ": heights are not supported, use z for the wind" : "";
    throw new EdrQueryError(`coords: should be Well Known Text of ${expected}${heights}`);
  }

  /** Reads the numbers of a place. */
  place(stride: number, into: number[], isRing: boolean): void {
    if (++this.#places > this.#maxPlaces) throw new TooManyPlacesError(this.#maxPlaces);
    const [first, second] = [this.#number(), this.#number()];
    const [longitude, latitude] = this.#isLatitudeFirst ? [second, first] : [first, second];
    const [x, y] = this.#isLatitudeFirst ? ["second", "first"] : ["first", "second"];
    if (!(longitude >= -180 && longitude <= 360))
      this.#fail(`the longitude, which comes ${x}, is not in −180..180 or 0..360`);
    if (!(latitude >= -90 && latitude <= 90)) this.#fail(`the latitude, which comes ${y}, is not in −90..90`);
    // Edges of a polygon are straight in longitude, so its longitudes may continue beyond 180°.
    into.push(isRing ? longitude : westernOf(longitude), latitude);
    if (stride < 3) return;
    const seconds = this.#number();
    if (!Number.isSafeInteger(seconds)) this.#fail("M is not a whole number of seconds since 1970");
    into.push(seconds);
  }

  take(character: string): void {
    if (!this.takes(character)) this.#fail(`"${character}" is missing`);
  }

  takes(character: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  end(): void {
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#fail("nothing should follow");
  }

  #number(): number {
    const text = this.#match(NUMBER);
    if (text === undefined) return this.#fail("a number is missing");
    return Number(text) + 0;
  }

  #match(pattern: RegExp): string | undefined {
    if (pattern !== SPACE) this.#match(SPACE);
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(what: string): never {
    throw new EdrQueryError(`coords: ${what}, at character ${this.#at + 1}`);
  }
}

/** A ring: longitude and latitude interleaved, degrees; the last place repeats the first. */
type Ring = readonly number[];

/**
 * The bounding box of rings. If parts lie on both sides of the antimeridian, the box crosses it where that
 * box is smaller.
 */
export function boxOfRings(rings: readonly Ring[]): Box {
  return unionBox(rings.map(boxOfRing))!;
}

function boxOfRing(ring: Ring): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (let at = 0; at < ring.length; at += 2) {
    box.west = Math.min(box.west, ring[at]!);
    box.east = Math.max(box.east, ring[at]!);
    box.south = Math.min(box.south, ring[at + 1]!);
    box.north = Math.max(box.north, ring[at + 1]!);
  }
  // The whole box or a part of it may lie beyond 180°.
  return withinGlobe(box);
}

/** A node within this distance of an edge counts as on the edge, degrees. */
const EDGE = 1e-9;

/**
 * Which nodes of a grid lie inside rings, in the plane of the given longitudes and latitudes, by the even-odd
 * rule: inner rings are holes. Nodes on an edge are inside. Rings may continue beyond 180°.
 *
 * @param latitude Degrees north.
 * @param longitude Degrees east, −180..180.
 * @returns 1 inside, 0 outside, (rows, columns) row-major.
 */
export function nodesInside(
  rings: readonly Ring[],
  latitude: Float64Array,
  longitude: Float64Array,
): Uint8Array {
  const columns = longitude.length;
  const inside = new Uint8Array(latitude.length * columns);
  for (let row = 0; row < latitude.length; row++) {
    const spans = spansAt(rings, latitude[row]!);
    if (spans.length === 0) continue;
    const covers = (x: number) => {
      const [from, to] = spans[lastUpTo(spans, x + EDGE)] ?? [1, 0];
      return x >= from - EDGE && x <= to + EDGE;
    };
    for (let column = 0; column < columns; column++) {
      const x = longitude[column]!;
      if (covers(x) || covers(x + 360) || (x === 180 && covers(-x))) inside[row * columns + column] = 1;
    }
  }
  return inside;
}

/** Index of the last span that begins at or before `x`; −1 if all begin after it. */
function lastUpTo(spans: readonly [from: number, to: number][], x: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]![0] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The spans of a parallel that lie inside or on an edge, from west to east, without spans that lie within
 * others.
 */
function spansAt(rings: readonly Ring[], y: number): [from: number, to: number][] {
  const crossings: number[] = [];
  const spans: [number, number][] = [];
  for (const ring of rings)
    for (let at = 2; at < ring.length; at += 2) {
      const [x1, y1, x2, y2] = [ring[at - 2]!, ring[at - 1]!, ring[at]!, ring[at + 1]!];
      const [startsHere, endsHere] = [Math.abs(y1 - y) <= EDGE, Math.abs(y2 - y) <= EDGE];
      if (startsHere && endsHere) spans.push([Math.min(x1, x2), Math.max(x1, x2)]);
      else if (endsHere) spans.push([x2, x2]);
      if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  crossings.sort((a, b) => a - b);
  for (let at = 1; at < crossings.length; at += 2) spans.push([crossings[at - 1]!, crossings[at]!]);
  spans.sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [from, to] of spans) {
    const before = joined.at(-1);
    if (before && from <= before[1]) before[1] = Math.max(before[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
