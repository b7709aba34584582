import {
  type ForecastPoint,
  STORM_SCHEMA_VERSION,
  type StormEntry,
  type TrackPoint,
  unitsOf,
} from "#lib/contract/storm-form.ts";
import { boxOfPlaces } from "#lib/geo/box.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { centreAt, stormCone } from "#lib/storms/cone.ts";
import { type ConeTable, coneRadiusKm, coneTable } from "#lib/storms/cone-table.ts";
import { boxToWire, ofWire, tenths } from "#lib/storms/wire.ts";
import { isActive } from "./activity.ts";
import type { Bulletin, ForecastFix } from "./bulletin.ts";
import { agedEntry, forecastTerms } from "./entry-age.ts";
import { basinOf, stormId, stormName } from "./identity.ts";
import { motionAlong } from "./motion.ts";
import { trackPoint } from "./track-point.ts";

export interface EntryContext {
  /** Unix seconds. Decides whether the storm is still active. */
  now: number;
  /** Until when the silence of the storm counts, Unix seconds; see `SilenceClock`. */
  heardUntil?: number;
  /** When the entry is made, Unix seconds. */
  generatedAt: number;
  /** The entry of the bulletin before. It completes fixes of which this bulletin gives only the place. */
  previous?: StormEntry;
}

/**
 * One bulletin in the form of GET /storms.
 *
 * @throws EmptyBulletinError if there is no position, observed or forecast.
 */
export function stormEntry(
  bulletin: Bulletin,
  { now, heardUntil, generatedAt, previous }: EntryContext,
): StormEntry {
  const basin = basinOf(bulletin);
  const active = isActive(bulletin, now, heardUntil);
  const motions = motionAlong(bulletin.observed, bulletin.provider);
  const observed = fillFromPrevious(
    bulletin.observed.map((fix, index) => trackPoint(bulletin, fix, motions[index]!)),
    previous?.tracks.observed ?? [],
  );
  const table = bulletin.provider === "jma" ? undefined : coneTable(basin, bulletin.season);
  const forecast = active ? forecastOf(bulletin, table, now) : undefined;
  const track = [...observed, ...(forecast?.points ?? [])].map(ofWire);
  const bounds = boxOfPlaces(track);
  if (!bounds) throw new EmptyBulletinError(stormId(bulletin));
  const cone =
    forecast &&
    stormCone({ basin, table, points: forecast.points, start: centreAt(observed, forecast.issued_at) });
  const entry: StormEntry = {
    schema_version: STORM_SCHEMA_VERSION,
    generated_at: generatedAt,
    provider: bulletin.provider,
    id: stormId(bulletin),
    name: stormName(bulletin),
    year: bulletin.season,
    basin,
    is_active: active,
    is_invest: bulletin.isInvest,
    bulletin_at: bulletin.issued,
    ...(bulletin.mirror !== undefined && { mirror: bulletin.mirror }),
    ...(bulletin.aliases && { aliases: bulletin.aliases }),
    units: unitsOf([...observed, ...(forecast?.points ?? [])]),
    track_bbox: boxToWire(bounds),
    ...(cone ? { cone } : {}),
    tracks: forecast ? { observed, forecast } : { observed },
  };
  return agedEntry(entry, now);
}

/** A fix of an earlier bulletin further away than this was relocated since. */
const RELOCATED_KM = 20;

/**
 * Fixes of the newest bulletin, completed from the bulletin before.
 *
 * Some feeds give wind, pressure and radii only for the newest fix, and only places for the others. Earlier values stay
 * valid unless the fix was relocated since.
 *
 * @param points Of the newest bulletin.
 * @param earlier Of the bulletin before, completed in the same way.
 */
function fillFromPrevious(points: readonly TrackPoint[], earlier: readonly TrackPoint[]): TrackPoint[] {
  const byTime = new Map(earlier.map((point) => [point.time, point]));
  return points.map((point) => {
    const before = byTime.get(point.time);
    if (!before || distanceKm(ofWire(point), ofWire(before)) > RELOCATED_KM) return point;
    const sameWind = point.vmax_kt === null || point.vmax_kt === before.vmax_kt;
    if (!sameWind) return point;
    const filled = { ...point };
    if (point.vmax_kt === null) {
      filled.vmax_kt = before.vmax_kt;
      filled.type = before.type;
      filled.category = before.category;
    }
    filled.mslp_hpa ??= before.mslp_hpa;
    if (before.sea_radii_km && !point.sea_radii_km) filled.sea_radii_km = before.sea_radii_km;
    if (point.wind_radii_km === null) {
      filled.wind_radii_km = before.wind_radii_km;
      filled.affectance_bbox = before.affectance_bbox;
      filled.affectance_bbox_estimated = before.affectance_bbox_estimated;
    }
    return filled;
  });
}

/** A bulletin without any position. */
export class EmptyBulletinError extends Error {
  override readonly name = "EmptyBulletinError";
  readonly id: string;

  constructor(id: string) {
    super(`The bulletin of ${id} has neither an observed nor a forecast position`);
    this.id = id;
  }
}

function forecastOf(
  bulletin: Bulletin,
  table: ConeTable | undefined,
  now: number,
): StormEntry["tracks"]["forecast"] {
  const { forecast, observed, provider } = bulletin;
  const first = forecast?.points[0];
  if (!forecast || !first) return undefined;
  // No cone is computed for what is withdrawn.
  if (now >= forecastTerms(forecast.base).withdrawn_at) return undefined;
  const before = observed.filter(({ time }) => time < first.time);
  const motions = motionAlong([...before, ...forecast.points], provider).slice(before.length);
  const points = forecast.points.map((fix, index): ForecastPoint => {
    const point = { ...trackPoint(bulletin, fix, motions[index]!), fhr: fix.fhr };
    return fix.fhr === 0 ? point : { ...point, cone_radius_km: circleRadiusKm(fix, table) };
  });
  return { issued_at: forecast.base, cone_source: table?.source ?? "jma", points };
}

function circleRadiusKm({ fhr, circleKm }: ForecastFix, table: ConeTable | undefined): number | null {
  const km = table ? coneRadiusKm(table, fhr) : (circleKm ?? null);
  return km === null ? null : tenths(km);
}
