import { FORECAST_ARCHIVE_MONTHS, timeWindow } from "#lib/catalog/datasets.ts";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { mapLimits } from "#lib/contract/map2d.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { jsonReply } from "#server/http/errors.ts";
import { failedKeyLimit, rateGroups } from "#server/http/rate-limit.ts";
import { KEY_SECONDS } from "#server/tasks/store.ts";
import { openEndpoint } from "./app-context.ts";

/** GET /limits: every limit in force, from the same constants that enforce it. */
export const limits = openEndpoint((_request, { tasks }) =>
  jsonReply(
    200,
    {
      rate: Object.fromEntries(Object.entries(rateGroups).map(([group, { text }]) => [group, text])),
      failed_authentication: failedKeyLimit.text,
      body_bytes: bodyLimits,
      points: pointLimits,
      map: { values: { sync: mapLimits.sync, async: mapLimits.async }, range_days: mapLimits.rangeDays },
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
    },
    { "cache-control": "public, max-age=300" },
  ),
);
