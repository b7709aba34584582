import { createHash } from "node:crypto";
import type { NodeGrid } from "#server/ingest/regrid/node-grid.ts";
import type { GridPlacement } from "./axes.ts";
import type { NetcdfFile, NetcdfVariable } from "./file.ts";
import { readPacking, unpack } from "./packing.ts";

export type AxisKind = "latitude" | "longitude" | "time" | "level";

export function kindOf({ name, attributes }: NetcdfVariable): AxisKind | undefined {
  const units = textOf(attributes.units) ?? "";
  const standardName = textOf(attributes.standard_name) ?? "";
  // CF knows no coordinates that grow southwards or westwards, and files that have some are rare.
  if (/^degrees?_?(south|s|west|w)$/i.test(units)) return undefined;
  if (/^degrees?_?(north|n)$/i.test(units) || standardName === "latitude") return "latitude";
  if (/^degrees?_?(east|e)$/i.test(units) || standardName === "longitude") return "longitude";
  if (/\ssince\s/.test(units) && standardName !== "forecast_reference_time") return "time";
  if (attributes.positive !== undefined || attributes.axis === "Z") return "level";
  if (/^(height|depth|altitude)$/.test(standardName)) return "level";
  // Without units and standard name only the usual names remain.
  if (units === "" && /^(lat|latitude)$/i.test(name)) return "latitude";
  if (units === "" && /^(lon|longitude)$/i.test(name)) return "longitude";
  if (/^(depth|zlev|height|heightAboveGround)$/i.test(name)) return "level";
  return undefined;
}

/**
 * The coordinates of CF 5.2 that vary along both axes, of a variable whose last two dimensions are rows and columns.
 * Where they have a time axis too (WRF), they do not change.
 */
export function curvilinearNodes(file: NetcdfFile, variable: NetcdfVariable): NodeGrid | undefined {
  const [rows, columns] = variable.dimensions.slice(-2);
  const of = (kind: AxisKind) =>
    namedCoordinates(file, variable).find((other) => {
      const own = other.dimensions.slice(-2);
      return kindOf(other) === kind && own[0]?.name === rows?.name && own[1]?.name === columns?.name;
    });
  const [latitude, longitude] = [of("latitude"), of("longitude")];
  if (!latitude || !longitude || !rows || !columns) return undefined;
  const [y, x] = [latitude, longitude].map((one) => {
    const count = one.dimensions.map(({ length }, axis) => (axis < one.dimensions.length - 2 ? 1 : length));
    const start = count.map(() => 0);
    return unpack(file.read(one.name, start, count), readPacking(one));
  }) as [Float64Array, Float64Array];
  return {
    columns: columns.length,
    rows: rows.length,
    key: createHash("sha256").update(x).update(y).digest("hex"),
    eccentricity2: 0,
    at: (column, row) => [x[row * columns.length + column]!, y[row * columns.length + column]!],
  };
}

/** A time along a dimension that has no coordinate of its own name (WRF's XTIME). */
export function auxiliaryTime(file: NetcdfFile, variable: NetcdfVariable): string | undefined {
  return namedCoordinates(file, variable).find(
    (other) =>
      kindOf(other) === "time" &&
      other.dimensions.length === 1 &&
      !file.variables.has(other.dimensions[0]!.name) &&
      variable.dimensions.some(({ name }) => name === other.dimensions[0]!.name),
  )?.name;
}

function namedCoordinates(file: NetcdfFile, { attributes }: NetcdfVariable): NetcdfVariable[] {
  const names = textOf(attributes.coordinates)?.split(/\s+/) ?? [];
  return names.flatMap((name) => file.variables.get(name) ?? []);
}

/** Rows and columns as they are stored. */
export function inOrderOfFile({ columns, rows }: NodeGrid): GridPlacement {
  const grid = {
    latitude: { start: 0, step: 1, count: rows },
    longitude: { start: 0, step: 1, count: columns },
  };
  return { grid, flipRows: false, flipColumns: false, firstColumn: 0 };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value.trim() : undefined;
}
