import type { Channel } from "../contract/channels.ts";
import { access } from "./generated/en/access.ts";
import type { Messages } from "./generated/messages.ts";
import type { Words } from "./words.ts";

/** Why a request failed, where the page says it in words of its own; what the service says of a failure stays as it is. */
export type Fault =
  | { is: "keyRefused" | "silent" | "unreachable" | "limited" | "foreign" | "keyless" | "unreadable" }
  | { is: "failed"; status: number }
  | {
      is: "damaged";
      /** What is wrong with a field that was read, in English. */
      reason: string;
    }
  | {
      is: "rejected";
      /** What the service says is wrong with the request. */
      problems: string;
      /** The same one by one, with what the service adds to each. */
      issues?: readonly RequestIssue[];
    };

/** An entry of the body of a 422. */
export interface RequestIssue {
  loc?: readonly unknown[];
  msg?: string;
  ctx?: unknown;
}

/** A failure in words of the page; in English without words. */
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

/** What an error is called in the language of the page: its message, where the page has no words of its own for it. */
export function errorText(error: Error & { fault?: Fault | undefined }, words: Words): string {
  return error.fault ? faultText(error.fault, words) : error.message;
}

/** The number by which a receiver or a mail server refused. */
const STATUS = /HTTP \d{3}/;
const SMTP_CODE = /\((\d{3})\)$/;

/**
 * Why a delivery failed, in the language of the words: the stored words are English. Of them only the number of a reply is
 * repeated, and the whole of a failure without a code.
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
