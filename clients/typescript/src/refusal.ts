import type { ValidationIssue } from "./contract/issues.ts";

/** What a reply that is no success says. */
export interface Refusal {
  status: number;
  /** In words of the service; undefined where it says nothing, as a proxy in between. */
  text: string | undefined;
  /** Of a 422: each fault of the body or query. */
  issues: Partial<ValidationIssue>[];
  /** Seconds after which it is worth trying again, where the service says so. */
  retryAfter: number | undefined;
}

/** Reads an error reply, whatever it has as its body. @param now Unix milliseconds. */
export async function refusalOf(reply: Response, now = Date.now()): Promise<Refusal> {
  const { detail, error } = parsed(await reply.text());
  const issues = Array.isArray(detail) ? detail.map(Object) : [];
  const text = [detail, error].find((said) => typeof said === "string") as string | undefined;
  return { status: reply.status, text, issues, retryAfter: retryAfterOf(reply.headers, now) };
}

/** Seconds of `Retry-After`, which is a number or a date (RFC 9110, 10.2.3). @param now Unix milliseconds. */
function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return seconds > 0 ? seconds : undefined;
}

/** Empty for a body that is not JSON: a proxy in between may answer with anything. */
function parsed(text: string): { detail?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Where an issue is and what it says, on one line: `points 0 latitude: Input should be …`. */
export function issueText({ loc, msg }: Partial<ValidationIssue>): string {
  return `${(loc ?? []).slice(1).join(" ")}: ${msg ?? ""}`;
}
