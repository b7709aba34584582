import type { Context } from "#server/context.ts";
import type { Reply } from "#server/http/api-request.ts";
import { detailReply } from "#server/http/reply.ts";
import { openOperation } from "./definition.ts";

const route = { method: "GET", path: "/metrics" } as const;

/** GET /metrics, for Prometheus; 404 where it is disabled or has a port of its own. */
export const metrics = openOperation(route, (_request, context) =>
  context.metricsArePublic ? exposition(context) : detailReply(404, "Not Found"),
);

/** GET /metrics on its own port. */
export const privateMetrics = openOperation(route, (_request, context) => exposition(context));

async function exposition({ metrics }: Context): Promise<Reply> {
  const { type, body } = await metrics.text();
  return { status: 200, headers: { "content-type": type, "cache-control": "no-store" }, body };
}
