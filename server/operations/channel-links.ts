import { channelLink } from "#lib/contract/channels.ts";
import { parseLimit } from "#lib/contract/limit.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { countRequest } from "#server/http/authenticate.ts";
import { addressGroup } from "#server/http/client-address.ts";
import { detailReply, HttpError, jsonReply, noStore, withHeaders } from "#server/http/reply.ts";
import { bodyReader, checkerOf, jsonBytes } from "#server/http/validation.ts";
import { openOperation } from "./definition.ts";

/** Of one address of the network. Those who unsubscribe for the readers of their mail share few. */
const limit = parseLimit("300 per 1 hour")!;

const BODY_BYTES = 4096;

const { read } = bodyReader(channelLink);
const check = checkerOf(channelLink, "query");

/** POST /channels/confirm: the reader of an address wants alerts. Never by GET: programs that check mails open their links. */
export const confirmChannel = openOperation(
  { method: "POST", path: "/channels/confirm" },
  (request, context) =>
    counted(request, context, async () => {
      const { channel, token } = read(await jsonBytes(request, BODY_BYTES), context.weather.now());
      if (!(await context.channels.confirm(channel, token))) throw ended();
      return jsonReply(200, { detail: "Alerts are sent to this address from now on." }, noStore);
    }),
);

/** POST /channels/unsubscribe?channel=…&token=…: what a mail program sends by one click (RFC 8058), and our page. */
export const unsubscribeChannel = openOperation(
  { method: "POST", path: "/channels/unsubscribe" },
  (request, context) =>
    counted(request, context, async () => {
      const { channel, token } = linkOf(request);
      if (!(await context.channels.unsubscribe(channel, token))) throw ended();
      return jsonReply(200, { detail: "No more alerts are sent to this address." }, noStore);
    }),
);

/** GET of the same address, by programs that know no one click: the page with the button. It changes nothing. */
export const unsubscribePage = openOperation(
  { method: "GET", path: "/channels/unsubscribe" },
  (request, context) =>
    counted(request, context, async () => {
      const { channel, token } = linkOf(request);
      const fragment = `unsubscribe=${encodeURIComponent(channel)}.${encodeURIComponent(token)}`;
      const location = `${context.channels.publicUrl}/inbox#${fragment}`;
      return { status: 303, headers: { location, ...noStore }, body: null };
    }),
);

const linkOf = (request: ApiRequest) => check(Object.fromEntries(request.query));

/** The same for every link that does nothing. */
const ended = () =>
  new HttpError(detailReply(410, "This link has ended, or the channel is gone. Please ask for another one."));

async function counted(request: ApiRequest, context: Context, answer: () => Promise<Reply>): Promise<Reply> {
  const subject = `address:${addressGroup(request.address)}`;
  const headers = await countRequest(context, "channel_links", subject, limit);
  return withHeaders(await answer(), headers);
}
