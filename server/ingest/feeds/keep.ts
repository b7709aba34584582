import { type FieldName, fields, rowOf } from "#lib/catalog/fields.ts";
import { windField } from "#lib/catalog/wind.ts";
import { DAY_S } from "#lib/time.ts";
import type { Profile } from "./field-feed.ts";

/** How long what was fetched is retained: the settings KEEP_…, seconds; 0 retains nothing. */
export interface Keep {
  /** Newest complete cycles of each feed. */
  cycles: number;
  /** The archive of forecasts: rain, CAPE, temperature, cloud, pressure. */
  archive: number;
  recent: number;
  years: number;
}

/** What is retained where no setting says otherwise. A small machine looks ahead only. */
export function keepOf(profile: Profile, settings: Partial<Keep>): Keep {
  const past = profile === "lite" ? 0 : 1;
  return {
    cycles: settings.cycles ?? 2,
    archive: settings.archive ?? past * 184 * DAY_S,
    recent: settings.recent ?? past * 90 * DAY_S,
    years: settings.years ?? past * 1096 * DAY_S,
  };
}

/** Whether a field is answered by the archive of forecasts where it is older than five days, and by no hindcast. */
export function isArchived(name: FieldName): boolean {
  return rowOf(name)?.archiveOnly === true;
}

/** Fields of the hindcast of three years: wind at two heights is enough for the profile between them. */
export function isOfYears(name: FieldName): boolean {
  if (!fields[name]?.standardName.endsWith("ward_wind")) return true;
  return coarseWinds.has(name);
}

const coarseWinds = new Set<string>(
  ([10, 100] as const).flatMap((height) => [windField("eastward", height), windField("northward", height)]),
);
