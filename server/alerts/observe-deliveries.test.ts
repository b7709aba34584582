import { expect, it } from "vitest";
import { createMetrics } from "#server/platform/metrics.ts";
import { addAlert, addChannel, testDeliveries, testSecret, testSendDeps } from "#test/alerts.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { openTestStore } from "#test/tasks.ts";
import { observeDeliveries } from "./observe-deliveries.ts";

describeWithDatabase("the metrics of deliveries", (fresh) => {
  it("tell what waits and for how long, and what this process has delivered and failed at", async () => {
    const test = await openTestStore(await fresh());
    try {
      let status = 500;
      const deliveries = testDeliveries(test.tables, testSendDeps(test.clock), {
        send: async () =>
          status === 200
            ? { kind: "delivered" }
            : { kind: "failed", code: "status", error: "HTTP 500", retryAfterS: 0 },
      });
      const metrics = createMetrics();
      observeDeliveries(metrics, test.tables, deliveries);
      const read = async () => {
        const { body } = await metrics.text();
        return [
          "alerts_waiting",
          "alerts_wait_seconds",
          'alert_attempts\\{outcome="delivered"\\}',
          'alert_attempts\\{outcome="failed"\\}',
        ].map((name) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(body)?.[1]));
      };
      expect(await read()).toEqual([0, 0, 0, 0]);
      const { prisma } = test.database;
      const webhook = { kind: "webhook", target: "https://example.org/", secret: testSecret } as const;
      await addAlert(test.tables, [
        await addChannel(prisma, webhook),
        // Nobody waits for what an unconfirmed channel would get.
        await addChannel(prisma, { kind: "mail", target: "a@example.org", verified: false }),
      ]);
      test.pass(60);
      expect(await read()).toEqual([1, 60, 0, 0]);
      const round = async () => {
        await deliveries.poll();
        await deliveries.settled();
      };
      await round();
      expect(await read()).toEqual([1, 60, 0, 1]);
      test.pass(6);
      status = 200;
      await round();
      expect(await read()).toEqual([0, 0, 1, 1]);
    } finally {
      await test.database.close();
    }
  });
});
