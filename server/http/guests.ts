import type { Limit } from "#lib/contract/limit.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { ApiRequest } from "./api-request.ts";
import { addressGroup } from "./client-address.ts";
import { comesFromPage, type Headed } from "./from-page.ts";
import { guestSessions, SESSION_S } from "./guest-session.ts";
import type { KeyRecord } from "./keys.ts";
import { detailReply, HttpError } from "./reply.ts";

/** Visitors without a key, as the setting GUESTS lets them in. */
export interface Guests {
  /** `map`: through the pages, by a session. `api`: programs too, without one. */
  mode: "map" | "api";
  /** Of one address, for each group of operations but frames. */
  limit: Limit;
  /** Whether a request was sent by a page of this service. */
  comesFromPage(request: Headed): boolean;
  /** Whether a request carries a session that is valid. */
  hasSession(request: Headed): boolean;
  /** `Set-Cookie` of a session that begins now; undefined where the request carries one that is still valid for long. */
  cookieFor(request: Headed): string | undefined;
}

export interface GuestSettings extends Pick<Guests, "mode" | "limit"> {
  /** Secret that sessions are signed with, the same in every replica. */
  secret: string;
  /** The database's clock. */
  clock: Clock;
  /** Where people reach the service. */
  publicUrl: string;
  /** Whether the headers that proxies write can be trusted. */
  isProxied: boolean;
}

const COOKIE = "metocean-guest";

/** A page that is loaded gets a new session unless the one that it has is valid for this long, seconds. */
const RENEWED_S = SESSION_S / 2;

export function openGuests({ mode, limit, secret, clock, publicUrl, isProxied }: GuestSettings): Guests {
  const sessions = guestSessions(secret, clock);
  const isSecure = (request: Headed) =>
    publicUrl.startsWith("https:") || (isProxied && lastOf(request.header("x-forwarded-proto")) === "https");
  return {
    mode,
    limit,
    comesFromPage: (request) => comesFromPage(request, publicUrl),
    hasSession: (request) => sessionsOf(request).some((text) => sessions.check(text) === "valid"),
    cookieFor(request) {
      if (sessionsOf(request).some((text) => sessions.check(text, RENEWED_S) === "valid")) return undefined;
      const attributes = `Path=/; Max-Age=${SESSION_S}; HttpOnly; SameSite=Strict`;
      return `${COOKIE}=${sessions.begin()}; ${attributes}${isSecure(request) ? "; Secure" : ""}`;
    },
  };
}

/**
 * The caller that a visitor is. Whoever comes from the same address is the same one, to limits and to queues.
 *
 * @param isOpen Whether the operation is open to visitors.
 * @throws HttpError of 403, in words for a visitor.
 */
export function guestOf(request: ApiRequest, guests: Guests | undefined, isOpen: boolean): KeyRecord {
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

/** The nearest of several proxies writes last. */
function lastOf(list: string | undefined): string | undefined {
  return list?.split(",").at(-1)?.trim().toLowerCase();
}

/** Cookies of one name: another path or a parent domain may have set a second one. */
function sessionsOf(request: Headed): string[] {
  const cookies = request.header("cookie")?.split(";") ?? [];
  return cookies
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${COOKIE}=`))
    .map((cookie) => cookie.slice(COOKIE.length + 1))
    .slice(0, 4);
}
