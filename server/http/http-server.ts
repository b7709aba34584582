import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How long the server waits for a client, milliseconds. */
export interface Timeouts {
  /** For all headers. */
  headersMs: number;
  /** For a whole request, as a last resort: reading a body has a time limit of its own, by its length. */
  requestMs: number;
  /** For any traffic on a connection, in either direction. */
  idleMs: number;
  /** For the next request of a connection; longer than a load balancer's own. */
  keepAliveMs: number;
  /** How often the first two are checked. */
  checkMs: number;
}

export const timeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 600_000,
  idleMs: 120_000,
  keepAliveMs: 65_000,
  checkMs: 1_000,
};

/** Largest header block, bytes. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * A Node server that no slow or broken client can block, and that says in JSON why it closed a connection.
 *
 * @param upgrades Whether requests to upgrade the protocol go to the listeners of "upgrade". Otherwise they are answered
 *   like any other: Java's own client asks for HTTP/2 with every first request.
 */
export function httpServer(listener: RequestListener, times: Timeouts = timeouts, upgrades = false): Server {
  const replies = new WeakMap<Duplex, ServerResponse>();
  const listen: RequestListener = (incoming, response) => {
    replies.set(incoming.socket, response);
    // Node reads no further request from a client that asked for an upgrade.
    if (incoming.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    listener(incoming, response);
  };
  const server = createServer(
    {
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      keepAliveTimeout: times.keepAliveMs,
      connectionsCheckingInterval: times.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
      shouldUpgradeCallback: () => upgrades,
    },
    listen,
  );
  server.setTimeout(times.idleMs);
  // Without this listener Node itself sends "100 Continue", before the key is checked.
  server.on("checkContinue", listen);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A reply that has begun cannot be followed by another.
    if (!socket.writable || error.code === "ECONNRESET" || replies.get(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    closeWithError(socket, ...clientError(error.code));
  });
  return server;
}

function clientError(code: string | undefined): [status: string, detail: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return ["408 Request Timeout", "The request took too long to arrive"];
  if (code === "HPE_HEADER_OVERFLOW")
    return ["431 Request Header Fields Too Large", "The request headers are too large"];
  return ["400 Bad Request", "The request is not valid HTTP"];
}

/** Without a response object the bytes go straight to the socket. */
function closeWithError(socket: Duplex, status: string, detail: string): void {
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // Unread data would reset the connection before the client has read the reply.
  socket.resume();
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/**
 * Stops accepting, lets requests in flight finish, and cuts those that remain.
 *
 * @param graceMs How long they may take.
 * @returns Whether all of them finished.
 */
export async function closeGently(server: Server, graceMs: number): Promise<boolean> {
  let finished = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy is kept alive after its reply: now idle, it must be closed as well.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => {
    finished = false;
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
  return finished;
}
