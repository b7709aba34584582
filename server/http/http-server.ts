import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How long the server waits for a client, milliseconds. */
export interface Timeouts {
  /** For the whole of the headers. */
  headersMs: number;
  /** For the whole of a request, as a last resort: a body that is read has its own patience, by its length. */
  requestMs: number;
  /** For anything to move on a connection, while it is written to as well. */
  idleMs: number;
  /** For the next request of a connection; longer than a load balancer's own. */
  keepAliveMs: number;
  /** How often the first two are looked at. */
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
 * A node server that no slow or broken client can hold, and that says in JSON why it hung up.
 *
 * @param upgrades Whether requests for another protocol go to the listeners of "upgrade". Where they do not, they are
 *   answered like any other: Java's own client asks for HTTP/2 with every first request.
 */
export function httpServer(listener: RequestListener, times: Timeouts = timeouts, upgrades = false): Server {
  const replies = new WeakMap<Duplex, ServerResponse>();
  const listen: RequestListener = (incoming, response) => {
    replies.set(incoming.socket, response);
    // Node reads no further request from a client that asked for another protocol.
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
  // Without this listener node itself sends "100 Continue", before the key was looked at.
  server.on("checkContinue", listen);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A reply that is under way cannot be followed by another.
    if (!socket.writable || error.code === "ECONNRESET" || replies.get(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    hangUp(socket, ...farewell(error.code));
  });
  return server;
}

function farewell(code: string | undefined): [status: string, detail: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return ["408 Request Timeout", "The request took too long to arrive"];
  if (code === "HPE_HEADER_OVERFLOW")
    return ["431 Request Header Fields Too Large", "The request headers are too large"];
  return ["400 Bad Request", "The request is not valid HTTP"];
}

/** There is no response object yet to write to: the bytes go straight to the socket. */
function hangUp(socket: Duplex, status: string, detail: string): void {
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // What the client still sends would reset the connection before it has read why.
  socket.resume();
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/**
 * Stops accepting, lets the requests in flight finish, and cuts what is left.
 *
 * @param graceMs How long they have.
 * @returns Whether all of them finished.
 */
export async function closeGently(server: Server, graceMs: number): Promise<boolean> {
  let finished = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy is kept alive after its reply: it is idle now, and must go as well.
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
