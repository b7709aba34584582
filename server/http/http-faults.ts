import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { noStore } from "./reply.ts";
import { commonHeaders } from "./router.ts";

/** What is wrong with a request that no operation sees. */
export interface Fault {
  status: number;
  detail: string;
}

/** The fault of a request that Node could not read. @param code Of Node's error. */
export function clientFault(code: string | undefined): Fault {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, detail: "The request took too long to arrive" };
  if (code === "HPE_HEADER_OVERFLOW") return { status: 431, detail: "The request headers are too large" };
  return { status: 400, detail: "The request is not valid HTTP" };
}

const HOST = /^host$/i;

/** RFC 9112, 3.2: a server refuses a request with two Host headers, and one of HTTP/1.1 with none. */
export function hostFault({ rawHeaders, httpVersionMinor }: IncomingMessage): Fault | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && HOST.test(name)) hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return undefined;
  return { status: 400, detail: "A request needs exactly one Host header" };
}

/** Answers where there is no response object: the bytes go straight to the socket. */
export function closeWithError(
  socket: Duplex,
  { status, detail }: Fault,
  more: Record<string, string> = {},
): void {
  const body = JSON.stringify({ detail });
  const headers = {
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": randomUUID(),
    ...noStore,
    ...commonHeaders,
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  // Unread data would reset the connection before the client has read the reply.
  socket.resume();
  setTimeout(() => socket.destroy(), 1_000).unref();
}
