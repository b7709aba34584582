import { access } from "./en/access.ts";
import type { Words } from "./en.ts";

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
