import type { ForecastPoint, StormCone, StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { simplified } from "#lib/geo/simplify.ts";
import { type Place, toArc } from "#lib/geo/sphere.ts";
import { type Disc, sweptArea } from "#lib/geo/swept-area.ts";
import { CONE_START_KM, type ConeTable } from "./cone-table.ts";
import { ofWire, tenths, toWire } from "./wire.ts";

/** How far the centre line may be from the forecast centres, km. */
const CENTER_LINE_KM = 10;

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
 * The cone of a forecast: the area that its circles sweep from the centre at hour 0.
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
    envelope_polygon: table ? (sweptByCircles(circles, first, CONE_START_KM)?.map(toWire) ?? null) : null,
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
  return sweptByCircles(cone.circles, start, JMA_START_KM);
}

/** Observed position at a time, or the last one before it. @param time Unix seconds. */
export function centreAt(observed: readonly TrackPoint[], time: number): Place | undefined {
  const fix = observed.findLast((point) => point.time <= time);
  return fix && ofWire(fix);
}

function sweptByCircles(
  circles: StormCone["circles"],
  start: Place | undefined,
  startKm: number,
): Place[] | null {
  const discs: Disc[] = circles.map((circle) => ({ ...ofWire(circle), km: circle.r_km }));
  return sweptArea(start ? [{ ...start, km: startKm }, ...discs] : discs);
}

/** The fewest of the centres whose line stays within 10 km of all of them. */
function centerLine(centres: readonly Place[]): Place[] {
  const deviation = (from: number, to: number) => (at: number) =>
    toArc(centres[at]!, centres[from]!, centres[to]!).km;
  return simplified(centres.length, deviation, CENTER_LINE_KM).kept.map((index) => centres[index]!);
}
