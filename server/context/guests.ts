import { type Guests, openGuests } from "#server/http/guests.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";

/**
 * Visitors without a key. By default they are let in while the demo world answers: data that replaces it is not shown to them.
 *
 * @param isSynthetic Whether the demo world answers now.
 * @returns undefined where nobody is ever let in without a key.
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
