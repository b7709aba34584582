import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { monotonicMs } from "#server/platform/clock.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import type { RequestLog } from "./api-request.ts";
import { replyToError } from "./errors.ts";
import { sendReply } from "./node-reply.ts";
import { NodeRequest } from "./node-request.ts";
import type { RoutedReply, Router } from "./router.ts";

/** One answered request, for metrics. */
export interface Served {
  method: string;
  /** Pattern of the route, `/task/:task_id`; `page` for anything but API paths. */
  route: string;
  status: number;
  /** From the headers to the last byte handed over. */
  seconds: number;
}

export interface ListenerDeps {
  router: Router;
  log: RequestLog;
  /** One line per request: method, path, status, duration, address; never a header or a query. */
  accessLog: Pick<RequestLog, "info">;
  observe(served: Served): void;
  /** Number of our proxies in front of the server. */
  trustedProxies: number;
  /** Answers everything but API paths. */
  page(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Dispatches API paths straight to their operations, and everything else to the pages. */
export function listenerOf(deps: ListenerDeps): RequestListener {
  return (incoming, response) => {
    const target = parseTarget(incoming.url ?? "/");
    if (deps.router.owns(target.path) || !isPath(target.path))
      void answerApi(
        deps,
        new NodeRequest(incoming, response, target, deps.trustedProxies),
        incoming,
        response,
      );
    else void answerPage(deps, incoming, response);
  };
}

/** False for `*` and for paths with a NUL, which are looked up nowhere. */
function isPath(text: string): boolean {
  return text.startsWith("/") && !text.includes("\0");
}

async function answerApi(
  { router, log, accessLog, observe }: ListenerDeps,
  request: NodeRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = monotonicMs();
  const { id, method, path, address } = request;
  let reply: RoutedReply;
  try {
    reply = await router.answer(request);
  } catch (error) {
    reply = { ...replyToError(error, request, log), route: "none" };
  }
  reply.headers["x-request-id"] = id;
  try {
    await sendReply(incoming, response, reply);
  } catch (error) {
    response.destroy();
    if (!isDisconnect(error)) log.error({ err: error, requestId: id, path }, "reply was cut");
  }
  const milliseconds = monotonicMs() - started;
  observe({ method, route: reply.route, status: reply.status, seconds: milliseconds / 1000 });
  accessLog.info(
    { requestId: id, method, path, status: reply.status, ms: Math.round(milliseconds * 10) / 10, address },
    "request",
  );
}

async function answerPage(
  { page, log, observe }: ListenerDeps,
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

/** The client closed the connection while it was written to. */
function isDisconnect(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException;
  return (
    name === "AbortError" ||
    code === "ERR_STREAM_PREMATURE_CLOSE" ||
    code === "ECONNRESET" ||
    code === "EPIPE"
  );
}
