import type { FuzzReply } from "./client.ts";
import type { FuzzRequest } from "./requests.ts";

/** Longest time of a reply, milliseconds. */
export const SLOWEST_MS = 5_000;

/** Checks rules that hold for every reply to any request. @returns The violation; undefined where there is none. */
export function faultOf(
  { target, method }: FuzzRequest,
  reply: FuzzReply,
  isPage: boolean,
  slowestMs: number,
): string | undefined {
  const { status, headers, body, milliseconds } = reply;
  if (milliseconds > slowestMs) return `took ${milliseconds.toFixed(0)} ms`;
  if (status >= 500 && !isJustified(reply)) return `status ${status}: ${start(body)}`;
  if (isPage) return undefined;
  if (headers["x-request-id"] === undefined) return `no x-request-id with status ${status}`;
  if (method === "HEAD" || status === 304 || status === 204) {
    return body.length === 0 ? undefined : `a body of ${body.length} bytes with ${method} ${status}`;
  }
  const type = headers["content-type"] ?? "";
  if (status >= 400 && !type.startsWith("application/json"))
    return `status ${status} as "${type}": ${start(body)}`;
  if (!type.startsWith("application/json") || headers["content-encoding"] !== undefined) return undefined;
  // A stored request is returned as it was sent, including a byte order mark.
  if (status === 200 && /^\/task\/[^/]+\/request/.test(target)) return undefined;
  const value = parsed(body);
  if (value === undefined) return `JSON that cannot be parsed, at ${target}: ${start(body)}`;
  if (status >= 400 && !isError(value)) return `status ${status} with an unknown form: ${start(body)}`;
  return undefined;
}

/**
 * Checks the reply to bytes that may not be HTTP: it must be an error with a text, or nothing if there was no request.
 */
export function rawFaultOf(
  sent: Buffer,
  text: string,
  milliseconds: number,
  slowestMs: number,
): string | undefined {
  if (milliseconds > slowestMs) return `took ${milliseconds.toFixed(0)} ms`;
  if (text === "") return isWhole(sent.toString("latin1")) ? "closed in silence" : undefined;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
  if (!(status >= 100 && status < 500)) return `status ${status}: ${text.slice(0, 200)}`;
  return undefined;
}

/** Whether bytes contain a head and as much of a body as it announces. */
function isWhole(sent: string): boolean {
  const end = sent.indexOf("\r\n\r\n");
  const length = /^content-length: *(\d+)/im.exec(sent.slice(0, end))?.[1] ?? "0";
  return (
    end >= 0 && sent.length - end - 4 >= Number(length) && !/^transfer-encoding:/im.test(sent.slice(0, end))
  );
}

/** Whether a 503 or 507 says when to retry, or what to do. */
function isJustified({ status, headers, body }: FuzzReply): boolean {
  if (status === 503) return headers["retry-after"] !== undefined;
  return status === 507 && body.length > 0;
}

function isError(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && ("detail" in value || "error" in value || "code" in value)
  );
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function start(body: Buffer): string {
  return body.toString().slice(0, 200);
}
