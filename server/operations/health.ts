import { jsonReply } from "#server/http/errors.ts";
import { openEndpoint } from "./app-context.ts";

const noStore = { "cache-control": "no-store" };

/** GET /healthz: the process answers. */
export const healthz = openEndpoint(() => jsonReply(200, { status: "ok" }, noStore));

/** GET /readyz: what must work for requests to be answered, each part by name; 503 when one does not. */
export const readyz = openEndpoint(async (_request, context) => {
  const failures = await context.ready();
  const parts = Object.fromEntries(
    Object.entries(failures).map(([part, failure]) => [part, failure ?? "ok"]),
  );
  const ready = Object.values(failures).every((failure) => failure === undefined);
  return jsonReply(
    ready ? 200 : 503,
    { status: ready ? "ok" : "failing", parts },
    ready ? noStore : { ...noStore, "retry-after": "5" },
  );
});
