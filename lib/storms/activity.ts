import { boxOfPlaces } from "@open-metocean/geo/box";
import { alertLapsesAt, developmentLapsesAt } from "./areas.ts";
import { type Bulletin, isSameId, type StormRecord } from "./bulletin.ts";
import type { StormEntry } from "./schema.ts";
import { HOUR_S } from "./time.ts";
import { boxToWire, ofWire } from "./wire.ts";

/**
 * A storm without a new bulletin for this long has ended. Bulletins come every 3 to 6 h. The silence of an invest begins with
 * the newest text that names it: outlooks and alerts are hours younger than the fix that they state.
 */
const MAX_SILENCE_S = { storm: 24 * HOUR_S, invest: 18 * HOUR_S } as const;

function maxSilence({ isInvest }: Bulletin): number {
  return isInvest ? MAX_SILENCE_S.invest : MAX_SILENCE_S.storm;
}

/** A storm stays published for this long after its end. */
const PUBLISHED_AFTER_END_S = 24 * HOUR_S;

/**
 * A feed that stands still holds back the end of its storms for this long. Its last storm of a season would otherwise stay
 * until the next one begins: a folder with nothing but decks never says that a storm is over.
 */
const MAX_STANDSTILL_S = 5 * 24 * HOUR_S;

/**
 * Unix seconds until which the silence of a storm counts: a feed that stands still says nothing about the end of a storm.
 * `at` defaults to the time of the refresh.
 */
export type SilenceClock = (bulletin: Bulletin, at?: number) => number;

/**
 * Whether the provider still tracks a storm: while its list has it, as long as the storm is not silent for too long, or while
 * a formation alert is in force.
 *
 * @param now Unix seconds.
 * @param heardUntil See `SilenceClock`; at most `now`.
 */
export function isActive(bulletin: Bulletin, now: number, heardUntil = now): boolean {
  if (bulletin.isFinal) return false;
  const isSilent = Math.min(now, heardUntil) - newestTime(bulletin) > maxSilence(bulletin);
  return bulletin.isListed === true || !isSilent || now <= (bulletin.alertUntil ?? Number.NEGATIVE_INFINITY);
}

/** Whether a storm is published: while it is active, and for 24 h after its last fix or after it became inactive. */
export function isPublished(bulletin: Bulletin, now: number, clock: SilenceClock = () => now): boolean {
  if (bulletin.observed.length === 0 && !hasForecast(bulletin, now)) return false;
  if (isActive(bulletin, now, clock(bulletin))) return true;
  if (bulletin.isFinal) return now - lastFixTime(bulletin) <= PUBLISHED_AFTER_END_S;
  const before = now - PUBLISHED_AFTER_END_S;
  return isActive(bulletin, before, clock(bulletin, before));
}

/**
 * A removed storm stays on record for this long. Whatever a mirror still has of it is silent for longer than a storm may be
 * by then.
 */
const REMEMBERED_S = 14 * 24 * HOUR_S;

/**
 * Returns the storms that have ended and are no longer published, with their last fix. A deck that stays in the mirror does
 * not say that its storm has ended, and would publish it once more.
 * @param removed Storms that are known as removed so far.
 * @param removed Those that are known so far.
 * @param previous Bulletins of the refresh before.
 * @param published Bulletins of this refresh.
 */
export function removedStorms(
  removed: readonly Bulletin[],
  previous: readonly Bulletin[],
  published: readonly Bulletin[],
  now: number,
): Bulletin[] {
  const gone = [...previous, ...removed].filter(
    (bulletin) =>
      bulletin.isFinal &&
      now - lastFixTime(bulletin) <= REMEMBERED_S &&
      !published.some((each) => isSameId(each, bulletin)),
  );
  return gone.map(({ forecast: _, observed, ...rest }) => ({ ...rest, observed: observed.slice(-1) }));
}

function hasForecast({ forecast }: Bulletin, now: number): boolean {
  return forecast !== undefined && now < forecastTerms(forecast.base).withdrawn_at;
}

/**
 * Returns the clock of silence of each storm. For a storm that was published before, it is the newest text of its centre. A
 * storm that is new here and was silent for long has ended, whatever the feed does.
 *
 * @param previous Bulletins of the refresh before.
 * @param newestText Time of the newest text of the storm's centre, Unix seconds; undefined if none has a time.
 */
export function silenceClock(
  previous: readonly Bulletin[],
  newestText: (bulletin: Bulletin) => number | undefined,
  now: number,
): SilenceClock {
  return (bulletin, at = now) => {
    const isKnown = previous.some((each) => isSameId(each, bulletin));
    if (!isKnown) return at;
    return Math.min(at, Math.max(newestText(bulletin) ?? at, at - MAX_STANDSTILL_S));
  };
}

/** Time of the newest fix of a bulletin, or of its text if it has no fix, Unix seconds. */
export function lastFixTime({ observed, issued }: Bulletin): number {
  return observed.at(-1)?.time ?? issued;
}

/** Time of the newest fix or forecast of a bulletin, or of the newest text on an invest, Unix seconds. */
function newestTime({ observed, forecast, issued, isInvest }: Bulletin): number {
  const text = isInvest ? issued : undefined;
  const times = [observed.at(-1)?.time, forecast?.base, text].filter((time) => time !== undefined);
  return times.length > 0 ? Math.max(...times) : issued;
}

/** A storm in memory, without its bulletin. */
export interface HeldStorm {
  /** The entry as it was stored. */
  entry: StormEntry;
  /** The storm has ended from this time on unless something new is received, Unix seconds; infinite while a list has it. */
  endsAt: number;
}

/** @param from Unix seconds: when the storm was stored. */
export function heldStorm(storm: StormRecord | HeldStorm, from: number): HeldStorm {
  const { entry } = storm;
  if ("endsAt" in storm) return { entry, endsAt: storm.endsAt };
  return { entry, endsAt: entry.is_active ? endOfSilence(storm.bulletin, from) : Number.POSITIVE_INFINITY };
}

/**
 * The first second at which a storm counts as ended if its feed stands still for good, Unix seconds. The silence of such a
 * feed counts from the end of the longest standstill, as in `silenceClock`.
 */
function endOfSilence(bulletin: Bulletin, from: number): number {
  if (bulletin.isFinal) return from;
  if (bulletin.isListed === true) return Number.POSITIVE_INFINITY;
  const silentUntil = newestTime(bulletin) + maxSilence(bulletin) + MAX_STANDSTILL_S;
  return Math.max(from, silentUntil + 1, (bulletin.alertUntil ?? Number.NEGATIVE_INFINITY) + 1);
}

/** NHC, JTWC and JMA renew forecasts every 6 h; after this long two of them are missing. */
const STALE_AFTER_S = 12 * HOUR_S;

/** A cone of this age no longer contains the storm as often as it states. */
const WITHDRAWN_AFTER_S = 24 * HOUR_S;

/** Texts on a storm come every 3 to 6 h; on an invest less regularly. */
const OVERDUE_AFTER_S = { storm: 12 * HOUR_S, invest: 18 * HOUR_S } as const;

/** The times at which a forecast of a base time is marked as stale and withdrawn, Unix seconds. */
export function forecastTerms(base: number): { stale_at: number; withdrawn_at: number } {
  return { stale_at: base + STALE_AFTER_S, withdrawn_at: base + WITHDRAWN_AFTER_S };
}

/**
 * Returns an entry as it is at a time: what is old is marked, and a forecast that is too old is left out. Entries are
 * stored as they were made, and age also while no refresh runs.
 *
 * @param now Weather clock, Unix seconds.
 * @param endsAt The storm has ended by silence from this time on, Unix seconds.
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

/** Whether an aged entry still has anything to publish. */
export function hasPosition({ tracks }: StormEntry): boolean {
  return tracks.observed.length > 0 || tracks.forecast !== undefined;
}

/** The next time at which an entry changes by its age alone, Unix seconds; infinite if there is none. */
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
