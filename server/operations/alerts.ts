import { bodyLimits } from "#lib/contract/bodies.ts";
import { header, queryParameters, rateLimited, reply } from "#lib/contract/openapi.ts";
import { alertQuery, alertsRead } from "#lib/contract/watch.ts";
import { jsonReply, noStore } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { alertForm } from "#server/watches/store.ts";
import { linkTo, readCursor } from "./cursor.ts";
import { bodyOperation, readOperation } from "./definition.ts";

/** GET /alerts: the inbox, newest first. */
export const alerts = readOperation(
  {
    method: "GET",
    path: "/alerts",
    group: "tasks",
    query: alertQuery,
    docs: {
      operationId: "getAlerts",
      summary: "The caller's alerts, newest first",
      description: "What the watches of the caller found, and notes on channels that do not work.",
      parameters: queryParameters(alertQuery),
      replies: {
        "200": reply("A page of the inbox", "AlertList", {
          ...rateLimited,
          Link: header('</alerts?…>; rel="next"', "the next page, where there is one"),
        }),
        "422": reply("The query breaks a rule", "ValidationError"),
      },
    },
  },
  async ({ query, context, caller, request }) => {
    const { alerts: store } = context.watches;
    const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
    // One more than is shown, to know whether there is a next page.
    const found = await store.list(caller.owner, query.limit + 1, before);
    const shown = found.slice(0, query.limit);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    const answer = { results: shown.map(alertForm), unread: await store.unread(caller.owner) };
    return jsonReply(200, answer, { ...noStore, ...(last && linkTo(request.path, query.limit, last)) });
  },
);

/** POST /alerts/read: marks alerts as read. */
export const readAlerts = bodyOperation(
  {
    path: "/alerts/read",
    reader: bodyReader(alertsRead),
    schemaName: "AlertsRead",
    limitBytes: bodyLimits.sync,
    group: "tasks",
    docs: {
      operationId: "postAlertsRead",
      summary: "Mark alerts as read",
      description: "Ids that are not the caller's are left alone.",
      replies: { "204": { description: "They are marked" } },
    },
  },
  async ({ body, context, caller }) => {
    await context.watches.alerts.markRead(caller.owner, body.ids);
    return { status: 204, headers: noStore, body: null };
  },
);
