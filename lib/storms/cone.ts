import type { ConeSource, ForecastPoint, StormCone, StormEntry, TrackPoint } from "#lib/contract/storms.ts";
import { simplified, unwrappedLine } from "#lib/geo/ring.ts";
import { between, distanceKm, MILE_KM, type Place, toArc } from "#lib/geo/sphere.ts";
import { type Disc, sweptArea } from "#lib/geo/swept-area.ts";
import { ofWire, tenths, toWire } from "./wire.ts";

/** Largest distance of the centre line from the forecast centres, km. */
const CENTER_LINE_KM = 10;

/** Circles between two forecast centres. With three times as many, the area changes by less than 0.1 %. */
const CIRCLES_PER_INTERVAL = 4;

interface ConeInput {
  basin: string;
  /** Table of the radii; undefined for the provider's own circles. */
  table: ConeTable | undefined;
  /** Sorted by time. */
  points: readonly ForecastPoint[];
  /** Centre at hour 0 if the forecast itself has none. */
  start: Place | undefined;
}

/**
 * The cone of a forecast: the area that its circles sweep from the centre at hour 0 along a smooth curve, as
 * NHC draws it.
 *
 * @returns undefined if no point of the forecast has a circle.
 */
export function stormCone({ basin, table, points, start }: ConeInput): StormCone | undefined {
  const circles = points.flatMap(({ fhr, lat, lon, cone_radius_km: radius }) =>
    radius == null ? [] : [{ fhr, lat, lon, r_km: radius }],
  );
  if (circles.length === 0) return undefined;
  const centres = points.map(ofWire);
  if (start && points[0]!.fhr > 0) centres.unshift(start);
  const first = points[0]!.fhr === 0 ? ofWire(points[0]!) : start;
  return {
    basin,
    source: table?.source ?? "jma",
    source_basin: table?.sourceBasin ?? null,
    year: table?.year ?? null,
    radii_table_km: table
      ? Object.fromEntries([...table.radiiKm].map(([hour, km]) => [String(hour), tenths(km)]))
      : null,
    circles,
    center_line: centerLine(centres).map(toWire),
    envelope_polygon: table
      ? (sweptArea(alongCurve(discsOf(circles, first, CONE_START_KM)))?.map(toWire) ?? null)
      : null,
  };
}

/**
 * Radius at hour 0 for storms of the JMA, which states none, km; it is smaller than the rounding of the
 * position.
 */
const JMA_START_KM = 2;

/**
 * Outline of a cone for the map and for export: the published one, or for the JMA, which publishes none, the
 * same construction around its circles.
 *
 * @returns Closed, counter-clockwise; null if there is none.
 */
export function coneOutline({ cone, tracks }: Pick<StormEntry, "cone" | "tracks">): Place[] | null {
  if (!cone) return null;
  if (cone.envelope_polygon) return cone.envelope_polygon.map(ofWire);
  const first = tracks.forecast!.points[0]!;
  const start = first.fhr === 0 ? ofWire(first) : centreAt(tracks.observed, tracks.forecast!.issued_at);
  return sweptArea(discsOf(cone.circles, start, JMA_START_KM));
}

/** Observed position at or last before a time. @param time Unix seconds. */
export function centreAt(observed: readonly TrackPoint[], time: number): Place | undefined {
  const fix = observed.findLast((point) => point.time <= time);
  return fix && ofWire(fix);
}

function discsOf(circles: StormCone["circles"], start: Place | undefined, startKm: number): Disc[] {
  const discs = circles.map((circle) => ({ ...ofWire(circle), km: circle.r_km }));
  return start ? [{ ...start, km: startKm }, ...discs] : discs;
}

/**
 * Circles along a Catmull–Rom curve through the centres in latitude and longitude, with one parameter unit
 * between consecutive centres; radii are linear between them. NHC does not publish its construction. This one
 * shares 99 % of its area with published outlines; straight lines between centres share 97 % where a track
 * curves.
 */
function alongCurve(discs: readonly Disc[]): Disc[] {
  const line = unwrappedLine(discs);
  const at = (index: number) => line[Math.max(0, Math.min(line.length - 1, index))]!;
  const between = (index: number, share: number): Disc => {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    // The slope at a centre is the mean over both sides; at the ends it is that of the only side.
    const enters = share * (1 - share) ** 2 * (before === from ? 1 : 0.5);
    const leaves = share ** 2 * (share - 1) * (after === to ? 1 : 0.5);
    const reached = share ** 2 * (3 - 2 * share);
    const along = (of: (disc: Disc) => number) =>
      of(from) +
      reached * (of(to) - of(from)) +
      enters * (of(to) - of(before)) +
      leaves * (of(after) - of(from));
    return {
      latitude: along(({ latitude }) => latitude),
      longitude: along(({ longitude }) => longitude),
      km: from.km + (to.km - from.km) * share,
    };
  };
  const shares = Array.from({ length: CIRCLES_PER_INTERVAL }, (_, step) => step / CIRCLES_PER_INTERVAL);
  const curve = line.slice(1).flatMap((_, index) => shares.map((share) => between(index, share)));
  return [...curve, ...line.slice(-1)];
}

/** The fewest of the centres whose line stays within 10 km of all of them. */
function centerLine(centres: readonly Place[]): Place[] {
  const deviation = (from: number, to: number) => (at: number) =>
    toArc(centres[at]!, centres[from]!, centres[to]!).km;
  return simplified(centres.length, deviation, CENTER_LINE_KM).kept.map((index) => centres[index]!);
}

/** Largest spacing of the discs along the line, km. The edge between two of them is then accurate to 50 m. */
const STEP_KM = 100;

/**
 * All places within a distance of a line: the corridor of a formation alert, both sides of a great circle
 * with round ends.
 *
 * @param line One place (the corridor is a circle) or the two ends of the great circle.
 * @param halfWidthKm Distance of the edge from the line, km.
 * @returns Closed ring in counter-clockwise order, longitudes in −180..180, within 1 km if drawn straight
 * from vertex to vertex. null if there is no such outline (see `sweptArea`).
 */
export function corridorOutline(line: readonly Place[], halfWidthKm: number): Place[] | null {
  const [from, to = from] = line;
  if (!from || !to) return null;
  const steps = Math.max(1, Math.ceil(distanceKm(from, to) / STEP_KM));
  const discs = Array.from(
    { length: steps + 1 },
    (_, step): Disc => ({ ...between(from, to, step / steps), km: halfWidthKm }),
  );
  return sweptArea(discs);
}

/** The cone radii of a basin. */
export interface ConeTable {
  source: Exclude<ConeSource, "jma">;
  /** The basin it is borrowed from; null if it is the basin's own. */
  sourceBasin: string | null;
  year: number;
  /** Radius by forecast hour, km; ascending. */
  radiiKm: ReadonlyMap<number, number>;
}

type TableBasin = keyof typeof coneRows;

/**
 * Basins without a published table borrow that of the Atlantic, which has the largest radii. The JMA's own
 * circles are larger still.
 */
const BORROWED_FROM: TableBasin = "north_atlantic";

/**
 * The table for a storm: that of its own basin, from the newest season not after the storm's, or a borrowed
 * one.
 *
 * @param basin Basin of the storm's entry, such as `west_pacific`.
 * @param season Season year of the storm.
 */
export function coneTable(basin: string, season: number): ConeTable {
  if (basin in coneRows) {
    const own = newest(coneRows[basin as TableBasin], season);
    // Some seasons of the Central Pacific are missing; the East Pacific follows the same rules.
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
 * Radius with which NHC's cones begin, km: 16 n mi, the table's entry for hour 3, around the position of the
 * advisory. It is the error of a known position, and the same in all tables, including those that omit the
 * entry.
 */
export const CONE_START_KM = 16 * MILE_KM;

/** A cone stays as wide as at its start until this hour. */
const START_HOURS = 3;

/**
 * Radius of the cone at a forecast hour: the start radius until hour 3, then linear between the hours of the
 * table.
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

/** One season's table of a basin, whose radii contain two thirds of the forecast errors of five years. */
interface ConeRow {
  /** First season it applies to. */
  year: number;
  /** Nautical miles at `coneHours`; null if the season's table has no such hour. */
  miles: readonly (number | null)[];
  /** Copies of NHC's table that agree on the numbers (keys of `coneTableSources`). */
  sources: readonly (keyof typeof coneTableSources)[];
  /** Date on which the sources were read. */
  read: string;
}

/** Forecast hours of the tables. */
export const coneHours = [3, 12, 24, 36, 48, 60, 72, 96, 120] as const;

/** Sources of the tables. NHC publishes only the current season and keeps no archive. */
const coneTableSources = {
  tropycal: "tropycal, src/tropycal/constants.py at 969005b",
  HurricaneMap: "SysAdminDoc/HurricaneMap, data/cone-radii.json, from NHC's verification reports, 2026-09-08",
  "hwn.org": "hwn.org/weather/about-cone.html, a copy of NHC's page, based on 2018 to 2022",
  "a published map": "a published map of the season, which draws the same numbers",
  "NHC cone page": "a copy of NHC's page of the cone of 2026",
  "NHC cone polygon of Nolo": "measured on NHC's own polygon: 25 n mi at 12 h, 106 at 96 h, 138 at 120 h",
} as const;

/** Official tables, newest first. The Central Pacific tables of 2018 to 2022 and 2025 could not be found. */
export const coneRows = {
  north_atlantic: [
    row(2026, [16, 25, 39, 49, 62, 77, 95, 134, 200], "tropycal", "HurricaneMap", "NHC cone page"),
    row(2025, [16, 26, 39, 52, 67, 83, 100, 142, 213], "tropycal", "HurricaneMap"),
    row(2024, [16, 26, 41, 55, 70, 88, 102, 151, 220], "tropycal", "a published map"),
    row(2023, [16, 26, 39, 53, 67, 81, 99, 145, 205], "tropycal", "hwn.org"),
    row(2022, [16, 26, 39, 52, 67, 84, 100, 142, 200], "tropycal"),
    row(2021, [16, 27, 40, 55, 69, 86, 102, 148, 200], "tropycal"),
    row(2020, [16, 26, 41, 55, 69, 86, 103, 151, 196], "tropycal"),
    row(2019, [16, 26, 41, 54, 68, null, 102, 151, 198], "tropycal", "HurricaneMap"),
    row(2018, [16, 26, 43, 56, 74, null, 103, 151, 198], "tropycal", "HurricaneMap"),
    row(2017, [16, 29, 45, 63, 78, null, 107, 159, 211], "tropycal", "HurricaneMap"),
    row(2016, [16, 30, 49, 66, 84, null, 115, 165, 237], "tropycal", "HurricaneMap"),
    row(2015, [16, 32, 52, 71, 90, null, 122, 170, 225], "tropycal", "HurricaneMap"),
    row(2014, [16, 33, 52, 72, 92, null, 125, 170, 226], "tropycal"),
    row(2013, [16, 33, 52, 72, 92, null, 128, 177, 229], "tropycal"),
    row(2012, [16, 36, 56, 75, 95, null, 141, 180, 236], "tropycal"),
    row(2011, [16, 36, 59, 79, 98, null, 144, 190, 239], "tropycal"),
    row(2010, [16, 36, 62, 85, 108, null, 161, 220, 285], "tropycal"),
    row(2009, [16, 36, 62, 89, 111, null, 167, 230, 302], "tropycal"),
    row(2008, [16, 39, 67, 92, 118, null, 170, 233, 305], "tropycal"),
  ],
  east_pacific: [
    row(2026, [16, 25, 37, 48, 56, 66, 78, 106, 138], "tropycal", "HurricaneMap", "NHC cone polygon of Nolo"),
    row(2025, [16, 26, 38, 50, 59, 71, 83, 113, 146], "tropycal", "HurricaneMap"),
    row(2024, [16, 26, 39, 53, 65, 76, 92, 119, 152], "tropycal", "a published map"),
    row(2023, [16, 25, 38, 51, 63, 78, 86, 110, 137], "tropycal", "hwn.org"),
    row(2022, [16, 25, 38, 51, 65, 79, 93, 120, 146], "tropycal"),
    row(2021, [16, 25, 37, 51, 64, 77, 89, 114, 138], "tropycal"),
    row(2020, [16, 25, 38, 51, 65, 78, 91, 115, 138], "tropycal"),
    row(2019, [16, 25, 38, 48, 62, null, 88, 115, 145], "tropycal", "HurricaneMap"),
    row(2018, [16, 25, 39, 50, 66, null, 94, 125, 162], "tropycal", "HurricaneMap"),
    row(2017, [16, 25, 40, 51, 66, null, 93, 116, 151], "tropycal", "HurricaneMap"),
    row(2016, [16, 27, 42, 55, 70, null, 100, 137, 172], "tropycal", "HurricaneMap"),
    row(2015, [16, 26, 42, 54, 69, null, 100, 143, 182], "tropycal", "HurricaneMap"),
    row(2014, [16, 30, 46, 62, 79, null, 105, 154, 190], "tropycal"),
    row(2013, [16, 30, 49, 66, 82, null, 111, 157, 197], "tropycal"),
    row(2012, [16, 33, 52, 72, 89, null, 121, 170, 216], "tropycal"),
    row(2011, [16, 33, 59, 79, 98, null, 134, 187, 230], "tropycal"),
    row(2010, [16, 36, 59, 82, 102, null, 138, 174, 220], "tropycal"),
    row(2009, [16, 36, 59, 85, 105, null, 148, 187, 230], "tropycal"),
    row(2008, [16, 36, 66, 92, 115, null, 161, 210, 256], "tropycal"),
  ],
  central_pacific: [
    row(2026, [null, 25, 37, 48, 56, 66, 78, 106, 138], "NHC cone page"),
    row(2024, [null, 34, 49, 66, 81, 95, 120, 137, 156], "a published map"),
    row(2023, [null, 34, 49, 66, 81, 95, 120, 137, 156], "hwn.org"),
  ],
} satisfies Record<string, readonly ConeRow[]>;

function row(year: number, miles: ConeRow["miles"], ...sources: ConeRow["sources"]): ConeRow {
  return { year, miles, sources, read: "2026-11-21" };
}
