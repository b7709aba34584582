import type { Channel } from "#lib/contract/channels.ts";
import { access } from "./generated/en/access.ts";
import type { Messages } from "./generated/messages.ts";
import type { Words } from "./words.ts";

/**
 * Why a request failed, for failures that the page words itself; other messages of the service are shown as
 * they are.
 */
export type Fault =
  | { is: "keyRefused" | "silent" | "unreachable" | "limited" | "foreign" | "keyless" | "unreadable" }
  | { is: "failed"; status: number }
  | {
      is: "damaged";
      /** Description of the reply's fault, in English. */
      reason: string;
    }
  | {
      is: "rejected";
      /** The service's description of what is wrong with the request. */
      problems: string;
      /** The single problems, with the details that the service adds to each. */
      issues?: readonly RequestIssue[];
    };

/** An entry of the body of a 422. */
export interface RequestIssue {
  loc?: readonly unknown[];
  msg?: string;
  ctx?: unknown;
}

/** Describes a failure in the language of `words`, or in English without them. */
export function faultText(fault: Fault, words?: Words): string {
  const { faults } = words?.access ?? access;
  switch (fault.is) {
    case "failed":
      return faults.failed(fault);
    case "damaged":
      return faults.damaged(fault);
    case "rejected":
      return faults.rejected(fault);
    default:
      return faults[fault.is];
  }
}

/**
 * The text of an error: in the language of the page where it has words for it, otherwise the error's own
 * message.
 */
export function errorText(error: Error & { fault?: Fault | undefined }, words: Words): string {
  return error.fault ? faultText(error.fault, words) : error.message;
}

/** Status code with which a receiver or a mail server refused. */
const STATUS = /HTTP \d{3}/;
const SMTP_CODE = /\((\d{3})\)$/;

/**
 * Why a delivery failed, in the language of `words`. The stored text is English; only the status code in it
 * is repeated, or the whole text if the failure has no code.
 */
export function deliveryFaultText(
  { error, error_code }: Pick<Channel, "error" | "error_code">,
  { faults }: Pick<Messages["channels"], "faults">,
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
