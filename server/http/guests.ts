import { createHmac, timingSafeEqual } from "node:crypto";
import type { Limit } from "#lib/contract/limits.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { ApiRequest, Caller, Headed } from "./api-request.ts";
import { addressGroup, hostOf } from "./client-address.ts";
import { detailReply, HttpError } from "./reply.ts";

/** Visitors without a key, as the setting GUESTS lets them in. */
export interface Guests {
  /** `map`: through the pages, by a session. `api`: programs too, without one. */
  mode: "map" | "api";
  /** Limit of one address for each group of operations except frames. */
  limit: Limit;
  /** Returns whether visitors are let in now; called for every request without a key. */
  isOpen(): Promise<boolean>;
  /** Returns whether a request was sent by a page of this service. */
  comesFromPage(request: Headed): boolean;
  /** Returns whether a request carries a valid session. */
  hasSession(request: Headed): boolean;
  /** `Set-Cookie` of a session that begins now; undefined where the request carries one that is still valid for long. */
  cookieFor(request: Headed): string | undefined;
}

export interface GuestSettings extends Pick<Guests, "mode" | "limit"> {
  /** Secret that sessions are signed with, the same in every replica. */
  secret: string;
  /** The database's clock. */
  clock: Clock;
  /** Address at which people reach the service. */
  publicUrl: string;
  /** Whether the headers that proxies write can be trusted. */
  isProxied: boolean;
  /** Returns whether visitors are let in now; if absent, they always are. */
  isOpen?: (() => Promise<boolean>) | undefined;
}

/** How long a session is valid, seconds. */
export const SESSION_S = 1800;

const COOKIE = "metocean-guest";

/** A page that is loaded gets a new session unless the one that it has is valid for this long, seconds. */
const RENEWED_S = SESSION_S / 2;

export function openGuests({
  mode,
  limit,
  secret,
  clock,
  publicUrl,
  isProxied,
  isOpen = async () => true,
}: GuestSettings): Guests {
  const sessions = guestSessions(secret, clock);
  const isSecure = (request: Headed) =>
    publicUrl.startsWith("https:") || (isProxied && lastOf(request.header("x-forwarded-proto")) === "https");
  return {
    mode,
    limit,
    isOpen,
    comesFromPage: (request) => comesFromPage(request, publicUrl),
    hasSession: (request) => sessionsOf(request).some((text) => sessions.check(text) === "valid"),
    cookieFor(request) {
      if (sessionsOf(request).some((text) => sessions.check(text, RENEWED_S) === "valid")) return undefined;
      const attributes = `Path=/; Max-Age=${SESSION_S}; HttpOnly; SameSite=Strict`;
      return `${COOKIE}=${sessions.begin()}; ${attributes}${isSecure(request) ? "; Secure" : ""}`;
    },
  };
}

/** Returns the visitors if they are let in now, otherwise undefined. */
export async function guestsNow(guests: Guests | undefined): Promise<Guests | undefined> {
  return guests && (await guests.isOpen()) ? guests : undefined;
}

/**
 * Returns the caller for a visitor. Limits and queues treat all visitors from one address as the same caller.
 *
 * @param guests The result of `guestsNow`.
 * @param isOpen Whether the operation is open to visitors.
 * @throws HttpError of 403, in words for a visitor.
 */
export function guestOf(request: ApiRequest, guests: Guests | undefined, isOpen: boolean): Caller {
  if (!guests) throw forbidden("Not authenticated: send your API key in the header x-api-key");
  if (!isOpen) {
    throw forbidden(
      "This needs an API key in the header x-api-key: visitors without one read the map, storms and feeds only",
    );
  }
  if (guests.mode === "map" && !(guests.comesFromPage(request) && guests.hasSession(request))) {
    throw forbidden(
      "Visitors read the map through its page, by a session that is missing or has ended here: open the page again, or send " +
        "an API key in the header x-api-key",
    );
  }
  const address = addressGroup(request.address);
  return { id: `address:${address}`, prefix: "guest", owner: address, isGuest: true };
}

export function forbidden(detail: string): HttpError {
  return new HttpError(detailReply(403, detail));
}

/** Returns the last entry, which the nearest of several proxies has written. */
function lastOf(list: string | undefined): string | undefined {
  return list?.split(",").at(-1)?.trim().toLowerCase();
}

/** Returns all session cookies, since another path or a parent domain may have set a second one. */
function sessionsOf(request: Headed): string[] {
  const cookies = request.header("cookie")?.split(";") ?? [];
  return cookies
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${COOKIE}=`))
    .map((cookie) => cookie.slice(COOKIE.length + 1))
    .slice(0, 4);
}

/** State of the session that a request carries. */
type SessionState = "valid" | "ended" | "forged";

/**
 * Sessions of visitors without a key. A session identifies nobody: it is an end time and its signature, and nothing of
 * it is stored.
 */
interface GuestSessions {
  /** Returns the text of a session that begins now. */
  begin(): string;
  /** @param minSeconds How long it must remain valid. */
  check(session: string, minSeconds?: number): SessionState;
}

/**
 * How far the clocks of two replicas may differ, seconds: one of them may be of a version that uses its machine's
 * clock.
 */
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
      // A session that ends later was signed by a wrong clock, or before this clock was set back.
      return secondsLeft > minSeconds && secondsLeft <= SESSION_S + SKEW_S ? "valid" : "ended";
    },
  };
}

/**
 * Whether a request was sent by a page of this service. Browsers state this truthfully; a program can pretend.
 *
 * @param publicUrl Where people reach the service.
 */
export function comesFromPage(request: Headed, publicUrl: string): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = request.header("origin");
  if (origin !== undefined) return isOurs(origin, request, publicUrl);
  // Without TLS browsers send neither of the two when they read.
  return site !== undefined || isOurs(request.header("referer") ?? "", request, publicUrl);
}

function isOurs(url: string, request: Headed, publicUrl: string): boolean {
  const host = hostOf(url);
  // A proxy may replace the host that the browser has sent.
  return (
    host !== undefined && (host === request.header("host")?.toLowerCase() || host === new URL(publicUrl).host)
  );
}
