import type { Channel } from "../contract/channels.ts";
import type { ChannelsWords } from "./en/channels.ts";

/** The number by which a receiver or a mail server refused. */
const STATUS = /HTTP \d{3}/;
const SMTP_CODE = /\((\d{3})\)$/;

/**
 * Why a delivery failed, in the language of the words: the stored words are English. Of them only the number of a reply is
 * repeated, and the whole of a failure without a code.
 */
export function deliveryFaultText(
  { error, error_code }: Pick<Channel, "error" | "error_code">,
  { faults }: Pick<ChannelsWords, "faults">,
): string {
  if (error_code === null) return error ?? "";
  const detail = detailOf(error ?? "", error_code);
  return detail ? `${faults[error_code]} (${detail})` : faults[error_code];
}

function detailOf(error: string, code: NonNullable<Channel["error_code"]>): string | undefined {
  if (code === "other") return error;
  const smtp = code === "mail_refused" ? SMTP_CODE.exec(error)?.[1] : undefined;
  return smtp ? `SMTP ${smtp}` : STATUS.exec(error)?.[0];
}
