import { type Guests, openGuests } from "#server/http/guests.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";

/**
 * Opens access for visitors without a key. By default they are let in only while the demo answers, so they do not see
 * the data that replaces it.
 *
 * @param isSynthetic Whether the demo answers now.
 * @returns undefined where GUESTS is off.
 */
export function guestsOf(
  { guests: { mode, ofDemo, limit }, publicUrl, trustedProxies }: Env,
  isSynthetic: () => Promise<boolean>,
  secret: string,
  clock: Clock,
): Guests | undefined {
  if (mode === "off") return undefined;
  const isOpen = ofDemo ? isSynthetic : undefined;
  return openGuests({ mode, limit, secret, clock, publicUrl, isProxied: trustedProxies > 0, isOpen });
}
