import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { monotonicMs } from "#server/platform/clock.ts";
import { detailReply } from "./errors.ts";
import { sendReply } from "./node-reply.ts";
import { NodeRequest } from "./node-request.ts";
import type { RequestLog } from "./request-context.ts";
import type { RoutedReply, Router } from "./router.ts";
import { targetOf } from "./target.ts";

/** One answered request, for metrics. */
export interface Served {
  method: string;
  /** Pattern of the route, `/task/:task_id`; `page` for what is no API path. */
  route: string;
  status: number;
  /** From the first header to the last byte handed over. */
  seconds: number;
}

export interface ListenerDeps {
  router: Router;
  log: RequestLog;
  /** One line a request: method, path, status, duration, address; never a header or a query. */
  accessLog: Pick<RequestLog, "info">;
  observe(served: Served): void;
  /** Proxies of ours in front of the server. */
  trustedProxies: number;
  /** Answers what is no API path. */
  page(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Dispatches API paths straight to their operations, and everything else to the pages. */
export function listenerOf(parts: ListenerDeps): RequestListener {
  return (incoming, response) => {
    const target = targetOf(incoming.url ?? "/");
    if (parts.router.owns(target.path) || !isPath(target.path))
      void answerApi(
        parts,
        new NodeRequest(incoming, response, target, parts.trustedProxies),
        incoming,
        response,
      );
    else void answerPage(parts, incoming, response);
  };
}

/** Neither `*` nor what holds a NUL is for anybody to look up. */
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
    log.error({ err: error, requestId: id, path }, "operation failed");
    reply = { ...detailReply(500, "Internal Server Error"), route: "none" };
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
    log.error({ err: error, path: targetOf(incoming.url ?? "/").path }, "page failed");
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
