import { datasetAges } from "#lib/catalog/datasets.ts";
import { type FieldName, fields, rowOf } from "#lib/catalog/fields.ts";
import { windField } from "#lib/catalog/wind.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { Profile } from "./field-feed.ts";

/** Up to this age a forecast answers, seconds. */
const FORECAST_S = datasetAges.Forecast * DAY_S;
const RECENT_S = datasetAges["Hindcast-3M"] * DAY_S;
/** A run of the hindcast of three years has this many days: fewer runs make a shorter manifest. */
const PERIOD_S = 10 * DAY_S;

/** A run to be made of published ones. */
export interface Condensed {
  dataset: Run["dataset"];
  /** Span of its times, Unix seconds, both ends included; its first is the reference time. */
  from: number;
  to: number;
  /** Times of the run are multiples of this, seconds. */
  every: number;
  wants(name: FieldName): boolean;
}

/** Rule by which the runs of one kind of the past are made. */
export interface PastRule extends Pick<Condensed, "dataset" | "every" | "wants"> {
  /** A run spans this many seconds, and begins at a multiple of them. */
  length: number;
  /** A run that ends before is not retained, Unix seconds. */
  since: number;
  /** A run that ends later is not made yet, Unix seconds. */
  until: number;
}

/** Rules for the past of a feed; a rule is absent where its kind is not retained. */
interface PastRules {
  recent?: PastRule;
  /** The archive of forecasts. */
  archive?: PastRule;
  years?: PastRule;
}

/**
 * The rules by which the past of a feed is made, from what was fetched or from what a mirror still has.
 *
 * @param names Fields that the feed has.
 * @param settled Until when no cycle comes any more that knows better, Unix seconds.
 */
export function pastRules(names: readonly FieldName[], keep: Keep, now: number, settled: number): PastRules {
  const isWaves = names.every((name) => /_wave_/.test(name));
  const hasHindcast = names.some((name) => !isArchived(name));
  const rules: PastRules = {};
  if (keep.recent > 0 && hasHindcast)
    rules.recent = {
      dataset: "Hindcast-3M",
      every: isWaves ? 3 * HOUR_S : 1,
      wants: (name) => !isArchived(name),
      length: DAY_S,
      since: now - keep.recent,
      until: settled,
    };
  if (keep.archive > 0 && names.some(isArchived))
    rules.archive = {
      dataset: "Forecast",
      every: 1,
      wants: isArchived,
      length: DAY_S,
      since: now - keep.archive,
      until: now - FORECAST_S,
    };
  if (keep.years > 0 && hasHindcast)
    rules.years = {
      dataset: "Hindcast-3Y",
      every: 3 * HOUR_S,
      wants: (name) => !isArchived(name) && isOfYears(name),
      length: PERIOD_S,
      since: now - keep.years,
      // Made when its first step is so old, not its last: from then on it is asked for.
      until: now - RECENT_S + PERIOD_S,
    };
  return rules;
}

/** Retention of fetched data: the settings KEEP_…, seconds; 0 retains nothing. */
export interface Keep {
  /** Newest complete cycles of each feed. */
  cycles: number;
  /** The archive of forecasts: rain, CAPE, temperature, cloud, pressure. */
  archive: number;
  recent: number;
  years: number;
}

/** Retention by default. A small machine only looks ahead; years are for large disks. */
export function keepOf(profile: Profile, settings: Partial<Keep>): Keep {
  const past = profile === "lite" ? 0 : 1;
  return {
    cycles: settings.cycles ?? 2,
    archive: settings.archive ?? past * 184 * DAY_S,
    recent: settings.recent ?? past * 90 * DAY_S,
    years: settings.years ?? (profile === "full" ? 1096 * DAY_S : 0),
  };
}

/** Whether a field is answered by the archive of forecasts where it is older than five days, and by no hindcast. */
export function isArchived(name: FieldName): boolean {
  return rowOf(name)?.archiveOnly === true;
}

/** Fields of the hindcast of three years: wind at two heights is enough for the profile between them. */
function isOfYears(name: FieldName): boolean {
  if (!fields[name]?.standardName.endsWith("ward_wind")) return true;
  return coarseWinds.has(name);
}

const coarseWinds = new Set<string>(
  ([10, 100] as const).flatMap((height) => [windField("eastward", height), windField("northward", height)]),
);
