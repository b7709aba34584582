import { datasetAges } from "#lib/catalog/datasets.ts";
import { type FieldName, fields, rowOf } from "#lib/catalog/fields.ts";
import { windField } from "#lib/catalog/wind.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { Profile } from "./field-feed.ts";

/** A forecast answers up to this age, seconds. */
const FORECAST_S = datasetAges.Forecast * DAY_S;
const RECENT_S = datasetAges["Hindcast-3M"] * DAY_S;
/** Length of a run of the hindcast of three years, seconds. Longer runs make a shorter manifest. */
const PERIOD_S = 10 * DAY_S;

/** A run to be built from published ones. */
export interface Condensed {
  dataset: Run["dataset"];
  /** First and last time of the run, Unix seconds; the first is the reference time. */
  from: number;
  to: number;
  /** Times of the run are multiples of this, seconds. */
  every: number;
  wants(name: FieldName): boolean;
}

/** Rule by which the runs of one kind of past data are built. */
export interface PastRule extends Pick<Condensed, "dataset" | "every" | "wants"> {
  /** Length of a run, seconds. A run begins at a multiple of it. */
  length: number;
  /** A run that ends before this is not retained, Unix seconds. */
  since: number;
  /** A run that ends after this is not built yet, Unix seconds. */
  until: number;
}

/** Rules for the past of a feed; a rule is absent where its kind is not retained. */
interface PastRules {
  recent?: PastRule;
  archive?: PastRule;
  years?: PastRule;
}

/**
 * Rules by which the past of a feed is built, from fetched data or from what a mirror still has.
 *
 * @param names Fields that the feed has.
 * @param settled Time up to which no later cycle will have better data, Unix seconds.
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
      // The run is built when its first step is this old, because from then on it is requested.
      until: now - RECENT_S + PERIOD_S,
    };
  return rules;
}

/** Retention of fetched data: the settings KEEP_…, seconds; 0 retains nothing. */
export interface Keep {
  /** Number of the newest complete cycles of each feed. */
  cycles: number;
  /** The archive of forecasts: rain, CAPE, temperature, cloud, pressure. */
  archive: number;
  recent: number;
  years: number;
}

/** Retention with the profile's defaults. A small machine only looks ahead; years are for large disks. */
export function keepOf(profile: Profile, settings: Partial<Keep>): Keep {
  const past = profile === "lite" ? 0 : 1;
  return {
    cycles: settings.cycles ?? 2,
    archive: settings.archive ?? past * 184 * DAY_S,
    recent: settings.recent ?? past * 90 * DAY_S,
    years: settings.years ?? (profile === "full" ? 1096 * DAY_S : 0),
  };
}

/** Whether the archive of forecasts answers a field that is older than five days, because no hindcast has it. */
export function isArchived(name: FieldName): boolean {
  return rowOf(name)?.archiveOnly === true;
}

/** Whether the hindcast of three years has a field. Wind at two heights is enough for the profile between them. */
function isOfYears(name: FieldName): boolean {
  if (!fields[name]?.standardName.endsWith("ward_wind")) return true;
  return coarseWinds.has(name);
}

const coarseWinds = new Set<string>(
  ([10, 100] as const).flatMap((height) => [windField("eastward", height), windField("northward", height)]),
);
