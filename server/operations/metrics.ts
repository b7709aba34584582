import type { Context } from "#server/context.ts";
import { detailReply } from "#server/http/errors.ts";
import type { Reply } from "#server/http/exchange.ts";
import { openEndpoint } from "./app-context.ts";

/** GET /metrics, for Prometheus; not found where it is closed or has a port of its own. */
export const metrics = openEndpoint((_request, context) =>
  context.metricsArePublic ? exposition(context) : detailReply(404, "Not Found"),
);

/** GET /metrics on its own port. */
export const privateMetrics = openEndpoint((_request, context) => exposition(context));

async function exposition({ metrics }: Context): Promise<Reply> {
  const { type, body } = await metrics.text();
  return { status: 200, headers: { "content-type": type, "cache-control": "no-store" }, body };
}
