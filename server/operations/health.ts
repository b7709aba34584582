import { anyJson, retryAfter } from "#lib/contract/openapi.ts";
import type { Readiness } from "#server/context/readiness.ts";
import type { Context } from "#server/context.ts";
import { jsonReply, noStore } from "#server/http/reply.ts";
import { openOperation } from "./definition.ts";
import { onceASecond } from "./once-a-second.ts";

/** GET /healthz: the process answers. */
export const healthz = openOperation(
  { method: "GET", path: "/healthz", docs: { operationId: "getHealth", summary: "The process answers" } },
  () => jsonReply(200, { status: "ok" }, noStore),
);

/** GET /readyz: whether the parts that requests depend on work, by name; 503 when one does not. */
export const readyz = openOperation(
  {
    method: "GET",
    path: "/readyz",
    docs: {
      operationId: "getReadiness",
      summary: "Requests can be answered",
      replies: {
        "200": {
          description: "Requests are answered; a part that is degraded says so, by name",
          content: anyJson,
        },
        "503": { description: "What does not work, by name", headers: retryAfter, content: anyJson },
      },
    },
  },
  async (_request, context) => {
    const failures = await readiness(context);
    const parts = Object.fromEntries(
      Object.entries(failures).map(([part, state]) => [part, describe(state)]),
    );
    const ready = Object.values(failures).every((state) => typeof state !== "string");
    return jsonReply(
      ready ? 200 : 503,
      { status: ready ? "ok" : "failing", parts },
      ready ? noStore : { ...noStore, "retry-after": "5" },
    );
  },
);

function describe(state: Readiness[string]): string {
  return typeof state === "object" ? `degraded: ${state.degraded}` : (state ?? "ok");
}

const found = onceASecond((context) => context.ready());

async function readiness(context: Context): Promise<Readiness> {
  return context.draining.aborted ? { process: "is about to stop" } : found(context);
}
