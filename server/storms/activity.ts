import { HOUR_S } from "#lib/time.ts";
import type { Bulletin } from "./bulletin.ts";
import { forecastTerms } from "./entry-age.ts";
import { isSameId } from "./identity.ts";

/**
 * A storm without a new bulletin for this long has ended. Bulletins come every 3 to 6 h. The silence of an invest begins with
 * the newest text that names it: outlooks and alerts are hours younger than the fix that they state.
 */
const MAX_SILENCE_S = { storm: 24 * HOUR_S, invest: 18 * HOUR_S } as const;

/** How long a storm stays published after its end. */
const PUBLISHED_AFTER_END_S = 24 * HOUR_S;

/**
 * A feed that stands still holds back the end of its storms for this long. Its last storm of a season would otherwise stay
 * until the next one begins: a folder with nothing but decks never says that a storm is over.
 */
const MAX_STANDSTILL_S = 5 * 24 * HOUR_S;

/**
 * Until when the silence of a storm counts, Unix seconds: a feed that stands still says nothing about the end of a storm.
 * Without a time it is that of the refresh.
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
  const maxSilence = bulletin.isInvest ? MAX_SILENCE_S.invest : MAX_SILENCE_S.storm;
  const isSilent = Math.min(now, heardUntil) - newestTime(bulletin) > maxSilence;
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

/** How long a storm is remembered after it was removed. What stays of it in a mirror is longer silent by then. */
const REMEMBERED_S = 14 * 24 * HOUR_S;

/**
 * Storms that had ended and are no longer published, with their last fix: a deck that stays in the mirror does not say that
 * its storm has ended, and would publish it once more.
 *
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
 * The clock of storms that were published before is that of their centre's newest text. A storm that is new here and was
 * silent for long has ended, whatever the feed does.
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
