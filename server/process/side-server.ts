import type { Server, ServerResponse } from "node:http";
import type { Context } from "#server/context.ts";
import { httpServer, type ServerDeps } from "#server/http/http-server.ts";
import { routerOf } from "#server/http/router.ts";
import { closed, healthz, privateMetrics, readyz } from "#server/operations/service.ts";

/** Serves METRICS_PORT: metrics and the state of this process, for monitoring. A worker has no other port. */
export function sideServer(context: Context, common: Omit<ServerDeps, "router" | "page">): Server {
  const router = routerOf(
    {
      "/metrics": { GET: closed(privateMetrics).endpoint(context) },
      "/healthz": { GET: closed(healthz).endpoint(context) },
      "/readyz": { GET: closed(readyz).endpoint(context) },
    },
    common,
  );
  const notFound = async (_incoming: unknown, response: ServerResponse) => void response.writeHead(404).end();
  return httpServer({ ...common, router, page: notFound });
}
