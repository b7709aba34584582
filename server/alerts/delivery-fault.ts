import type { ChannelKind, DeliveryFault } from "#lib/contract/channels.ts";

/** What a failure is, by the words that are stored for it (`send-alert.ts`, `post-once.ts`): the first that fits. */
const faults: readonly (readonly [RegExp, DeliveryFault])[] = [
  [/is gone \(HTTP 410\)/, "gone"],
  [/answered HTTP \d+$/, "status"],
  [/^the target took more than/, "timeout"],
  [/^the target refused the connection$/, "refused"],
  [/^the target broke the connection$/, "broken"],
  [/^the target its name /, "unknown_name"],
  [/^the target its certificate /, "certificate"],
  [/^the target cannot be reached$/, "unreachable"],
  [/^The address is not that of a public/, "forbidden"],
  [/^this service sends no e-mail$/, "no_mail"],
  [/^the mail server cannot be reached$/, "mail_server"],
  [/^this service (?:stops|failed)$/, "service"],
];

/** Why a delivery failed. What no words of ours say is what a mail server said. */
export function deliveryFaultOf(error: string, kind: ChannelKind): DeliveryFault {
  return faults.find(([words]) => words.test(error))?.[1] ?? (kind === "mail" ? "mail_refused" : "other");
}
