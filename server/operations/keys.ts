import { z } from "zod";
import { type Limit, parseLimit } from "#lib/contract/limits.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { countAddress, guestLimit } from "#server/http/authenticate.ts";
import { comesFromPage, forbidden, guestsNow } from "#server/http/guests.ts";
import { detailReply, HttpError, jsonReply, limitReply, noStore } from "#server/http/reply.ts";
import { bodyReader, jsonBytes } from "#server/http/validation.ts";
import { dailyLimit, type KeyRequests, mailboxOf } from "#server/keys/key-requests.ts";
import { type OperationDefinition, openOperation } from "./definition.ts";

const BODY_BYTES = 4096;

const limits = {
  /** Limit of e-mails that one network address requests. */
  requests: parseLimit("5 per 1 hour")!,
  redeems: parseLimit("30 per 1 hour")!,
};

/**
 * Excludes characters that end an address or a header, and invisible ones: controls, zero-width marks and unpaired
 * surrogates.
 */
const ADDRESS = /^[^\s\p{C}<>",;:\\()[\]@]+@[^\s\p{C}<>",;:\\()[\]@]+\.[^\s\p{C}<>",;:\\()[\]@]+$/u;

const requestBody = z.object({
  email: z
    .string()
    .max(254)
    .regex(ADDRESS, "Input should be an e-mail address")
    .refine((address) => mailboxOf(address) !== undefined, "Input should be an e-mail address"),
});

const redeemBody = z.object({ token: z.string().min(1).max(200) });

/** POST /key_requests: sends a link to a key to an e-mail address. The reply is the same whatever the address. */
export const requestKey = keyOperation(
  "/key_requests",
  requestBody,
  ["key_requests", limits.requests],
  async ({ email }, requests) => {
    const resetSeconds = await requests.request(mailboxOf(email)!);
    if (resetSeconds !== undefined) throw new HttpError(limitReply(dailyLimit.text, resetSeconds));
    const detail = "If mail reaches this address, a link to a key is on its way. It works once, for an hour.";
    return jsonReply(202, { detail }, noStore);
  },
);

/** POST /key_requests/redeem: makes the key. GET never does, because programs that check mails open their links. */
export const redeemKey = keyOperation(
  "/key_requests/redeem",
  redeemBody,
  ["key_redeems", limits.redeems],
  async ({ token }, requests) => {
    const key = await requests.redeem(token);
    return key === undefined
      ? detailReply(410, "This link was used before, or has expired. Please request another one.")
      : jsonReply(201, { key }, noStore);
  },
);

/** Defines a POST of JSON by a page of this service, without a key. */
function keyOperation<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  counted: [group: string, limit: Limit],
  handle: (body: z.output<Schema>, requests: KeyRequests) => Promise<Reply>,
): OperationDefinition {
  const { read } = bodyReader(schema);
  const answer = async (request: ApiRequest, context: Context): Promise<Reply> => {
    const requests = context.keyRequests!;
    if (!comesFromPage(request, requests.publicUrl))
      throw forbidden("Keys can be requested only on the page of this service");
    await countAddress(request, context, ...counted);
    const body = read(await jsonBytes(request, BODY_BYTES), context.weather.now());
    return handle(body, requests);
  };
  return {
    ...openOperation({ route: `POST ${path}` }, answer),
    isOn: ({ keyRequests }) => keyRequests !== undefined,
  };
}

/**
 * POST /guests/session: a new session for a page whose session has ended. The reply with the page itself carries the
 * first one.
 */
export const guestSession = {
  ...openOperation({ route: "POST /guests/session" }, async (request, context) => {
    await countAddress(request, context, "tasks", guestLimit(context, "tasks"));
    const guests = await guestsNow(context.guests);
    if (!guests?.comesFromPage(request)) throw forbidden("Only a page of this service can start a session");
    const cookie = guests.cookieFor(request);
    return { status: 204, headers: { ...noStore, ...(cookie && { "set-cookie": cookie }) }, body: null };
  }),
  isOn: ({ guests }: { guests?: { mode: string } }) => guests?.mode === "map",
};
