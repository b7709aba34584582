import {
  type ForecastPoint,
  STORM_SCHEMA_VERSION,
  type StormEntry,
  stormUnits,
} from "#lib/contract/storm-form.ts";
import { boxOfPlaces } from "#lib/geo/box.ts";
import { centreAt, stormCone } from "#lib/storms/cone.ts";
import { type ConeTable, coneRadiusKm, coneTable } from "#lib/storms/cone-table.ts";
import { boxToWire, ofWire, tenths } from "#lib/storms/wire.ts";
import { isActive } from "./activity.ts";
import type { Bulletin, ForecastFix } from "./bulletin.ts";
import { basinOf, stormId, stormName } from "./identity.ts";
import { motionAlong } from "./motion.ts";
import { remembered } from "./remembered.ts";
import { trackPoint } from "./track-points.ts";

export interface EntryContext {
  /** Unix seconds: a storm of which nothing was heard for long has ended. */
  now: number;
  /** When the entry is made, Unix seconds. */
  generatedAt: number;
  /** The entry of the bulletin before: what it tells of fixes that this bulletin only places is kept. */
  previous?: StormEntry;
}

/**
 * One bulletin in the form of GET /storms.
 *
 * @throws {EmptyBulletinError} Without any place, observed or forecast.
 */
export function stormEntry(bulletin: Bulletin, { now, generatedAt, previous }: EntryContext): StormEntry {
  const basin = basinOf(bulletin);
  const active = isActive(bulletin, now);
  const motions = motionAlong(bulletin.observed, bulletin.provider);
  const observed = remembered(
    bulletin.observed.map((fix, index) => trackPoint(bulletin, fix, motions[index]!)),
    previous?.tracks.observed ?? [],
  );
  const table = bulletin.provider === "jma" ? undefined : coneTable(basin, bulletin.season);
  const forecast = active ? forecastOf(bulletin, table) : undefined;
  const track = [...observed, ...(forecast?.points ?? [])].map(ofWire);
  const bounds = boxOfPlaces(track);
  if (!bounds) throw new EmptyBulletinError(stormId(bulletin));
  const cone =
    forecast &&
    stormCone({ basin, table, points: forecast.points, start: centreAt(observed, forecast.issued_at) });
  return {
    schema_version: STORM_SCHEMA_VERSION,
    generated_at: generatedAt,
    provider: bulletin.provider,
    id: stormId(bulletin),
    name: stormName(bulletin),
    year: bulletin.season,
    basin,
    is_active: active,
    is_invest: bulletin.isInvest,
    units: stormUnits,
    track_bbox: boxToWire(bounds),
    ...(cone ? { cone } : {}),
    tracks: forecast ? { observed, forecast } : { observed },
  };
}

/** A bulletin that places its storm nowhere. */
export class EmptyBulletinError extends Error {
  override readonly name = "EmptyBulletinError";
  readonly id: string;

  constructor(id: string) {
    super(`The bulletin of ${id} has neither an observed nor a forecast position`);
    this.id = id;
  }
}

function forecastOf(bulletin: Bulletin, table: ConeTable | undefined): StormEntry["tracks"]["forecast"] {
  const { forecast, observed, provider } = bulletin;
  const first = forecast?.points[0];
  if (!forecast || !first) return undefined;
  const before = observed.filter(({ time }) => time < first.time);
  const motions = motionAlong([...before, ...forecast.points], provider).slice(before.length);
  const points = forecast.points.map((fix, index): ForecastPoint => {
    const point = { ...trackPoint(bulletin, fix, motions[index]!), fhr: fix.fhr };
    return fix.fhr === 0 ? point : { ...point, cone_radius_km: circleOf(fix, table) };
  });
  return { issued_at: forecast.base, cone_source: table?.source ?? "jma", points };
}

function circleOf({ fhr, circleKm }: ForecastFix, table: ConeTable | undefined): number | null {
  const km = table ? coneRadiusKm(table, fhr) : (circleKm ?? null);
  return km === null ? null : tenths(km);
}
