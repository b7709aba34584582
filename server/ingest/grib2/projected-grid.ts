import type { Axis, Grid } from "#lib/field/grid.ts";
import type { NodeGrid } from "#server/ingest/regrid/node-grid.ts";
import {
  type Ellipsoid,
  lambertConformal,
  mercator,
  type Projection,
  polarStereographic,
  rotatedPole,
} from "#server/ingest/regrid/projection.ts";
import type { Scan } from "./field.ts";
import { UnreadableError } from "./grib-error.ts";
import type { Octets } from "./octets.ts";

const MICRO = 1e-6;

/** Whether components of vectors are along the columns and rows of the grid, not toward east and north (flag table 3.3). */
export function componentsAreGridRelative(section: Octets): boolean {
  return (section.unsigned8(section.unsigned16(13) === 1 ? 55 : 47) & 0x08) !== 0;
}

/** The points of a rotated grid (template 3.1). @param grid Its rotated latitudes and longitudes. */
export function rotatedNodes(section: Octets, { latitude, longitude }: Grid): NodeGrid {
  if (section.unsigned32(81) !== 0)
    throw new UnreadableError("a grid that is also turned about its pole is not read");
  const pole = [section.signed32(77) * MICRO, section.signed32(73) * MICRO] as const;
  return nodesOf(section, rotatedPole(pole), longitude, latitude, 0);
}

/** The points of a Mercator (3.10), polar stereographic (3.20) or Lambert conformal grid (3.30). */
export function projectedNodes(section: Octets, template: number, scan: Scan): NodeGrid {
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

/** @param increments Octet of the distance of columns, after which that of rows follows; millimetres. */
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

/** The figure of the earth (code table 3.2). */
function readEllipsoid(section: Octets): Ellipsoid {
  const shape = section.unsigned8(15);
  const scaled = (octet: number) => section.unsigned32(octet + 1) / 10 ** section.signed8(octet);
  const oblate = (a: number, b: number): Ellipsoid => {
    if (!(a >= b && b > 6e6 && a < 7e6))
      throw new UnreadableError("damaged: its earth is of an impossible size");
    return { radius: a, eccentricity: Math.sqrt(1 - (b / a) ** 2) };
  };
  switch (shape) {
    case 0:
      return oblate(6_367_470, 6_367_470);
    case 1:
      return oblate(scaled(16), scaled(16));
    case 2:
      return oblate(6_378_160, 6_356_775);
    case 3:
      return oblate(scaled(21) * 1000, scaled(26) * 1000);
    case 4:
      return oblate(6_378_137, 6_356_752.314_140_347);
    case 5:
      return oblate(6_378_137, 6_356_752.314_245_18);
    case 6:
      return oblate(6_371_229, 6_371_229);
    case 7:
      return oblate(scaled(21), scaled(26));
    case 8:
      return oblate(6_371_200, 6_371_200);
    default:
      throw new UnreadableError(`a grid on an earth of shape ${shape} (code table 3.2) is not read`);
  }
}
