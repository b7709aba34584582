import { expect, it } from "vitest";
import { createMetrics } from "#server/platform/metrics.ts";
import { joinExpositions } from "./member.ts";

it("metrics of several processes form one exposition: each metric is described once, with the values of every process", async () => {
  const texts = await Promise.all(
    [1, 2].map(async (process) => {
      const metrics = createMetrics(process);
      metrics.served({ method: "GET", route: "/storms", status: 200, seconds: 0.002 * process });
      metrics.gauge("connections_open", "Connections of clients", () => 10 * process);
      return (await metrics.text()).body;
    }),
  );
  const all = joinExpositions(texts);
  const lines = all.split("\n");
  expect(lines.filter((line) => line === "# TYPE http_requests_total counter")).toHaveLength(1);
  for (const process of [1, 2]) {
    expect(lines).toContain(
      `http_requests_total{method="GET",route="/storms",status="200",process="${process}"} 1`,
    );
    expect(lines).toContain(`connections_open{process="${process}"} ${10 * process}`);
    expect(lines).toContain(
      `http_request_duration_seconds_bucket{le="+Inf",process="${process}",route="/storms"} 1`,
    );
  }
  // The values of a metric follow its description.
  const open = lines.indexOf("# TYPE connections_open gauge");
  expect(lines.slice(open + 1, open + 4)).toEqual([
    'connections_open{process="1"} 10',
    'connections_open{process="2"} 20',
    "",
  ]);
  expect(joinExpositions([texts[0]!, ""]).trim().split("\n").toSorted()).toEqual(
    texts[0]!.trim().split("\n").toSorted(),
  );
});
