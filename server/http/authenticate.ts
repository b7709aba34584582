import type { Limit } from "#lib/contract/limit.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { ApiRequest, Reply } from "./api-request.ts";
import { HttpError } from "./errors.ts";
import type { KeyRecord } from "./keys.ts";
import {
  type Allowance,
  failedKeyLimit,
  limitReply,
  type RateGroup,
  rateGroups,
  rateHeaders,
} from "./rate-limit.ts";
import { detailReply } from "./reply.ts";
import type { RequestContext } from "./request-context.ts";

/** The caller, and the rate limit headers of every reply to it. */
export interface Authentication {
  caller: KeyRecord;
  headers: Record<string, string>;
}

/**
 * Key and limit, before a byte of the body is read: 403 without a key, 401 with a wrong one, 429 beyond the limit.
 *
 * Throws `HttpError`.
 */
export async function authenticate(
  request: ApiRequest,
  context: RequestContext,
  group: RateGroup,
): Promise<Authentication> {
  const secret = request.header("x-api-key");
  if (!secret)
    throw new HttpError(detailReply(403, "Not authenticated: send your API key in the header x-api-key"));
  const found = context.keys.find(secret);
  const caller = found instanceof Promise ? await found.catch(cannotCheck) : found;
  if (!caller) throw new HttpError(await wrongKeyReply(request, context));

  const taken = take(context, group, caller.id, caller.limit ?? rateGroups[group]);
  return { caller, headers: taken instanceof Promise ? await taken : taken };
}

/**
 * Counts a request that carries no key for the address it came from: 429 beyond the limit of the group.
 *
 * @returns The headers of its limit. Throws `HttpError`.
 */
export async function countAddress(
  request: ApiRequest,
  context: RequestContext,
  group: RateGroup,
): Promise<Record<string, string>> {
  return take(context, group, `address:${request.address}`, rateGroups[group]);
}

/** Counts one request of a subject. @returns The rate limit headers of every reply to it. */
function take(
  context: RequestContext,
  group: RateGroup,
  subject: string,
  limit: Limit,
): Record<string, string> | Promise<Record<string, string>> {
  const counted = (allowance: Allowance) => {
    const headers = rateHeaders(group, limit, allowance);
    if (allowance.allowed) return headers;
    const reply = limitReply(limit, allowance);
    throw new HttpError({ ...reply, headers: { ...reply.headers, ...headers } });
  };
  const taken = context.limiter.take(`${group}:${subject}`, limit);
  return taken instanceof Promise ? taken.then(counted) : counted(taken);
}

/** The database is unavailable: our failure, which says nothing about the key. */
function cannotCheck(cause: unknown): never {
  throw new UnavailableError("Keys cannot be checked at the moment", 5, { cause });
}

/** 401; 429 for an address that keeps guessing. Every key is looked up first, so a valid one is never blocked. */
async function wrongKeyReply(request: ApiRequest, context: RequestContext): Promise<Reply> {
  const allowance = await context.limiter.take(`failed-keys:${request.address}`, failedKeyLimit);
  if (!allowance.allowed) return limitReply(failedKeyLimit, allowance);
  return detailReply(401, "Invalid API key", { "www-authenticate": "ApiKey" });
}
