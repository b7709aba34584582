import type { Limit } from "#lib/contract/limit.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { detailReply, HttpError } from "./errors.ts";
import type { ApiRequest, Reply } from "./exchange.ts";
import type { KeyRecord } from "./keys.ts";
import {
  type Allowance,
  failedKeyLimit,
  limitReply,
  type RateGroup,
  rateGroups,
  rateHeaders,
} from "./rate-limit.ts";
import type { RequestContext } from "./request-context.ts";

/** A caller that was let in, and the headers that every reply to it carries from here on. */
export interface Authentication {
  caller: KeyRecord;
  headers: Record<string, string>;
}

/**
 * Key and limit, before a byte of the body is read: 403 without a key, 401 with a wrong one, 429 beyond the limit.
 *
 * Throws `Refusal`.
 */
export async function authenticate(
  request: ApiRequest,
  door: RequestContext,
  group: RateGroup,
): Promise<Authentication> {
  const secret = request.header("x-api-key");
  if (!secret)
    throw new HttpError(detailReply(403, "Not authenticated: send your API key in the header x-api-key"));
  const found = door.keys.find(secret);
  const caller = found instanceof Promise ? await found.catch(cannotCheck) : found;
  if (!caller) throw new HttpError(await wrongKeyReply(request, door));

  const taken = take(door, group, caller.id, caller.limit ?? rateGroups[group]);
  return { caller, headers: taken instanceof Promise ? await taken : taken };
}

/**
 * Counts a request that carries no key for the address it came from: 429 beyond the limit of the group.
 *
 * @returns The headers of its limit. Throws `Refusal`.
 */
export async function countAddress(
  request: ApiRequest,
  door: RequestContext,
  group: RateGroup,
): Promise<Record<string, string>> {
  return take(door, group, `address:${request.address}`, rateGroups[group]);
}

/** Counts one request of `who`, and makes the headers of every reply to it. */
function take(
  door: RequestContext,
  group: RateGroup,
  who: string,
  limit: Limit,
): Record<string, string> | Promise<Record<string, string>> {
  const counted = (allowance: Allowance) => {
    const headers = rateHeaders(group, limit, allowance);
    if (allowance.allowed) return headers;
    const reply = limitReply(limit, allowance);
    throw new HttpError({ ...reply, headers: { ...reply.headers, ...headers } });
  };
  const taken = door.limiter.take(`${group}:${who}`, limit);
  return taken instanceof Promise ? taken.then(counted) : counted(taken);
}

/** The database is away: that is ours, and says nothing of the key. */
function cannotCheck(cause: unknown): never {
  throw new UnavailableError("Keys cannot be checked at the moment", 5, { cause });
}

/** 401; 429 for an address that keeps guessing. The key was looked up all the same, so a valid one is never blocked. */
async function wrongKeyReply(request: ApiRequest, door: RequestContext): Promise<Reply> {
  const allowance = await door.limiter.take(`failed-keys:${request.address}`, failedKeyLimit);
  if (!allowance.allowed) return limitReply(failedKeyLimit, allowance);
  return detailReply(401, "Invalid API key", { "www-authenticate": "ApiKey" });
}
