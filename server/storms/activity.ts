import type { Bulletin } from "./bulletin.ts";

const HOUR_S = 3600;

/** A storm of which nothing was heard for so long has ended. Bulletins come every 3 to 6 h. */
const SILENCE_S = { storm: 24 * HOUR_S, invest: 18 * HOUR_S } as const;

/** Time of the newest fix or forecast of a bulletin, Unix seconds. */
function newestTime({ observed, forecast, issued }: Bulletin): number {
  const times = [observed.at(-1)?.time, forecast?.base].filter((time) => time !== undefined);
  return times.length > 0 ? Math.max(...times) : issued;
}

/** Whether the provider still tracks a storm. @param now Unix seconds. */
export function isActive(bulletin: Bulletin, now: number): boolean {
  const silence = bulletin.isInvest ? SILENCE_S.invest : SILENCE_S.storm;
  return !bulletin.isFinal && now - newestTime(bulletin) <= silence;
}
