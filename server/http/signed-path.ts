import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "#server/platform/clock.ts";

/** State of a grant for a subject. */
export type GrantState = "valid" | "expired" | "forged";

/**
 * Makes grants to read something without a key for a limited time. A grant is part of the path, so that a shared cache
 * can answer.
 */
export interface PathSigner {
  /** Returns a grant for a subject, the same for all callers within two hours. */
  grant(subject: string): string;
  /** Returns the state of a grant, and the seconds for which it remains valid. */
  check(grant: string, subject: string): { state: GrantState; secondsLeft: number };
}

/** Returns the Cache-Control of a reply to a grant: a shared cache drops the reply when the grant ends. */
export function cacheControlOf(secondsLeft: number): string {
  return `public, max-age=${secondsLeft}, immutable`;
}

/** Grants expire together, at whole multiples of this, so that caches see few different paths. */
const PERIOD_S = 2 * 3600;

/** A new grant is valid for at least this long, and at most a period longer. */
const MIN_S = 3600;

/** How far the clocks of two replicas may differ, seconds. */
const SKEW_S = 60;

/**
 * Signs with HMAC-SHA256, truncated to 128 bits, under a key derived from the service's secret.
 *
 * @param secret The same in every replica. Grants become invalid when it changes.
 * @param clock The same in every replica: the database's.
 */
export function pathSigner(secret: string, clock: Clock): PathSigner {
  const key = createHmac("sha256", secret).update("signed paths").digest();
  const macOf = (expires: string, subject: string) =>
    createHmac("sha256", key).update(`${expires}\0${subject}`).digest().subarray(0, 16);
  return {
    grant(subject) {
      const expires = String(Math.ceil((clock.now() + MIN_S) / PERIOD_S) * PERIOD_S);
      return `${expires}.${macOf(expires, subject).toString("base64url")}`;
    },
    check(grant, subject) {
      const [, expires = "", mac = ""] = /^(\d{1,12})\.([\w-]{22})$/.exec(grant) ?? [];
      const given = Buffer.from(mac, "base64url");
      const expected = macOf(expires, subject);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        return { state: "forged", secondsLeft: 0 };
      }
      const secondsLeft = Math.floor(Number(expires) - clock.now());
      // A grant that ends later than a new one was signed while the clock was ahead.
      const isValid = secondsLeft > 0 && secondsLeft <= MIN_S + PERIOD_S + SKEW_S;
      return isValid ? { state: "valid", secondsLeft } : { state: "expired", secondsLeft: 0 };
    },
  };
}
