import { simplified, unwrappedLine } from "@open-metocean/geo/ring";
import { between, distanceKm, MILE_KM, type Place, toArc } from "@open-metocean/geo/sphere";
import { type Disc, sweptArea } from "@open-metocean/geo/swept-area";
import coneRadii from "./cone-radii.json" with { type: "json" };
import type { ConeSource, ForecastPoint, StormCone, StormEntry, TrackPoint } from "./schema.ts";
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

type TableBasin = keyof typeof coneRadii.basins;

/** Official tables, newest first. The Central Pacific tables of 2018 to 2022 and 2025 could not be found. */
const coneRows: Readonly<Record<TableBasin, readonly ConeRow[]>> = coneRadii.basins;

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
  for (const [index, hour] of coneRadii.hours.entries()) {
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
  /** Nautical miles at `hours`; null if the season's table has no such hour. */
  miles: readonly (number | null)[];
  /** Copies of NHC's table that agree on the numbers (keys of `sources`). */
  sources: readonly string[];
  /** Date on which the sources were read. */
  read: string;
}
