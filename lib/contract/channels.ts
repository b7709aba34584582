import { z } from "zod";

/** How alerts are delivered in addition to the inbox. */
export const channelKinds = ["mail", "webhook", "ntfy"] as const;

export type ChannelKind = (typeof channelKinds)[number];

/** Most channels of one owner. */
export const MAX_CHANNELS = 20;

const shortName = z.string().trim().min(1).max(100);

/**
 * An e-mail address without characters that could end the address or a header, and without invisible ones.
 */
const ADDRESS = /^[^\s\p{C}<>",;:\\()[\]@]+@[^\s\p{C}<>",;:\\()[\]@]+\.[^\s\p{C}<>",;:\\()[\]@]+$/u;

/** The last part of the path is the ntfy topic. */
const TOPIC = /^\/(?:.*\/)?[-_A-Za-z0-9]{1,64}$/;

/** A new channel. */
export const channelRequest = z
  .object({
    kind: z.enum(channelKinds),
    name: shortName.optional().describe("for the list; the target where it is absent"),
    target: z
      .string()
      .max(2000)
      .describe(
        "mail: an address. webhook: an https URL that receives a POST for each alert, signed as Standard Webhooks 1.0 says. " +
          "ntfy: the https URL of a topic, such as https://ntfy.sh/my-topic",
      ),
    token: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, "an access token, without spaces")
      .optional()
      .describe("ntfy: access token of the server, if the topic needs one"),
    language: z.string().max(10).optional().describe("mail: of the e-mail with the link; en by default"),
  })
  .superRefine(({ kind, target, token }, context) => {
    const message = targetFault(kind, target);
    if (message !== undefined) context.addIssue({ code: "custom", path: ["target"], message });
    if (token !== undefined && kind !== "ntfy")
      context.addIssue({ code: "custom", path: ["token"], message: "only ntfy has an access token" });
  });

export type ChannelRequest = z.output<typeof channelRequest>;

/** States of a channel. */
export const channelStates = ["unconfirmed", "active", "failing", "disabled", "unsubscribed"] as const;

/** Why a delivery failed. */
export const deliveryFaults = [
  "status",
  "gone",
  "timeout",
  "refused",
  "broken",
  "unknown_name",
  "certificate",
  "unreachable",
  "forbidden",
  "no_mail",
  "mail_server",
  "mail_refused",
  "service",
  "other",
] as const;

export type DeliveryFault = (typeof deliveryFaults)[number];

const errorCode = z.enum(deliveryFaults).nullable().describe("of the error; codes may be added");

const instant = z.string().describe("YYYY-MM-DDThh:mm:ssZ");

/** A channel as its owner sees it, without the secret. */
export const channel = z.object({
  id: z.string(),
  kind: z.enum(channelKinds),
  name: z.string(),
  target: z.string(),
  state: z
    .enum(channelStates)
    .describe(
      "unconfirmed: nothing but the link is sent until its reader confirms it; failing: deliveries are tried again; " +
        "disabled: they failed for a day, or the target is gone; unsubscribed: its reader wants no more",
    ),
  error: z.string().nullable().describe("why the last delivery failed"),
  error_code: errorCode,
  failing_since: instant.nullable(),
  created_at: instant,
});

export type Channel = z.infer<typeof channel>;

export const channelList = z.object({
  channels: z.array(channel),
  mail: z.boolean().describe("this service sends e-mails"),
  calendar: z.boolean().describe("there is an address of the calendar of weather windows"),
});

/** The reply to a new channel. */
export const channelCreated = channel.extend({
  secret: z.string().nullable().describe("of a webhook, whsec_…: it is shown once"),
});

export const channelSecret = z.object({
  secret: z.string().describe("whsec_…: it is shown once. The one before signs too for a day"),
});

/** Result of a test delivery. */
export const channelTest = z.object({
  delivered: z.boolean(),
  error: z.string().nullable().describe("why it was not"),
  error_code: errorCode,
});

/** Parameters of a link in an e-mail. */
export const channelLink = z.object({ channel: z.string().max(100), token: z.string().max(200) });

/** Describes what is wrong with a target; undefined if it is valid for its kind. */
function targetFault(kind: ChannelKind, target: string): string | undefined {
  if (kind === "mail") return target.length <= 254 && ADDRESS.test(target) ? undefined : "an e-mail address";
  if (!isPlainUrl(target)) return "an https URL, without a password and without a fragment";
  const isTopic = kind !== "ntfy" || TOPIC.test(new URL(target).pathname);
  return isTopic ? undefined : "the URL of a topic, such as https://ntfy.sh/my-topic";
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

/** The private address of the owner's calendar. */
export const calendarAddress = z.object({
  url: z.string().describe("whoever has it reads the calendar: it is shown once, and can be changed"),
});
