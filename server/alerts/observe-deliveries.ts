import type { Metrics } from "#server/platform/metrics.ts";
import type { Deliveries } from "./deliveries.ts";
import type { AlertTables } from "./delivery-queue.ts";

/** Adds what waits, of all processes together, and what this process has delivered. */
export function observeDeliveries(
  metrics: Pick<Metrics, "gauge" | "gauges">,
  tables: Pick<AlertTables, "$queryRaw">,
  deliveries: Pick<Deliveries, "counts">,
): void {
  metrics.gauges(
    "alert_attempts",
    "Alerts that this process delivered, attempts that failed, and channels that it disabled",
    "outcome",
    async () => new Map(Object.entries(deliveries.counts)),
  );
  const number = (sql: () => Promise<{ value: number | bigint }[]>) => async () =>
    Number((await sql())[0]!.value);
  metrics.gauge(
    "alerts_waiting",
    "Alerts that are still to be delivered",
    number(
      () => tables.$queryRaw`
        SELECT count(*) AS value FROM alert_delivery d JOIN alert_channel c ON c.id = d.channel_id
        WHERE d.state = 'PENDING' AND c.disabled_at IS NULL AND c.verified_at IS NOT NULL`,
    ),
  );
  metrics.gauge(
    "alerts_wait_seconds",
    "Since the oldest of them was found; 0 without one",
    number(
      () => tables.$queryRaw`
        SELECT coalesce(extract(epoch FROM now() - min(d.created_at)), 0)::float8 AS value
        FROM alert_delivery d JOIN alert_channel c ON c.id = d.channel_id
        WHERE d.state = 'PENDING' AND c.disabled_at IS NULL AND c.verified_at IS NOT NULL`,
    ),
  );
}
