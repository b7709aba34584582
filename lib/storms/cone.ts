import type { ForecastPoint, StormCone, StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { simplified } from "#lib/geo/simplify.ts";
import { type Place, toArc } from "#lib/geo/sphere.ts";
import { type Disc, sweptArea } from "#lib/geo/swept-area.ts";
import { unwrappedLine } from "#lib/geo/unwrap.ts";
import { CONE_START_KM, type ConeTable } from "./cone-table.ts";
import { ofWire, tenths, toWire } from "./wire.ts";

/** How far the centre line may be from the forecast centres, km. */
const CENTER_LINE_KM = 10;

/** Circles from one forecast centre to the next: with three times as many the area changes by less than 0.1 %. */
const CIRCLES_PER_INTERVAL = 4;

export interface ConeInput {
  basin: string;
  /** The table of its radii; undefined for the provider's own circles. */
  table: ConeTable | undefined;
  /** Ascending. */
  points: readonly ForecastPoint[];
  /** Centre at hour 0 if the forecast itself has none. */
  start: Place | undefined;
}

/**
 * The cone of a forecast: the area that its circles sweep from the centre at hour 0 along a smooth curve, as NHC draws it.
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

/** Radius around the centre at hour 0 of a storm of the JMA, which states none, km: less than the rounding of its position. */
const JMA_START_KM = 2;

/**
 * Outline of a cone for the map and for export: the published one, or the same construction around JMA's circles, as JMA
 * publishes no outline.
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

/** Observed position at a time, or the last one before it. @param time Unix seconds. */
export function centreAt(observed: readonly TrackPoint[], time: number): Place | undefined {
  const fix = observed.findLast((point) => point.time <= time);
  return fix && ofWire(fix);
}

function discsOf(circles: StormCone["circles"], start: Place | undefined, startKm: number): Disc[] {
  const discs = circles.map((circle) => ({ ...ofWire(circle), km: circle.r_km }));
  return start ? [{ ...start, km: startKm }, ...discs] : discs;
}

/**
 * Circles along a Catmull–Rom curve through the centres in latitude and longitude, one parameter unit from each to the
 * next; radii are linear between them. NHC does not state its construction; this one has 99 % of its area in common with
 * published outlines, straight lines from centre to centre 97 % where a track curves.
 */
function alongCurve(discs: readonly Disc[]): Disc[] {
  const line = unwrappedLine(discs);
  const at = (index: number) => line[Math.max(0, Math.min(line.length - 1, index))]!;
  const between = (index: number, share: number): Disc => {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    // The slope at a centre is the mean over both sides, at the ends that of the one side.
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
