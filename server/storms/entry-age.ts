import type { StormEntry } from "#lib/contract/storm-form.ts";
import { boxOfPlaces } from "#lib/geo/box.ts";
import { boxToWire, ofWire } from "#lib/storms/wire.ts";
import { HOUR_S } from "#lib/time.ts";
import { alertLapsesAt, developmentLapsesAt } from "./areas.ts";

/** Forecasts are renewed every 6 h by NHC, JTWC and JMA: two of them are missing. */
const STALE_AFTER_S = 12 * HOUR_S;

/** A cone of that age no longer contains the storm as often as it states. */
const WITHDRAWN_AFTER_S = 24 * HOUR_S;

/** Texts on a storm come every 3 to 6 h; on an invest less regularly. */
const OVERDUE_AFTER_S = { storm: 12 * HOUR_S, invest: 18 * HOUR_S } as const;

/** When a forecast of a base time is marked, and when it is withdrawn, Unix seconds. */
export function forecastTerms(base: number): { stale_at: number; withdrawn_at: number } {
  return { stale_at: base + STALE_AFTER_S, withdrawn_at: base + WITHDRAWN_AFTER_S };
}

/**
 * An entry as it is at a time: the marks of what is old, and no forecast that is too old. Entries are stored as they were
 * made, and time goes on also while no refresh runs.
 *
 * @param now Weather clock, Unix seconds.
 * @param endsAt When the storm has ended by silence, Unix seconds.
 */
export function agedEntry(
  entry: StormEntry,
  now: number,
  endsAt: number = Number.POSITIVE_INFINITY,
): StormEntry {
  const { forecast, observed } = entry.tracks;
  const aged: StormEntry = { ...entry, is_active: entry.is_active && now < endsAt };
  if (entry.bulletin_at !== undefined) aged.is_overdue = aged.is_active && now >= overdueAt(entry);
  const { formation_alert: alert, development } = entry;
  if (!aged.is_active || (alert && now > alertLapsesAt(alert))) delete aged.formation_alert;
  if (!aged.is_active || (development && now > developmentLapsesAt(development))) delete aged.development;
  if (!forecast) return aged;
  const terms = forecastTerms(forecast.issued_at);
  if (aged.is_active && now < terms.withdrawn_at) {
    const isStale = now >= terms.stale_at;
    aged.tracks = { observed, forecast: { ...forecast, ...terms, is_stale: isStale } };
    return aged;
  }
  delete aged.cone;
  aged.tracks = { observed };
  const bounds = boxOfPlaces(observed.map(ofWire));
  if (bounds) aged.track_bbox = boxToWire(bounds);
  return aged;
}

/** Whether anything is left to publish of an aged entry. */
export function hasPosition({ tracks }: StormEntry): boolean {
  return tracks.observed.length > 0 || tracks.forecast !== undefined;
}

/** When an entry next changes by its age alone, Unix seconds; infinite if never. */
export function nextAge(entry: StormEntry, now: number): number {
  const terms = entry.tracks.forecast && forecastTerms(entry.tracks.forecast.issued_at);
  const lapsesAt = entry.formation_alert && alertLapsesAt(entry.formation_alert) + 1;
  const saidUntil = entry.development && developmentLapsesAt(entry.development) + 1;
  const times = [saidUntil, terms?.stale_at, terms?.withdrawn_at, overdueAt(entry), lapsesAt];
  return Math.min(
    ...times.map((time) => (time !== undefined && time > now ? time : Number.POSITIVE_INFINITY)),
  );
}

function overdueAt({ bulletin_at, is_active, is_invest }: StormEntry): number {
  if (bulletin_at === undefined || !is_active) return Number.POSITIVE_INFINITY;
  return bulletin_at + (is_invest ? OVERDUE_AFTER_S.invest : OVERDUE_AFTER_S.storm);
}
