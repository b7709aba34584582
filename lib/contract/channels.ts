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
    name: shortName.optional().describe("Name in the list of channels; default: the target"),
    target: z
      .string()
      .max(2000)
      .describe(
        "mail: an e-mail address. webhook: an https URL that receives a POST for each alert, signed as defined by Standard Webhooks 1.0. " +
          "ntfy: the https URL of a topic, such as https://ntfy.sh/my-topic",
      ),
    token: z
      .string()
      .regex(
        /^[\x21-\x7e]{1,200}$/,
        "Input should be an access token of visible ASCII characters, without spaces",
      )
      .optional()
      .describe("ntfy: access token for the server, if the topic needs one"),
    language: z
      .string()
      .max(10)
      .optional()
      .describe("mail: language of the e-mail with the link; default: en"),
  })
  .superRefine(({ kind, target, token }, context) => {
    const fault = targetFault(kind, target);
    if (fault !== undefined)
      context.addIssue({ code: "custom", path: ["target"], message: targetFaults[fault], params: { fault } });
    if (token !== undefined && kind !== "ntfy")
      context.addIssue({
        code: "custom",
        path: ["token"],
        message: "Only ntfy channels have an access token",
      });
  });

export type ChannelRequest = z.output<typeof channelRequest>;

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

const errorCode = z
  .enum(deliveryFaults)
  .nullable()
  .describe("Reason of the error as a code; new codes may be added");

const instant = z.string().describe("UTC time, YYYY-MM-DDThh:mm:ssZ");

/** A channel as its owner sees it, without the secret. */
export const channel = z.object({
  id: z.string(),
  kind: z.enum(channelKinds),
  name: z.string(),
  target: z.string(),
  state: z
    .enum(channelStates)
    .describe(
      "unconfirmed: only the link is sent until the reader of the address confirms it; failing: deliveries failed and are tried again; " +
        "disabled: deliveries failed for a day, or the target answered 410; unsubscribed: the reader of the address ended them",
    ),
  error: z.string().nullable().describe("Reason why the last delivery failed, as text"),
  error_code: errorCode,
  failing_since: instant.nullable(),
  created_at: instant,
});

export type Channel = z.infer<typeof channel>;

export const channelList = z.object({
  channels: z.array(channel),
  mail: z.boolean().describe("true if this service sends e-mails"),
  calendar: z.boolean().describe("true if the owner has a calendar address"),
});

/** The reply to a new channel. */
export const channelCreated = channel.extend({
  secret: z.string().nullable().describe("Secret of a webhook, whsec_…; it is shown only once"),
});

export const channelSecret = z.object({
  secret: z
    .string()
    .describe(
      "New secret, whsec_…; it is shown only once. For a day requests are signed with the previous secret too",
    ),
});

/** Result of a test delivery. */
export const channelTest = z.object({
  delivered: z.boolean(),
  error: z.string().nullable().describe("Reason why the test was not delivered, as text"),
  error_code: errorCode,
});

/** Parameters of a link in an e-mail. */
export const channelLink = z.object({ channel: z.string().max(100), token: z.string().max(200) });

/** The form that a target should have; the fault stands in the `params` of the issue. */
const targetFaults = {
  address: "Input should be an e-mail address",
  url: "Input should be an https URL, without a password and without a fragment",
  topic: "Input should be the URL of a topic, such as https://ntfy.sh/my-topic",
} as const;

export type TargetFault = keyof typeof targetFaults;

/** The fault of a target; undefined if it is valid for its kind. */
function targetFault(kind: ChannelKind, target: string): TargetFault | undefined {
  if (kind === "mail") return target.length <= 254 && ADDRESS.test(target) ? undefined : "address";
  if (!isPlainUrl(target)) return "url";
  return kind !== "ntfy" || TOPIC.test(new URL(target).pathname) ? undefined : "topic";
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

/** The private address of the owner's calendar. */
export const calendarAddress = z.object({
  url: z
    .string()
    .describe(
      "Secret address of the calendar: everybody who has it can read the calendar. It is shown only once, and can be changed",
    ),
});
