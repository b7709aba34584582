import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { monotonicMs } from "#server/platform/clock.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import type { Reply, RequestLog } from "./api-request.ts";
import { boundConnections, type Connections, closeWithError, type Fault } from "./connections.ts";
import { NodeRequest, sendReply } from "./node-exchange.ts";
import { detailReply, replyToError } from "./reply.ts";
import type { BodyMemory } from "./request-body.ts";
import { allMethods, finished, type Router } from "./router.ts";

/** How long the server waits for a client, milliseconds. */
export interface Timeouts {
  /** Time for all headers to arrive. */
  headersMs: number;
  /** Time for a whole request, as a last resort: reading a body has a time limit of its own, by its length. */
  requestMs: number;
  /** Time without traffic on a connection in either direction, except while an answer is computed. */
  idleMs: number;
  /** Time for the next request of a connection; it is longer than a load balancer's own. */
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

/** Maximum number of unanswered requests of a connection; a client that sends more is cut off. */
const MAX_PIPELINED = 32;

/** Largest header block, bytes. */
const MAX_HEADER_BYTES = 16 * 1024;

/** One answered request, for metrics. */
interface Served {
  method: string;
  /** Pattern of the route, `/task/:task_id`; `page` for anything but API paths. */
  route: string;
  status: number;
  /** Seconds from the headers to the last byte handed over. */
  seconds: number;
}

export interface ServerDeps {
  router: Router;
  log: RequestLog;
  /** One line per request: method, route, status, duration, address; never a path, a header or a query. */
  accessLog: Pick<RequestLog, "info">;
  observe(served: Served): void;
  /** Number of our proxies in front of the server. */
  trustedProxies: number;
  /** Memory of large bodies, shared with other servers of the process. */
  bodies: BodyMemory;
  /** Connections of the server, counted together with those of other servers of the process. */
  connections: Connections;
  /** Once aborted, each reply ends its connection, so that the next request goes to another process. */
  draining?: AbortSignal;
  /** Answers everything but API paths. */
  page(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
}

/**
 * A Node server that no slow or broken client can block, and that says in JSON why it closed a connection.
 *
 * @param upgrades Whether requests to upgrade the protocol go to the listeners of "upgrade". Otherwise they are answered
 *   like any other: Java's own client asks for HTTP/2 with every first request.
 */
export function httpServer(deps: ServerDeps, times: Timeouts = timeouts, upgrades = false): Server {
  const replies = new WeakMap<Duplex, ServerResponse>();
  const listen = inTurn((incoming, response) => {
    replies.set(incoming.socket, response);
    // Node reads no further request from a client that asked for an upgrade.
    if (incoming.headers.upgrade !== undefined || deps.draining?.aborted) response.shouldKeepAlive = false;
    answer(deps, incoming, response, hostFault(incoming) ?? codingFault(incoming));
  });
  const server = createServer(
    {
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      keepAliveTimeout: times.keepAliveMs,
      connectionsCheckingInterval: times.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
      shouldUpgradeCallback: () => upgrades,
      // Node's own reply has no body: see `hostFault`.
      requireHostHeader: false,
    },
    listen,
  );
  boundConnections(server, deps.connections);
  server.setTimeout(times.idleMs);
  server.on("timeout", (socket) => {
    const reply = replies.get(socket);
    // While an answer is computed the client waits for the service, and every computation has a time limit of its own.
    if (reply?.req.complete && !reply.headersSent && !reply.destroyed) socket.setTimeout(times.idleMs);
    else socket.destroy();
  });
  // Without this listener Node itself sends "100 Continue", before the key is checked.
  server.on("checkContinue", listen);
  server.on("checkExpectation", (incoming: IncomingMessage, response: ServerResponse) => {
    answer(deps, incoming, response, {
      status: 417,
      detail: "The only expectation that is met is 100-continue",
    });
  });
  server.on("connect", (_incoming, socket) => {
    closeWithError(socket, { status: 405, detail: "Method Not Allowed" }, { allow: allMethods });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A reply that has begun cannot be followed by another before its end.
    const last = replies.get(socket);
    const isCut = last?.headersSent && !last.writableFinished;
    if (!socket.writable || error.code === "ECONNRESET" || isCut) socket.destroy();
    else closeWithError(socket, clientFault(error.code));
  });
  return server;
}

/**
 * Handles pipelined requests of a connection one at a time: the next one begins when the answer to the one before has
 * been handed over, after requests of other connections. For a client that reads no answers, only one is made.
 */
function inTurn(listen: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (incoming, response) => {
    const { socket } = incoming;
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    if (queue.length === MAX_PIPELINED) return cutOff(socket);
    const begin = () => {
      if (!socket.destroyed) listen(incoming, response);
    };
    queue.push(begin);
    response.once("close", () => {
      queue.shift();
      if (queue.length > 0) setImmediate(() => queue[0]?.());
    });
    if (queue.length === 1) begin();
  };
}

/**
 * Stops reading a connection. Node would parse all requests that have arrived, up to two thousand, unless it is told
 * that the rest is another protocol (2).
 */
function cutOff(socket: Socket & { parser?: { onIncoming?: () => number } }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
}

/**
 * Dispatches API paths straight to their operations, and everything else to the pages.
 *
 * @param fault Reason not to handle the request; the connection ends, since the next request may be misread too.
 */
function answer(deps: ServerDeps, incoming: IncomingMessage, response: ServerResponse, fault?: Fault): void {
  const target = parseTarget(incoming.url ?? "/");
  const isApi = deps.router.owns(target.path) || !isPath(target.path);
  if (!fault && !isApi) return void answerPage(deps, incoming, response);
  const request = new NodeRequest(incoming, response, target, deps.trustedProxies, deps.bodies);
  if (!fault) return void answerApi(deps, request, incoming, response, deps.router.answer(request));
  response.shouldKeepAlive = false;
  const reply = finished(detailReply(fault.status, fault.detail), request);
  void answerApi(deps, request, incoming, response, Promise.resolve(reply));
}

/** Returns false for `*` and for paths with a NUL, which are looked up nowhere. */
function isPath(text: string): boolean {
  return text.startsWith("/") && !text.includes("\0");
}

async function answerApi(
  { log, accessLog, observe, draining }: ServerDeps,
  request: NodeRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
  answering: Promise<Reply>,
): Promise<void> {
  const started = request.arrived;
  let reply = await answering;
  const { id, method, address, route } = request;
  const cut = (error: unknown) => {
    response.destroy();
    if (!isDisconnect(error)) log.error({ err: error, requestId: id, route }, "reply was cut");
  };
  if (draining?.aborted) response.shouldKeepAlive = false;
  try {
    await sendReply(incoming, response, reply);
  } catch (error) {
    if (response.headersSent || response.destroyed) cut(error);
    else {
      reply = finished(replyToError(error, request, log), request);
      await sendReply(incoming, response, reply).catch(cut);
    }
  }
  const { status } = reply;
  const milliseconds = monotonicMs() - started;
  observe({ method, route, status, seconds: milliseconds / 1000 });
  const ms = Math.round(milliseconds * 10) / 10;
  accessLog.info({ requestId: id, method, route, status, ms, address }, "request");
}

async function answerPage(
  { page, log, observe }: ServerDeps,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = monotonicMs();
  try {
    await page(incoming, response);
  } catch (error) {
    log.error({ err: error, path: parseTarget(incoming.url ?? "/").path }, "page failed");
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { "content-type": "text/plain" }).end("Internal Server Error\n");
  }
  const method = incoming.method ?? "GET";
  observe({ method, route: "page", status: response.statusCode, seconds: (monotonicMs() - started) / 1000 });
}

/** Returns whether the client closed the connection while it was written to. */
function isDisconnect(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException;
  return (
    name === "AbortError" ||
    code === "ERR_STREAM_PREMATURE_CLOSE" ||
    code === "ECONNRESET" ||
    code === "EPIPE"
  );
}

/** Returns the fault of a request that Node could not read. @param code Code of Node's error. */
function clientFault(code: string | undefined): Fault {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, detail: "The request took too long to arrive" };
  if (code === "HPE_HEADER_OVERFLOW") return { status: 431, detail: "The request headers are too large" };
  return { status: 400, detail: "The request is not valid HTTP" };
}

const HOST = /^host$/i;

/** RFC 9112, 3.2: a server refuses a request with two Host headers, and one of HTTP/1.1 with none. */
function hostFault({ rawHeaders, httpVersionMinor }: IncomingMessage): Fault | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && HOST.test(name)) hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return undefined;
  return { status: 400, detail: "A request needs exactly one Host header" };
}

/** RFC 9112, 6.1: a body that is coded in a way that is not understood must not be read as if it were plain. */
function codingFault({ headers: { "transfer-encoding": coding } }: IncomingMessage): Fault | undefined {
  if (coding === undefined || /^\s*chunked\s*$/i.test(coding)) return undefined;
  return { status: 501, detail: "The only Transfer-Encoding that is understood is chunked" };
}
