import { type Box, boxOfPlaces, discBox, sectorBox } from "@open-metocean/geo/box";
import { fromKnots } from "@open-metocean/geo/knots";
import { distanceKm, finalBearing, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { agedEntry, forecastTerms, isActive } from "./activity.ts";
import {
  type Bulletin,
  basinOf,
  type Fix,
  type ForecastFix,
  type Provider,
  type QuadrantRadii,
  type RadiiThreshold,
  stormId,
  stormName,
} from "./bulletin.ts";
import { type ConeTable, centreAt, coneRadiusKm, coneTable, stormCone } from "./cone.ts";
import {
  type ForecastPoint,
  STORM_SCHEMA_VERSION,
  type StormEntry,
  type StormType,
  type TrackPoint,
  unitsOf,
  type WindRadii,
} from "./schema.ts";
import { boxToWire, ofWire, tenths, toWire } from "./wire.ts";

interface EntryContext {
  /** Time at which the entry is derived, Unix seconds. It decides whether the storm is still active. */
  now: number;
  /** The silence of the storm counts until this time, Unix seconds; see `SilenceClock`. */
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

/** A fix that lies further from its earlier position was relocated since. */
const RELOCATED_KM = 20;

/**
 * Fixes of the newest bulletin, completed from the bulletin before.
 *
 * Some feeds give wind, pressure and radii only for the newest fix, and only places for the others. Earlier values stay
 * valid unless the fix was relocated since.
 *
 * @param points Track of the newest bulletin.
 * @param earlier Track of the bulletin before, completed in the same way.
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
class EmptyBulletinError extends Error {
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
  // A withdrawn forecast has no cone.
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

/** A fix in the form of the API. */
function trackPoint(bulletin: Bulletin, fix: Fix, motion: Motion | null): TrackPoint {
  const { provider } = bulletin;
  const type = stormType(bulletin, fix);
  const { box, estimated } = affectance(fix, provider);
  const seas = givenRadii(fix.seas12ftKm);
  return {
    time: fix.time,
    ...toWire(fix),
    vmax_kt: fix.vmaxKt,
    mslp_hpa: fix.mslpHpa,
    type,
    category: stormCategory(type, fix.vmaxKt),
    heading_deg: motion && tenths(motion.heading) % 360,
    speed_kmh: motion && tenths(motion.speed),
    wind_radii_km: windRadii(fix.radiiKm, provider),
    ...(seas ? { sea_radii_km: { "12ft": inTenths(seas) } } : {}),
    affectance_bbox: boxToWire(box),
    affectance_bbox_estimated: estimated,
  };
}

/** All thresholds of the provider, with null for those not given; null if the bulletin gives none at all. */
function windRadii(given: Fix["radiiKm"], provider: Provider): WindRadii | null {
  const at = (threshold: RadiiThreshold) => {
    const radii = givenRadii(given[threshold]);
    return radii ? (provider === "jma" ? asCircle(radii) : inTenths(radii)) : null;
  };
  if (provider === "jma") {
    const [gale, storm] = [at(30), at(50)];
    return gale || storm ? { "30kn": gale, "50kn": storm, "64kn": null } : null;
  }
  const [gale, storm, hurricane] = [at(34), at(50), at(64)];
  return gale || storm || hurricane ? { "34kn": gale, "50kn": storm, "64kn": hurricane } : null;
}

function inTenths({ ne, se, sw, nw }: QuadrantRadii): QuadrantRadii {
  return { ne: ne && tenths(ne), se: se && tenths(se), sw: sw && tenths(sw), nw: nw && tenths(nw) };
}

/** JMA's areas are circles: the longest radius applies to all quadrants, so that the circle covers the whole area. */
function asCircle({ ne, se, sw, nw }: QuadrantRadii): QuadrantRadii {
  const radius = tenths(Math.max(ne ?? 0, se ?? 0, sw ?? 0, nw ?? 0));
  return { ne: radius, se: radius, sw: radius, nw: radius };
}

/** Stages of both feeds (ATCF column 11; JMA's categories) as types of the API. */
const stages: Record<string, StormType> = {
  DB: "DB",
  WV: "DB",
  MD: "DB",
  TD: "TD",
  SD: "TD",
  TS: "TS",
  SS: "TS",
  STS: "TS",
  HU: "HU",
  TY: "HU",
  ST: "HU",
  EX: "PT",
  PT: "PT",
  ET: "PT",
  LO: "LO",
  DS: "LO",
};

/** Stages that only say that it is a cyclone: its type follows from the wind. */
const unspecific = new Set(["TC", "IN", "XX", ""]);

/** Lowest 1-minute winds of categories 1 to 5, kt (Saffir-Simpson). */
const categoryThresholds = [64, 83, 96, 113, 137];

const STORM_KT = 34;

/**
 * Whether a text calls a storm a tropical or subtropical cyclone at a fix. A wind alone does not say so: an extratropical
 * low has it too.
 */
export function isTropicalCyclone({ stage }: Pick<Fix, "stage">): boolean {
  if (stage === null) return false;
  const type = stages[stage];
  return stage === "TC" || type === "TD" || type === "TS" || type === "HU";
}

interface StageAndWind {
  vmaxKt: number | null;
  stage: string | null;
}

/** Type of a storm at a fix; null if unknown, and at every fix of a JMA invest. */
export function stormType(
  { provider, isInvest }: Pick<Bulletin, "provider" | "isInvest">,
  fix: StageAndWind,
) {
  if (provider === "jma") {
    if (isInvest || fix.stage === null) return null;
    // JMA writes LOW for an extratropical low.
    return fix.stage === "LOW" ? "PT" : (stages[fix.stage] ?? null);
  }
  const stage = fix.stage ?? "";
  return unspecific.has(stage) ? typeOfWind(fix.vmaxKt) : (stages[stage] ?? null);
}

function typeOfWind(vmaxKt: number | null): StormType | null {
  if (vmaxKt === null) return null;
  if (vmaxKt >= categoryThresholds[0]!) return "HU";
  return vmaxKt >= STORM_KT ? "TS" : "TD";
}

/**
 * 1 to 5 for storms of hurricane force, else 0; null without a wind. JMA's 10-minute winds are compared with the same
 * thresholds, unconverted.
 */
export function stormCategory(type: StormType | null, vmaxKt: number | null): number | null {
  if (vmaxKt === null) return null;
  if (type !== null && type !== "HU") return 0;
  const category = categoryThresholds.filter((threshold) => vmaxKt >= threshold).length;
  return type === "HU" ? Math.max(1, category) : category;
}

interface Motion {
  /** Direction the storm moves TO, degrees clockwise from true north. */
  heading: number;
  /** Km/h. */
  speed: number;
}

interface TimedPlace extends Place {
  /** Unix seconds. */
  time: number;
}

const SIX_HOURS_S = 6 * 3600;

/**
 * Motion at each fix of a track, from the fix before it: the final bearing of the great circle between the two, and the
 * distance over the time. A storm that has not moved keeps its heading, with speed 0.
 *
 * JMA's fixes are at most 3 h apart and rounded to 0.1°, which is too coarse: there the fix nearest to 6 h before is used.
 *
 * @param track Ascending in time.
 * @returns One per fix; null for the first.
 */
export function motionAlong(track: readonly TimedPlace[], provider: Provider): (Motion | null)[] {
  const motions: (Motion | null)[] = [];
  for (const [index, fix] of track.entries()) {
    const from = provider === "jma" ? nearestBefore(track, index) : track[index - 1];
    motions.push(from ? motion(from, fix, motions.at(-1)?.heading ?? 0) : null);
  }
  return motions;
}

function motion(from: TimedPlace, to: TimedPlace, heading: number): Motion {
  const km = distanceKm(from, to);
  if (km === 0) return { heading, speed: 0 };
  return { heading: finalBearing(from, to), speed: km / ((to.time - from.time) / 3600) };
}

/** The earlier fix that is nearest to 6 h before the fix at `index`. */
function nearestBefore(track: readonly TimedPlace[], index: number): TimedPlace | undefined {
  const wanted = track[index]!.time - SIX_HOURS_S;
  let found: TimedPlace | undefined;
  for (let earlier = index - 1; earlier >= 0; earlier--) {
    const fix = track[earlier]!;
    if (found && Math.abs(fix.time - wanted) >= Math.abs(found.time - wanted)) break;
    found = fix;
  }
  return found;
}

/** Lowest threshold that a provider gives, kt. Its reach is the area that a storm affects. */
const LOWEST_KT = { jtwc: 34, jma: 30 } as const satisfies Record<Provider, number>;

/**
 * The box reached by a storm's lowest wind threshold, and whether that reach is estimated.
 */
export function affectance(fix: Fix, provider: Provider): { box: Box; estimated: boolean } {
  const radii = givenRadii(fix.radiiKm[LOWEST_KT[provider]]);
  if (!radii) return { box: discBox(fix, estimatedKm(fix, provider)), estimated: true };
  const { ne, se, sw, nw } = radii;
  // A quadrant missing among given ones has no such wind.
  return { box: sectorBox(fix, { ne: ne ?? 0, se: se ?? 0, sw: sw ?? 0, nw: nw ?? 0 }), estimated: false };
}

/** Returns the radii if any is given: four zeros or four blanks mean that the threshold is not given. */
function givenRadii(radii: QuadrantRadii | undefined): QuadrantRadii | undefined {
  return radii && (radii.ne || radii.se || radii.sw || radii.nw) ? radii : undefined;
}

/** Wind assumed if none is given, kt. */
const UNKNOWN_WIND_KT = 25;

/**
 * Typical reach of the lowest threshold, km. A typical size, not an upper bound: a third of real storms reach further.
 *
 * jma: a straight line through its own 30-kt areas. jtwc: the 34-kt radius of Nederhoff et al. (2019, NHESS 19, 2359;
 * all basins) times 1.3, the median ratio of the largest quadrant to that mean radius over 1,808 best-track fixes. Below
 * 40 kt it is scaled linearly, since the formula ends at 35.
 */
export function estimatedKm(
  { vmaxKt, latitude }: Pick<Fix, "vmaxKt" | "latitude">,
  provider: Provider,
): number {
  const wind = vmaxKt ?? UNKNOWN_WIND_KT;
  if (provider === "jma") return (140 + 1.2 * wind) * MILE_KM;
  const v = fromKnots(Math.max(40, wind));
  const poleward = Math.abs(latitude);
  const beyondCore = 29.6114 * (v - 18) ** 0.41325 * (1 + 0.024419 * poleward);
  const core = 44.824 * Math.exp(-v / 23.3717) * (1 + 0.030469 * poleward) + 22.428;
  const km = 1.3 * (beyondCore + core) * Math.min(1, wind / 40);
  return Math.max(75, Math.min(600, km));
}
