import { detailReply } from "#server/http/errors.ts";
import { openEndpoint } from "#server/operations/house.ts";

/** GET /metrics, for Prometheus; not found where it is closed or has a port of its own. */
export const metrics = openEndpoint(async (_request, context) => {
  if (!context.metricsArePublic) return detailReply(404, "Not Found");
  const { type, body } = await context.metrics.text();
  return { status: 200, headers: { "content-type": type, "cache-control": "no-store" }, body };
});
