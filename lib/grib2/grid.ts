import { type Axis, type Grid, normaliseLongitude, wraps } from "@open-metocean/geo/grid";
import { MISSING_32, type Octets, UnreadableError } from "./octets.ts";
import {
  type Ellipsoid,
  lambertConformal,
  mercator,
  type Projection,
  polarStereographic,
  rotatedPole,
} from "./regrid/projection.ts";
import { type NodeGrid, regularGridFor } from "./regrid/regrid.ts";
import type { Scan } from "./sections.ts";

/** Most points of a field: 0.033° around the globe. A larger field is damaged, or an attempt to exhaust the memory. */
const MAX_POINTS = 64 * 1024 * 1024;

const gridNames: Readonly<Record<number, string>> = {
  2: "a stretched latitude/longitude grid",
  3: "a rotated and stretched latitude/longitude grid",
  4: "a latitude/longitude grid of variable resolution",
  12: "a transverse Mercator grid",
  40: "a Gaussian grid",
  41: "a rotated Gaussian grid",
  50: "spherical harmonics",
  90: "a satellite view",
  101: "an unstructured grid",
  140: "a Lambert azimuthal grid",
};

const EDGE = 1e-9;

/** A grid as a message describes it. */
export interface MessageGrid {
  /**
   * South to north and west to east. For a grid that is not regular, it is the regular grid to which the values are
   * interpolated.
   */
  grid: Grid;
  /** Maps the message's order of points to the rows and columns of its grid. */
  scan: Scan;
  points: number;
  /** Places of the points of a grid that is not regular, with rows and columns in the order that `scan` leads to. */
  nodes?: NodeGrid;
}

/**
 * Reads section 3: a latitude/longitude grid (template 3.0) of any origin and scanning order, or a rotated one (3.1), a
 * Mercator (3.10), polar stereographic (3.20) or Lambert conformal one (3.30).
 *
 * A global grid is rotated so that its first column is the first at or east of −180.
 */
export function readGrid(section: Octets): MessageGrid {
  const template = section.unsigned16(13);
  if (section.unsigned8(6) !== 0)
    throw new UnreadableError("its grid is not in the message (a predefined grid)");
  if (![0, 1, 10, 20, 30].includes(template)) {
    const name = gridNames[template] ?? "a grid";
    throw new UnreadableError(
      `${name} (template 3.${template}) is not read, only latitude/longitude, rotated or not, Mercator, polar stereographic and Lambert conformal`,
    );
  }
  const columns = section.unsigned32(31);
  const rows = section.unsigned32(35);
  if (section.unsigned8(11) !== 0 || columns === MISSING_32 || rows === MISSING_32) {
    throw new UnreadableError("a reduced latitude/longitude grid (rows of different lengths) is not read");
  }
  const points = section.unsigned32(7);
  if (points === 0 || points > MAX_POINTS || columns * rows !== points) {
    throw new UnreadableError(
      `its grid of ${columns} × ${rows} does not make ${points} points (at most 64 Mi)`,
    );
  }
  const flags = section.unsigned8(scanOctet[template]!);
  if ((flags & 0x0f) !== 0) throw new UnreadableError("a grid with offset or shortened rows is not read");
  const scan: Scan = {
    columns,
    rows,
    westward: (flags & 0x80) !== 0,
    northward: (flags & 0x40) !== 0,
    byColumn: (flags & 0x20) !== 0,
    serpentine: (flags & 0x10) !== 0,
    firstColumn: 0,
  };
  if (template > 1) return { ...projected(projectedNodes(section, template, scan)), scan, points };
  const degrees = angleUnit(section);
  const latitude = latitudeAxis(section, scan, degrees);
  const longitude = longitudeAxis(section, scan, degrees);
  const grid = { latitude, longitude };
  if (template === 0) return { grid, scan, points };
  return { ...projected(rotatedNodes(section, grid)), scan, points };
}

/** Octet of the scanning mode. */
const scanOctet: Readonly<Record<number, number>> = { 0: 72, 1: 72, 10: 60, 20: 65, 30: 65 };

function projected(nodes: NodeGrid): { grid: Grid; nodes: NodeGrid } {
  const grid = regularGridFor(nodes);
  if (!grid) throw new UnreadableError("damaged: the corners of its grid are not on the globe");
  return { grid, nodes };
}

/** Unit of corners and increments, degrees. */
function angleUnit(section: Octets): number {
  const basicAngle = section.unsigned32(39);
  const subdivisions = section.unsigned32(43);
  if (basicAngle === 0 || basicAngle === MISSING_32) return 1e-6;
  if (subdivisions === 0 || subdivisions === MISSING_32)
    throw new UnreadableError("its unit of angle is not given");
  return basicAngle / subdivisions;
}

function latitudeAxis(section: Octets, scan: Scan, degrees: number): Axis {
  const first = section.signed32(47) * degrees;
  const last = section.signed32(56) * degrees;
  const [south, north] = scan.northward ? [first, last] : [last, first];
  if (!(south >= -90 - EDGE && north <= 90 + EDGE && south <= north)) {
    throw new UnreadableError(`its latitudes from ${first} to ${last} contradict its scanning order`);
  }
  const step = stepOf("latitude", north - south, scan.rows, section.unsigned32(68), degrees);
  return { start: tidy(south), step, count: scan.rows };
}

function longitudeAxis(section: Octets, scan: Scan, degrees: number): Axis {
  const first = section.signed32(51) * degrees;
  const last = section.signed32(60) * degrees;
  if (!(Math.abs(first) <= 360 + EDGE && Math.abs(last) <= 360 + EDGE)) {
    throw new UnreadableError(`its longitudes from ${first} to ${last} are off the globe`);
  }
  const [west, east] = scan.westward ? [last, first] : [first, last];
  let span = (((east - west) % 360) + 360) % 360;
  // A span of 0 means that the first meridian is repeated at the end.
  if (span < EDGE && scan.columns > 1) span = 360;
  const step = stepOf("longitude", span, scan.columns, section.unsigned32(64), degrees);
  const axis: Axis = { start: tidy(normaliseLongitude(tidy(west))), step, count: scan.columns };
  if (!wraps(axis)) return axis;
  // Increments are rounded to a millionth of a degree, so 2160 times 0.166667 is not exactly 360.
  if (Math.abs(step * axis.count - 360) < step * 1e-3) axis.step = 360 / axis.count;
  scan.firstColumn = Math.ceil((180 - axis.start) / axis.step - 1e-6) % axis.count;
  axis.start = tidy(normaliseLongitude(tidy(axis.start + scan.firstColumn * axis.step)));
  return axis;
}

/**
 * Returns the step between the corners, which is more precise than the rounded increment. Both must describe the same
 * grid.
 */
function stepOf(axis: string, span: number, count: number, increment: number, degrees: number): number {
  const given = increment === MISSING_32 || increment === 0 ? undefined : increment * degrees;
  if (count === 1) return given !== undefined && given < 180 ? given : 1;
  const step = span / (count - 1);
  if (!(step > EDGE) || (given !== undefined && Math.abs(step - given) * (count - 1) > step / 2)) {
    throw new UnreadableError(
      `its ${axis} corners, ${span}° apart, do not fit ${count} nodes at ${given ?? 0}°`,
    );
  }
  return tidy(step);
}

/** Removes floating-point noise of sums of decimal fractions: 359.75 − 360, 1e-6 · 250000. */
function tidy(angle: number): number {
  const rounded = Math.round(angle * 1e9) / 1e9;
  return Math.abs(rounded - angle) < 1e-11 ? rounded : angle;
}

const MICRO = 1e-6;

/**
 * Whether components of vectors are relative to the columns and rows of the grid, not to east and north (flag table
 * 3.3).
 */
export function componentsAreGridRelative(section: Octets): boolean {
  return (section.unsigned8(section.unsigned16(13) === 1 ? 55 : 47) & 0x08) !== 0;
}

/** The points of a rotated grid (template 3.1). @param grid Its rotated latitudes and longitudes. */
function rotatedNodes(section: Octets, { latitude, longitude }: Grid): NodeGrid {
  if (section.unsigned32(81) !== 0)
    throw new UnreadableError("a grid that is also turned about its pole is not read");
  const pole = [section.signed32(77) * MICRO, section.signed32(73) * MICRO] as const;
  return nodesOf(section, rotatedPole(pole), longitude, latitude, 0);
}

/** The points of a Mercator (3.10), polar stereographic (3.20) or Lambert conformal grid (3.30). */
function projectedNodes(section: Octets, template: number, scan: Scan): NodeGrid {
  const ellipsoid = readEllipsoid(section);
  const first = [section.signed32(43) * MICRO, section.signed32(39) * MICRO] as const;
  const trueAt = section.signed32(48) * MICRO;
  if (template === 10) {
    if (section.unsigned32(61) !== 0) throw new UnreadableError("a turned Mercator grid is not read");
    return inPlane(section, mercator(ellipsoid, first[0], trueAt), ellipsoid, first, scan, 65);
  }
  const upright = section.signed32(52) * MICRO;
  if (template === 20) {
    const isSouth = (section.unsigned8(64) & 0x80) !== 0;
    const projection = polarStereographic(ellipsoid, upright, isSouth ? -Math.abs(trueAt) : Math.abs(trueAt));
    return inPlane(section, projection, ellipsoid, first, scan, 56);
  }
  const parallels = [section.signed32(66) * MICRO, section.signed32(70) * MICRO] as const;
  if (!(Math.abs(parallels[0] + parallels[1]) > 1e-6))
    throw new UnreadableError("damaged: the standard parallels of its grid make no cone");
  return inPlane(section, lambertConformal(ellipsoid, upright, parallels), ellipsoid, first, scan, 56);
}

/** @param increments Octet of the distance of columns, which that of rows follows; millimetres. */
function inPlane(
  section: Octets,
  projection: Projection,
  { eccentricity }: Ellipsoid,
  first: readonly [longitude: number, latitude: number],
  { columns, rows, westward, northward }: Scan,
  increments: number,
): NodeGrid {
  const [x, y] = projection.toPlane(...first);
  const dx = section.unsigned32(increments) / 1000;
  const dy = section.unsigned32(increments + 4) / 1000;
  const across = { start: westward ? x - (columns - 1) * dx : x, step: dx, count: columns };
  const along = { start: northward ? y : y - (rows - 1) * dy, step: dy, count: rows };
  return nodesOf(section, projection, across, along, eccentricity ** 2);
}

function nodesOf(
  section: Octets,
  projection: Projection,
  across: Axis,
  along: Axis,
  eccentricity2: number,
): NodeGrid {
  return {
    columns: across.count,
    rows: along.count,
    key: section.toHex(),
    eccentricity2,
    at: (column, row) =>
      projection.toEarth(across.start + column * across.step, along.start + row * along.step),
  };
}

/** Figures of the earth with their own number in code table 3.2: half axes, metres. */
const figures: Readonly<Record<number, readonly [a: number, b: number]>> = {
  0: [6_367_470, 6_367_470],
  2: [6_378_160, 6_356_775],
  4: [6_378_137, 6_356_752.314_140_347],
  5: [6_378_137, 6_356_752.314_245_18],
  6: [6_371_229, 6_371_229],
  8: [6_371_200, 6_371_200],
};

function readEllipsoid(section: Octets): Ellipsoid {
  const shape = section.unsigned8(15);
  const scaled = (octet: number) => section.unsigned32(octet + 1) / 10 ** section.signed8(octet);
  let axes = figures[shape];
  if (shape === 1) axes = [scaled(16), scaled(16)];
  else if (shape === 3) axes = [scaled(21) * 1000, scaled(26) * 1000];
  else if (shape === 7) axes = [scaled(21), scaled(26)];
  if (!axes) throw new UnreadableError(`a grid on an earth of shape ${shape} (code table 3.2) is not read`);
  const [a, b] = axes;
  if (!(a >= b && b > 6e6 && a < 7e6))
    throw new UnreadableError("damaged: its earth is of an impossible size");
  return { radius: a, eccentricity: Math.sqrt(1 - (b / a) ** 2) };
}
