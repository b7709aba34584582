import type { ChannelKind, channelStates, DeliveryFault } from "../../contract/channels.ts";

const kinds: Record<ChannelKind, string> = { mail: "E-mail", webhook: "Webhook", ntfy: "ntfy" };

const states: Record<(typeof channelStates)[number], string> = {
  unconfirmed: "waits until its reader opens the link in the e-mail",
  active: "in use",
  failing: "fails, and is tried again",
  disabled: "turned off: nothing could be delivered",
  unsubscribed: "its reader wants no more alerts",
};

const targets: Record<ChannelKind, string> = {
  mail: "E-mail address",
  webhook: "Address that receives a POST (https://…)",
  ntfy: "Address of the topic (https://ntfy.sh/…)",
};

const faults: Record<DeliveryFault, string> = {
  status: "the receiver answered with an error",
  gone: "the receiver has ended this address",
  timeout: "the receiver took too long",
  refused: "the receiver refused the connection",
  broken: "the connection broke",
  unknown_name: "its name cannot be looked up",
  certificate: "its certificate is not valid",
  unreachable: "it cannot be reached",
  forbidden: "it is no public address",
  no_mail: "this service sends no e-mail",
  mail_server: "the mail server cannot be reached, or takes nothing now",
  mail_refused: "the mail server refused it",
  service: "this service was stopped or failed",
  other: "it failed",
};

/** Where alerts are sent beside the inbox. */
export const channels = {
  heading: "Where alerts go",
  intro: "Every alert stands in this inbox. It can be sent elsewhere too.",
  reading: "Reading the list…",
  none: "No channels yet.",
  kinds,
  states,
  faults,
  /** @param error One of the faults. */
  lastError: ({ error }: { error: string }) => `Last failure: ${error}`,
  /** Names a button for screen readers. */
  of: ({ action, name }: { action: string; name: string }) => `${action}: ${name}`,
  test: "Send a test",
  delivered: "The test has arrived.",
  notDelivered: ({ error }: { error: string }) => `The test did not arrive: ${error}`,
  linkAgain: "Send the link again",
  linkSent: "A link is on its way.",
  newSecret: "New secret",
  remove: "Delete",
  secret: "The secret of this webhook. It is shown only now:",
  copy: "Copy",
  add: {
    heading: "Add a channel",
    kind: "By",
    target: targets,
    name: "Name (optional)",
    token: "Access token, if the topic needs one",
    mailFirst: "Nothing but a link is sent to the address until its reader has confirmed it.",
    noMail: "This service sends no e-mail.",
    submit: "Add",
  },
  calendar: {
    heading: "Calendar of weather windows",
    text: "A calendar program can show the windows that your watches find. It reads them by a secret address.",
    make: "Make an address",
    change: "Change the address",
    end: "End the address",
    once: "The address. It is shown only now, and whoever has it can read the calendar:",
  },
  links: {
    confirm: {
      text: "Send weather alerts to this e-mail address?",
      press: "Yes, send alerts",
      done: "Alerts are sent to this address from now on.",
    },
    unsubscribe: {
      text: "Send no more weather alerts to this e-mail address?",
      press: "No more alerts",
      done: "No more alerts are sent to this address.",
    },
  },
};

export type ChannelsWords = typeof channels;
