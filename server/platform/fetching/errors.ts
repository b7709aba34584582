import { formatBytes } from "#lib/format-bytes.ts";
import { formatInstant } from "#lib/time.ts";

/**
 * Says why nothing was fetched. The operator reads the message on a status page: it names the host, what the host did
 * and, where it helps, what can be done.
 */
export class FetchError extends Error {
  override readonly name: string = "FetchError";
  /** Host of the original address, even if the operator's mirror answered. */
  readonly host: string;
  /** Whether the same request may succeed a little later. */
  readonly retry: boolean = false;

  constructor(host: string, message: string, options?: ErrorOptions) {
    super(printable(message), options);
    this.host = host;
  }
}

/** The host asks for fewer requests. */
export class ThrottledError extends FetchError {
  override readonly name = "ThrottledError";
  override readonly retry = true;
  /** When the host may be asked again, Unix seconds; undefined if it did not say so. */
  readonly retryAt: number | undefined;

  constructor(host: string, status: number, retryAt: number | undefined) {
    const until = retryAt === undefined ? "" : ` until ${formatInstant(retryAt)}`;
    super(host, `${host} asks for fewer requests (status ${status})${until}`);
    this.retryAt = retryAt;
  }
}

const refusalHints: Readonly<Record<number, string>> = {
  401: ": it wants a login, or another one",
  403: ": it is too old or not published yet, or this address is blocked",
};

/** The host does not serve this object to us. */
export class RefusedError extends FetchError {
  override readonly name = "RefusedError";
  readonly status: number;

  constructor(host: string, status: number, path: string) {
    super(host, `${host} refuses ${path} (status ${status})${refusalHints[status] ?? ""}`);
    this.status = status;
  }
}

/**
 * The host redirects. Redirects are not followed, because they could lead to a host that the operator does not know of.
 */
export class RedirectedError extends FetchError {
  override readonly name = "RedirectedError";

  constructor(host: string, path: string, to: string | undefined) {
    super(host, `${host} redirects ${path} to ${to?.slice(0, 200) ?? "nowhere"}; redirects are not followed`);
  }
}

/** The object has been replaced by another version, so the bytes fetched earlier do not fit the rest. */
export class ReplacedError extends FetchError {
  override readonly name = "ReplacedError";

  constructor(host: string, path: string) {
    super(host, `${host} has replaced ${path} while it was being fetched`);
  }
}

/** The bytes that arrived differ from what was announced: cut, too long, of another range, or damaged. */
export class BrokenError extends FetchError {
  override readonly name: string = "BrokenError";

  constructor(host: string, path: string, what: string, options?: ErrorOptions) {
    super(host, `${host} sent ${path} broken: ${what}`, options);
  }
}

/** The connection ended before the object was complete. */
export class CutError extends BrokenError {
  override readonly name = "CutError";
  override readonly retry = true;
}

/** The host cannot be reached, is too slow, or fails. */
export class HostFailedError extends FetchError {
  override readonly name = "HostFailedError";
  override readonly retry = true;

  constructor(host: string, what: string, options?: ErrorOptions) {
    super(host, `${host} ${what}`, options);
  }
}

/** The byte budget of the day is spent. */
export class OutOfBudgetError extends FetchError {
  override readonly name = "OutOfBudgetError";
  /** Start of the next day, Unix seconds. */
  readonly until: number;

  constructor(host: string, bytesADay: number, until: number) {
    super(
      host,
      `The budget of ${formatBytes(bytesADay)} a day is used up; fetching from ${host} continues at ${formatInstant(until)}`,
    );
    this.until = until;
  }
}

/** Replaces control characters in a text that may quote a host, so that none reaches a log or a page. */
export function printable(text: string): string {
  return text.replace(/[^ -~]/g, "?");
}
