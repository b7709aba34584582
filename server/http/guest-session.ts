import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "#server/platform/clock.ts";

/** State of the session that a request carries. */
export type SessionState = "valid" | "ended" | "forged";

/** Sessions of visitors without a key. One names nobody: it is an end and its signature, and nothing of it is stored. */
export interface GuestSessions {
  /** The text of a session that begins now. */
  begin(): string;
  /** @param minSeconds How long it must remain valid. */
  check(session: string, minSeconds?: number): SessionState;
}

/** How long a session is valid, seconds. */
export const SESSION_S = 1800;

/** How far the clocks of two replicas may be apart, seconds: one of them is of a version that has its machine's. */
const SKEW_S = 60;

/**
 * Signs with HMAC-SHA256, truncated to 128 bits, under a key derived from the service's secret.
 *
 * @param secret The same in every replica. Sessions become invalid when it changes.
 * @param clock The same in every replica: the database's.
 */
export function guestSessions(secret: string, clock: Clock): GuestSessions {
  const key = createHmac("sha256", secret).update("guest sessions").digest();
  const macOf = (ends: string) => createHmac("sha256", key).update(ends).digest().subarray(0, 16);
  return {
    begin() {
      const ends = String(Math.floor(clock.now()) + SESSION_S);
      return `${ends}.${macOf(ends).toString("base64url")}`;
    },
    check(session, minSeconds = -SKEW_S) {
      const [, ends = "", mac = ""] = /^(\d{1,12})\.([\w-]{22})$/.exec(session) ?? [];
      const given = Buffer.from(mac, "base64url");
      const expected = macOf(ends);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
      const secondsLeft = Number(ends) - clock.now();
      // One that ends later was signed by a clock that is wrong, or before this one was set back.
      return secondsLeft > minSeconds && secondsLeft <= SESSION_S + SKEW_S ? "valid" : "ended";
    },
  };
}
