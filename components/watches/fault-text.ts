import type { Channel } from "#lib/contract/channels.ts";
import type { ChannelsWords } from "#lib/words/en/channels.ts";

/** Why a delivery failed, in the language of the page; what others said is quoted as they said it. */
export function faultText(
  { error, error_code }: Pick<Channel, "error" | "error_code">,
  { faults }: Pick<ChannelsWords, "faults">,
): string {
  if (error_code === null) return error ?? "";
  const status = /HTTP \d+/.exec(error ?? "")?.[0];
  const quoted = error_code === "mail_refused" || error_code === "other" ? error : status;
  return quoted ? `${faults[error_code]} (${quoted})` : faults[error_code];
}
