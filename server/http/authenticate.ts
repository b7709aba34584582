import { type Limit, parseLimit } from "#lib/contract/limits.ts";
import type { Clock } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { ApiRequest, Caller, Reply, RequestLog } from "./api-request.ts";
import { addressGroup, isCrossSite } from "./client-address.ts";
import { type Guests, guestOf, guestsNow } from "./guests.ts";
import type { IdempotentAnswers } from "./idempotency.ts";
import type { Allowance, RateLimiter } from "./rate-limiter.ts";
import { detailReply, HttpError, limitReply, withHeaders } from "./reply.ts";

/** The parts of the app context that the pipeline needs. */
export interface RequestContext {
  keys: {
    /** undefined for an unknown, expired or revoked key. */
    find(text: string): Promise<Caller | undefined>;
  };
  limiter: RateLimiter;
  /** Visitors without a key, who may be shut out at times: see `guestsNow`. Absent if they are never let in. */
  guests?: Guests;
  /** Answers given under an Idempotency-Key; if absent, the header is ignored. */
  answers?: IdempotentAnswers;
  /** Throws `UnavailableError` until the feeds that are on have brought their first forecast. */
  ensureData?(): Promise<void>;
  /** Real time, by the database's clock where replicas share one. */
  clock: Clock;
  /** The weather's clock, which may be frozen. */
  weather: Clock;
  log: RequestLog;
}

/** Groups of operations that are counted together, with the limit of a key that has none of its own. */
export const rateGroups = {
  data: limitOf("10 per 1 minute"),
  storms: limitOf("10 per 1 minute"),
  tasks: limitOf("300 per 1 minute"),
  frames: limitOf("3000 per 1 minute"),
} as const;

export type RateGroup = keyof typeof rateGroups;

/** Failed authentication, per address. It never blocks a valid key. */
export const failedKeyLimit = limitOf("100 per 1 minute");

/**
 * Checks key and limit before a byte of the body is read: 403 without a key, 401 with a wrong one, 429 beyond the
 * limit. A key always takes precedence over the session of a visitor. It is the header x-api-key, or the password of
 * HTTP Basic.
 *
 * @param openToGuests Whether visitors without a key may use the operation while the service lets them in.
 * @throws HttpError
 */
export async function authenticate(
  request: ApiRequest,
  context: RequestContext,
  group: RateGroup,
  openToGuests: boolean,
): Promise<Caller> {
  const given = oneOf(request.header("x-api-key"));
  const secret = given || basicSecret(request);
  let caller = secret ? await keyOf(secret, context) : undefined;
  if (secret && !caller) {
    // A proxy before the service may have a password of its own, which browsers send with every request of a page.
    const isOfProxy = !given && (await guestsNow(context.guests))?.hasSession(request);
    if (!isOfProxy) throw new HttpError(await wrongKeyReply(request, context));
  }
  const limit = caller ? (caller.limit ?? rateGroups[group]) : guestLimit(context, group);
  caller ??= guestOf(request, await guestsNow(context.guests), openToGuests);
  request.replyHeaders = await countRequest(context, group, caller.id, limit);
  return caller;
}

/**
 * Returns the single value of a header that was sent several times with the same value, which Node and proxies join
 * with commas.
 */
function oneOf(header: string | undefined): string | undefined {
  const values = new Set(header?.split(",").map((value) => value.trim()));
  return values.size === 1 ? [...values][0] : header;
}

async function keyOf(secret: string, { keys }: RequestContext): Promise<Caller | undefined> {
  try {
    return await keys.find(secret);
  } catch (cause) {
    // The database is unavailable, which is our failure and says nothing about the key.
    throw new UnavailableError("Keys cannot be checked at the moment", 5, { cause });
  }
}

/**
 * Rejects the password for changes requested by other sites, because browsers attach a known password to those requests
 * too.
 */
function basicSecret(request: ApiRequest): string | undefined {
  const isSafe = request.method === "GET" || request.method === "HEAD";
  if (!isSafe && isCrossSite(request)) return undefined;
  return basicPassword(request.header("authorization"));
}

/** Returns the password of HTTP Basic, for programs that cannot set a header; undefined if there is none. */
function basicPassword(authorization: string | undefined): string | undefined {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const credentials = Buffer.from(encoded, "base64").toString();
  const colon = credentials.indexOf(":");
  return colon < 0 ? undefined : credentials.slice(colon + 1);
}

/** Counts a request that carries no key for the address it came from: 429 beyond the limit. @throws HttpError */
export async function countAddress(
  request: ApiRequest,
  context: RequestContext,
  group: string,
  limit: Limit,
): Promise<void> {
  const subject = `address:${addressGroup(request.address)}`;
  request.replyHeaders = await countRequest(context, group, subject, limit);
}

/** Returns the limit of visitors of one address. Frames have the limit of signed paths, which are counted with them. */
export function guestLimit({ guests }: Pick<RequestContext, "guests">, group: RateGroup): Limit {
  return guests && group !== "frames" ? guests.limit : rateGroups[group];
}

/**
 * Counts one request of a subject: 429 beyond the limit.
 *
 * @param group A `RateGroup`, or a group that only its operations know.
 * @returns The rate limit headers of every reply to it. Throws `HttpError`.
 */
export async function countRequest(
  context: Pick<RequestContext, "limiter">,
  group: string,
  subject: string,
  limit: Limit,
): Promise<Record<string, string>> {
  const allowance = await context.limiter.take(`${group}:${subject}`, limit);
  const headers = rateHeaders(group, limit, allowance);
  if (allowance.allowed) return headers;
  throw new HttpError(withHeaders(limitReply(limit.text, allowance.resetSeconds), headers));
}

/**
 * Replies 401, or 429 for an address that keeps guessing. Every key is looked up first, so a valid one is never
 * blocked; lookups share queries, so that a flood of keys causes no flood of queries.
 */
async function wrongKeyReply(request: ApiRequest, context: RequestContext): Promise<Reply> {
  const allowance = await context.limiter.take(
    `failed-keys:${addressGroup(request.address)}`,
    failedKeyLimit,
  );
  if (!allowance.allowed) return limitReply(failedKeyLimit.text, allowance.resetSeconds);
  return detailReply(401, "Invalid API key", { "www-authenticate": "ApiKey" });
}

/**
 * The headers of a counted reply: `RateLimit-Policy` and `RateLimit` as draft-ietf-httpapi-ratelimit-headers-11 writes
 * them (structured fields: quota q, window w, remaining r, seconds to the reset t), and the older
 * `X-RateLimit-*`, whose reset is a Unix time, as slowapi's is.
 */
function rateHeaders(policy: string, limit: Limit, allowance: Allowance): Record<string, string> {
  const { remaining, resetSeconds, resetAt } = allowance;
  return {
    "ratelimit-policy": `"${policy}";q=${limit.count};w=${limit.periodSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    "x-ratelimit-limit": String(limit.count),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetAt),
  };
}

function limitOf(text: string): Limit {
  const limit = parseLimit(text);
  if (!limit) throw new TypeError(`${text} is not a limit`);
  return limit;
}
