import { FORECAST_ARCHIVE_MONTHS, timeWindow } from "#lib/catalog/datasets.ts";
import { bodyLimits, guestBodyLimit } from "#lib/contract/bodies.ts";
import { guestPointLimit } from "#lib/contract/point.ts";
import { failedKeyLimit, guestLimit, type RateGroup, rateGroups } from "#server/http/authenticate.ts";
import { jsonReply } from "#server/http/reply.ts";
import { KEY_SECONDS } from "#server/tasks/store.ts";
import { countedOperation, type OperationDefinition } from "./definition.ts";

const groups = Object.keys(rateGroups) as RateGroup[];

/** GET /limits: every limit in force, from the constants that enforce it and the definitions of the operations. */
export function limits(operations: () => readonly OperationDefinition[]): OperationDefinition {
  return countedOperation(
    {
      method: "GET",
      path: "/limits",
      group: "tasks",
      docs: { operationId: "getLimits", summary: "Every limit in force" },
    },
    (_request, { tasks, guests }) =>
      jsonReply(
        200,
        {
          rate: Object.fromEntries(Object.entries(rateGroups).map(([group, { text }]) => [group, text])),
          failed_authentication: failedKeyLimit.text,
          body_bytes: bodyLimits,
          ...Object.assign({}, ...operations().map((operation) => operation.limits)),
          tasks: {
            pending_of_owner: tasks.store.limits.pendingOfOwner,
            pending: tasks.store.limits.pending,
            result_seconds: tasks.store.limits.resultSeconds,
            row_seconds: tasks.store.limits.rowSeconds,
            idempotency_key_seconds: KEY_SECONDS,
          },
          time: {
            years_back: timeWindow.yearsBack,
            days_ahead: timeWindow.daysAhead,
            archive_months: FORECAST_ARCHIVE_MONTHS,
          },
          wind_height_metres: { min: 10, max: 100 },
          ...(guests && {
            guests: {
              mode: guests.mode,
              rate: Object.fromEntries(groups.map((group) => [group, guestLimit({ guests }, group).text])),
              points: guestPointLimit,
              body_bytes: guestBodyLimit,
            },
          }),
        },
        { "cache-control": "public, max-age=300" },
      ),
  );
}
