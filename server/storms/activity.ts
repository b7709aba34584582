import type { Bulletin } from "./bulletin.ts";

const HOUR_S = 3600;

/** A storm without a new bulletin for this long has ended. Bulletins come every 3 to 6 h. */
const MAX_SILENCE_S = { storm: 24 * HOUR_S, invest: 18 * HOUR_S } as const;

/** How long a storm stays published after its end. */
const PUBLISHED_AFTER_END_S = 24 * HOUR_S;

/** Whether the provider still tracks a storm. @param now Unix seconds. */
export function isActive(bulletin: Bulletin, now: number): boolean {
  const maxSilence = bulletin.isInvest ? MAX_SILENCE_S.invest : MAX_SILENCE_S.storm;
  return !bulletin.isFinal && now - newestTime(bulletin) <= maxSilence;
}

/** Whether a storm is published: while it is active, and for 24 h after its last fix or after it became inactive. */
export function isPublished(bulletin: Bulletin, now: number): boolean {
  if (isActive(bulletin, now)) return true;
  return bulletin.isFinal
    ? now - lastFixTime(bulletin) <= PUBLISHED_AFTER_END_S
    : isActive(bulletin, now - PUBLISHED_AFTER_END_S);
}

/** Time of the newest fix of a bulletin, or of its text if it has no fix, Unix seconds. */
export function lastFixTime({ observed, issued }: Bulletin): number {
  return observed.at(-1)?.time ?? issued;
}

/** Time of the newest fix or forecast of a bulletin, Unix seconds. */
function newestTime({ observed, forecast, issued }: Bulletin): number {
  const times = [observed.at(-1)?.time, forecast?.base].filter((time) => time !== undefined);
  return times.length > 0 ? Math.max(...times) : issued;
}
