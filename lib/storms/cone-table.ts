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

/**
 * Radius with which NHC's cones begin, km: 16 n mi, the table's entry for hour 3, around the position of the advisory. It is
 * the error of a position that is known, and the same in all tables, also in those that leave the entry out.
 */
export const CONE_START_KM = 16 * MILE_KM;

/** Until this hour a cone is as wide as at its start. */
const START_HOURS = 3;

/**
 * Radius of the cone at a forecast hour: that of its start until hour 3, then linear between the table's hours.
 *
 * @returns Km; null after the last hour of the table.
 */
export function coneRadiusKm({ radiiKm }: ConeTable, hour: number): number | null {
  let [before, low] = [START_HOURS, CONE_START_KM];
  if (hour <= before) return low;
  for (const [known, km] of radiiKm) {
    if (hour <= known) return low + ((km - low) * (hour - before)) / (known - before);
    [before, low] = [known, km];
  }
  return null;
}
