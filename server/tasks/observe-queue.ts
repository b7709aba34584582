import type { PrismaClient } from "#prisma/generated/client.ts";
import type { Metrics } from "#server/platform/metrics.ts";

/** Adds what waits in the queue of tasks and in the outbox, of all processes together: every replica says the same. */
export function observeQueue(metrics: Pick<Metrics, "gauge">, tables: Pick<PrismaClient, "$queryRaw">): void {
  const number = (sql: () => Promise<{ value: number | bigint }[]>) => async () =>
    Number((await sql())[0]!.value);
  metrics.gauge(
    "tasks_pending",
    "Tasks that are not ended",
    number(() => tables.$queryRaw`SELECT count(*) AS value FROM task WHERE status = 'PENDING'`),
  );
  metrics.gauge(
    "tasks_wait_seconds",
    "Since the oldest task was accepted that is due and that no worker has begun; 0 without one",
    number(
      () => tables.$queryRaw`
        SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS value FROM task
        WHERE status = 'PENDING' AND started_at IS NULL AND available_at <= now()`,
    ),
  );
  metrics.gauge(
    "mails_wait_seconds",
    "Since the oldest e-mail was written that is still to be sent; 0 without one",
    number(
      () => tables.$queryRaw`
        SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS value FROM outbox
        WHERE sent_at IS NULL AND error IS NULL`,
    ),
  );
}
