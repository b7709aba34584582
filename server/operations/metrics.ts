import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { forbidden } from "#server/http/guests.ts";
import { detailReply } from "#server/http/reply.ts";
import { countedOperation, openOperation } from "./definition.ts";
import { onceASecond } from "./once-a-second.ts";
import { packed } from "./packed.ts";

const route = { method: "GET", path: "/metrics" } as const;

/** GET /metrics, for Prometheus; 404 where it is disabled or has a port of its own. */
export const metrics = countedOperation({ ...route, group: "tasks" }, (request, context) => {
  if (context.metricsAccess === "off") return detailReply(404, "Not Found");
  if (context.metricsAccess === "local" && !request.isLocal)
    throw forbidden("Metrics are read from this machine, on METRICS_PORT, or where METRICS_ACCESS is public");
  return exposition(request, context);
});

/** GET /metrics on its own port. */
export const privateMetrics = openOperation(route, exposition);

const latest = onceASecond(async ({ metrics }) => {
  const { type, body } = await metrics.text();
  return { type, text: packed(body) };
});

async function exposition(request: ApiRequest, context: Context): Promise<Reply> {
  const { type, text } = await latest(context);
  return text.reply(request, { "content-type": type, "cache-control": "no-store" });
}
