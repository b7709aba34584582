import { createHash } from "node:crypto";
import { z } from "zod";
import { channelLink, channelRequest } from "#lib/contract/channels.ts";
import { parseLimit } from "#lib/contract/limits.ts";
import { idParameter, notModified, rateLimited, reply } from "#lib/contract/openapi.ts";
import { mailWordsIn } from "#server/alerts/alert-mail.ts";
import { ChannelError } from "#server/alerts/channels.ts";
import { noticeMessage } from "#server/alerts/delivery-queue.ts";
import { ForbiddenTargetError } from "#server/alerts/post-once.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { countAddress, countRequest } from "#server/http/authenticate.ts";
import { conditionalReply, detailReply, HttpError, invalid, jsonReply, noStore } from "#server/http/reply.ts";
import { bodyReader, checkerOf, jsonBytes } from "#server/http/validation.ts";
import {
  bodyOperation,
  countedOperation,
  type OperationDefinition,
  openOperation,
  type ReadRequest,
  readOperation,
} from "./definition.ts";

const parameters = [
  idParameter(
    "channel_id",
    { operationId: "getChannels", pointer: "/channels/0/id" },
    { operationId: "postChannel", pointer: "/id" },
  ),
];

const notFoundReply = { "404": reply("No channel of the caller's has this id", "DetailError") };

const BODY_BYTES = 8192;

/** Limits of e-mails that ask whether an address wants alerts: for an owner, to an address, and in all. */
const mailLimits = {
  owner: parseLimit("10 per 1 day")!,
  address: parseLimit("3 per 1 day")!,
  all: parseLimit("300 per 1 day")!,
};

/** Limit of an owner's tests, each of which sends a request to somebody's host. */
const testLimit = parseLimit("30 per 1 hour")!;

export const channels = readOperation(
  {
    route: "GET /channels",
    operationId: "getChannels",
    summary: "Channels to which alerts are sent",
    replies: { "200": reply("The channels, oldest first, without their secrets", "ChannelList") },
  },
  async ({ context, caller }) => {
    const list = {
      channels: await context.channels.list(caller.owner),
      mail: context.channels.sendsMail,
      calendar: await context.calendars.isOpen(caller.owner),
    };
    return jsonReply(200, list, noStore);
  },
);

export const createChannel = bodyOperation(
  {
    route: "POST /channels",

    schemaName: "ChannelRequest",
    limitBytes: BODY_BYTES,

    reader: bodyReader(channelRequest),
    operationId: "postChannel",
    summary: "Add a channel for alerts",
    description:
      "Webhooks and topics of ntfy are used at once. An e-mail address receives only a link until its reader has " +
      "confirmed it. Targets in private networks are refused unless the operator allows them. The secret of a " +
      "webhook is shown only in this reply.",
    replies: {
      "201": reply("The channel", "ChannelCreated"),
      "409": reply(
        "A channel with this target exists, or there are too many channels, or the first request with this Idempotency-Key is still open",
        "DetailError",
      ),
    },
  },
  async ({ body, context, caller }) => {
    const isMail = body.kind === "mail";
    try {
      if (isMail) {
        // A refused request uses up no allowance.
        await context.channels.checkNewAddress(caller.owner, body.target);
        await countMail(context, caller.owner, body.target);
      }
      const { channel, secret } = await context.channels.create(caller.owner, body);
      if (isMail) context.channels.sendConfirmation(channel, body.language ?? "en");
      return jsonReply(201, { ...channel, secret }, noStore);
    } catch (error) {
      if (error instanceof ForbiddenTargetError)
        throw invalid({ type: "value_error", loc: ["body", "target"], msg: `Value error, ${error.message}` });
      if (!(error instanceof ChannelError)) throw error;
      if (error.reason !== "no mail") return detailReply(409, error.message);
      throw invalid({ type: "value_error", loc: ["body", "kind"], msg: `Value error, ${error.message}` });
    }
  },
);

export const deleteChannel = readOperation(
  {
    route: "DELETE /channels/{channel_id}",
    operationId: "deleteChannel",
    summary: "Delete a channel",
    parameters,
    replies: { "204": { description: "The channel is deleted" }, ...notFoundReply },
  },
  async ({ context, caller, request }) => {
    const removed = await context.channels.remove(caller.owner, request.params.channel_id ?? "");
    if (!removed) throw notFound();
    return { status: 204, headers: noStore, body: null };
  },
);

export const testChannel = readOperation(
  {
    // The target alone may use the full time of an answer.
    takesOwnTime: true,
    route: "POST /channels/{channel_id}/test",

    query: z.object({ language: z.string().max(10).default("en") }),
    operationId: "postChannelTest",
    summary: "Send a test to a channel",
    description:
      "Sends a test in the way of an alert, but only once. If it arrives, a disabled channel is enabled again. Only " +
      "the status of the target's reply is reported.",
    parameters: [...parameters, { name: "language", in: "query", schema: { type: "string", default: "en" } }],
    replies: {
      "200": reply("Result of the test", "ChannelTest"),
      ...notFoundReply,
      "409": reply("The address of the channel is not confirmed", "DetailError"),
      "422": reply("The query breaks a rule", "ValidationError"),
    },
    limits: { tests_of_owner: testLimit.text },
  },
  async (read) => {
    const { context, caller, query } = read;
    const { id } = await ownChannel(read);
    await countRequest(context, "channel_tests", `owner:${caller.owner}`, testLimit);
    const { trial } = mailWordsIn(query.language);
    const message = noticeMessage("test", query.language, trial);
    const outcome = await context.deliveries.test(caller.owner, id, message);
    if (!outcome) return detailReply(409, "The reader of this address has not confirmed it");
    if (outcome.kind === "delivered")
      return jsonReply(200, { delivered: true, error: null, error_code: null }, noStore);
    const { code, error } = outcome;
    return jsonReply(200, { delivered: false, error, error_code: code }, noStore);
  },
);

export const renewChannelSecret = readOperation(
  {
    route: "POST /channels/{channel_id}/secret",
    operationId: "postChannelSecret",
    summary: "Replace the secret of a webhook",
    description:
      "For a day requests are signed with both secrets, so that receivers have time to change theirs.",
    parameters,
    replies: {
      "200": reply("The new secret", "ChannelSecret"),
      ...notFoundReply,
      "409": reply("The channel is not a webhook", "DetailError"),
    },
  },
  async (read) => {
    const { id } = await ownChannel(read);
    const secret = await read.context.channels.renewSecret(read.caller.owner, id);
    if (secret === undefined) return detailReply(409, "Only a webhook has a secret");
    return jsonReply(200, { secret }, noStore);
  },
);

export const askConfirmation = readOperation(
  {
    route: "POST /channels/{channel_id}/confirmation",

    query: z.object({ language: z.string().max(10).default("en") }),
    operationId: "postChannelConfirmation",
    summary: "Send the link that confirms an address again",
    parameters: [...parameters, { name: "language", in: "query", schema: { type: "string", default: "en" } }],
    replies: {
      "202": { description: "The e-mail will be sent", headers: rateLimited },
      ...notFoundReply,
      "409": reply("The channel has no address to confirm", "DetailError"),
      "422": reply("The query breaks a rule", "ValidationError"),
    },
  },
  async (read) => {
    const { context, caller, query } = read;
    const channel = await ownChannel(read);
    const isWaiting = channel.state === "unconfirmed" || channel.state === "unsubscribed";
    if (!isWaiting || !context.channels.sendsMail)
      return detailReply(409, "The channel has no address to confirm");
    await countMail(context, caller.owner, channel.target);
    context.channels.sendConfirmation(channel, query.language);
    return { status: 202, headers: noStore, body: null };
  },
);

/** The same reply for an unknown channel, one of another owner and a malformed id. */
const notFound = () => new HttpError(detailReply(404, "Channel not found"));

async function ownChannel({ context, caller, request }: ReadRequest<unknown>) {
  const found = await context.channels.find(caller.owner, request.params.channel_id ?? "");
  if (!found) throw notFound();
  return found;
}

/** Counts an e-mail, so that nobody uses this service to send e-mails to strangers. Throws `HttpError` of 429. */
async function countMail(context: Context, owner: string, address: string): Promise<void> {
  await countRequest(context, "channel_mails", `owner:${owner}`, mailLimits.owner);
  await countRequest(context, "channel_mails", `to:${address.toLowerCase()}`, mailLimits.address);
  await countRequest(context, "channel_mails", "all", mailLimits.all);
}

/** Limit of one network address. Mail providers that unsubscribe for their users share few addresses. */
const linkLimit = parseLimit("300 per 1 hour")!;

const LINK_BYTES = 4096;

const { read } = bodyReader(channelLink);
const check = checkerOf(channelLink, "query");

/**
 * POST /channels/confirm: the reader of an address wants alerts. GET never confirms, because programs that check mails
 * open their links.
 */
export const confirmChannel = linkOperation("POST /channels/confirm", async (request, context) => {
  const { channel, token } = read(await jsonBytes(request, LINK_BYTES), context.weather.now());
  if (!(await context.channels.confirm(channel, token))) throw ended();
  return jsonReply(200, { detail: "Alerts are sent to this address from now on." }, noStore);
});

/**
 * POST /channels/unsubscribe?channel=…&token=…: mail programs send it on one click (RFC 8058), and so does our page.
 */
export const unsubscribeChannel = linkOperation("POST /channels/unsubscribe", async (request, context) => {
  const { channel, token } = linkOf(request);
  if (!(await context.channels.unsubscribe(channel, token))) throw ended();
  return jsonReply(200, { detail: "No more alerts are sent to this address." }, noStore);
});

/**
 * GET of the same address returns the page with the button, for mail programs without one-click unsubscribe. It changes
 * nothing.
 */
export const unsubscribePage = linkOperation("GET /channels/unsubscribe", async (request, context) => {
  const { channel, token } = linkOf(request);
  const fragment = `unsubscribe=${encodeURIComponent(channel)}.${encodeURIComponent(token)}`;
  const location = `${context.channels.publicUrl}/inbox#${fragment}`;
  return { status: 303, headers: { location, ...noStore }, body: null };
});

const linkOf = (request: ApiRequest) => check(Object.fromEntries(request.query));

/** The reply is the same for every link that has no effect. */
const ended = () =>
  new HttpError(
    detailReply(410, "This link has expired, or the channel was deleted. Please request another one."),
  );

/** Defines an operation without a key, which is counted for the network address. */
function linkOperation(
  route: "GET /channels/unsubscribe" | "POST /channels/unsubscribe" | "POST /channels/confirm",
  answer: (request: ApiRequest, context: Context) => Promise<Reply>,
): OperationDefinition {
  return openOperation({ route }, async (request, context) => {
    await countAddress(request, context, "channel_links", linkLimit);
    return answer(request, context);
  });
}

export const openCalendar = readOperation(
  {
    route: "POST /channels/calendar",
    operationId: "postCalendar",
    summary: "Make or change the secret address of the calendar",
    description:
      "The calendar has the weather windows and tides of the caller's watches. A previous address stops working at once.",
    replies: { "200": reply("The address of the calendar", "CalendarAddress") },
  },
  async ({ context, caller }) => jsonReply(200, { url: await context.calendars.open(caller.owner) }, noStore),
);

export const closeCalendar = readOperation(
  {
    route: "DELETE /channels/calendar",
    operationId: "deleteCalendar",
    summary: "Delete the address of the calendar",
    replies: {
      "204": { description: "The address no longer works" },
      "404": reply("The caller has no calendar address", "DetailError"),
    },
  },
  async ({ context, caller }) => {
    if (!(await context.calendars.close(caller.owner))) return detailReply(404, "There is no calendar");
    return { status: 204, headers: noStore, body: null };
  },
);

export const calendar = countedOperation(
  {
    route: "GET /calendars/{token}",

    operationId: "getCalendar",
    summary: "Calendar of the weather windows and tides of an owner's watches",
    parameters: [
      {
        ...idParameter("token", { operationId: "postCalendar", pointer: "/url" }),
        description: "Token of the secret address, with .ics",
      },
    ],
    replies: {
      "200": {
        description: "The calendar",
        headers: rateLimited,
        content: { "text/calendar": { schema: { type: "string" } } },
      },
      ...notModified,
      "404": reply("The address does not exist or no longer works", "DetailError"),
    },
  },
  async (request, context) => {
    const token = (request.params.token ?? "").replace(/\.ics$/, "");
    const text = await context.calendars.read(token);
    if (text === undefined) return detailReply(404, "There is no calendar at this address");
    const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    const headers = { "content-type": "text/calendar; charset=utf-8" };
    return conditionalReply(request, etag, "private, no-cache", () => ({ status: 200, headers, body: text }));
  },
);
