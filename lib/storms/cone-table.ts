import type { ConeSource } from "#lib/contract/storm-form.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { type ConeRow, coneHours, coneRows } from "./cone-radii.ts";

/** The cone radii of a basin. */
export interface ConeTable {
  source: Exclude<ConeSource, "jma">;
  /** The basin it is borrowed from; null if it is the basin's own. */
  sourceBasin: string | null;
  year: number;
  /** Forecast hour → radius, km; ascending. */
  radiiKm: ReadonlyMap<number, number>;
}

type TableBasin = keyof typeof coneRows;

/** Basins without a published table use that of the Atlantic, the largest. JMA's own circles are larger still. */
const BORROWED_FROM: TableBasin = "north_atlantic";

/**
 * The table for a storm: its basin's own of the newest season that is not after the storm's, or a borrowed one.
 *
 * @param basin As in the storm's entry, such as `west_pacific`.
 * @param season Season year of the storm.
 */
export function coneTable(basin: string, season: number): ConeTable {
  if (basin in coneRows) {
    const own = newest(coneRows[basin as TableBasin], season);
    // Some seasons of the Central Pacific are missing; those of the East Pacific follow the same rules.
    const neighbour = basin === "central_pacific" ? newest(coneRows.east_pacific, season) : undefined;
    if (own && (!neighbour || own.year >= neighbour.year)) return table(own, "nhc", null);
    if (neighbour) return table(neighbour, "borrowed_nhc", "east_pacific");
    return table(coneRows[basin as TableBasin].at(-1)!, "nhc", null);
  }
  const rows = coneRows[BORROWED_FROM];
  return table(newest(rows, season) ?? rows.at(-1)!, "borrowed_nhc", BORROWED_FROM);
}

function newest(rows: readonly ConeRow[], season: number): ConeRow | undefined {
  return rows.find(({ year }) => year <= season);
}

function table({ year, miles }: ConeRow, source: ConeTable["source"], sourceBasin: string | null): ConeTable {
  const radiiKm = new Map<number, number>();
  for (const [index, hour] of coneHours.entries()) {
    const radius = miles[index] ?? null;
    if (radius !== null) radiiKm.set(hour, radius * MILE_KM);
  }
  return { source, sourceBasin, year, radiiKm };
}

/** The 3-h entry lies above the line from hour 0, so it applies at its own hour only. */
const OWN_HOUR_ONLY = 3;

/**
 * Radius of the cone at a forecast hour: linear between the table's hours, 0 at hour 0.
 *
 * @returns Km; null after the last hour of the table.
 */
export function coneRadiusKm(table: ConeTable, hour: number): number | null {
  return table.radiiKm.get(hour) ?? interpolatedKm(table, hour);
}

/**
 * Radius with which a forecast hour enters the outline of the cone, km. NHC's own outline begins at the storm's position
 * and leaves out the table's circle at hour 3; there it is as wide as between hour 0 and hour 12.
 */
export function outlineRadiusKm(table: ConeTable, hour: number): number | null {
  return hour === OWN_HOUR_ONLY ? interpolatedKm(table, hour) : coneRadiusKm(table, hour);
}

function interpolatedKm({ radiiKm }: ConeTable, hour: number): number | null {
  let [before, after] = [0, Number.NaN];
  for (const known of radiiKm.keys()) {
    if (known === OWN_HOUR_ONLY) continue;
    if (known < hour) before = known;
    else {
      after = known;
      break;
    }
  }
  if (Number.isNaN(after)) return null;
  const low = radiiKm.get(before) ?? 0;
  return low + ((radiiKm.get(after)! - low) * (hour - before)) / (after - before);
}
