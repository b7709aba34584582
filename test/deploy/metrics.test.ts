import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openContext } from "#server/context.ts";
import { openQueues } from "#server/http/queues.ts";
import { readEnv } from "#server/platform/env.ts";
import { createLogger } from "#server/platform/log.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { hasProgram } from "./programs.ts";

const root = path.join(import.meta.dirname, "../..");
const rules = path.join(root, "deploy/alerts.yml");
const dashboard = path.join(root, "deploy/grafana/dashboard.json");

/** Expressions of the rules and of the dashboard, with their locations. */
function expressions(): [string, string][] {
  const ofRules = [
    ...readFileSync(rules, "utf8").matchAll(
      /- alert: (\w+)[\s\S]*?expr: (?:>-)?([\s\S]*?)\n +(?:for|annotations):/g,
    ),
  ].map(([, name = "", expr = ""]): [string, string] => [name, expr]);
  const { panels } = JSON.parse(readFileSync(dashboard, "utf8")) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const ofPanels = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  );
  return [...ofRules, ...ofPanels];
}

/** Keywords of PromQL in these expressions. Anything else that is neither a label nor a number is a metric. */
const WORDS = new Set(
  "sum max min by rate increase delta topk histogram_quantile and or on without unless up".split(" "),
);

function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, "")
    .replace(/\{[^}]*\}/g, "")
    .replace(/\[[^\]]*\]/g, "")
    .replace(/\b(?:by|on|without)\s*\([^)]*\)/g, "");
  return [...bare.matchAll(/(?<![\w.])[a-z_][a-z0-9_]*/gi)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name));
}

it("the alarm of overload and the dashboard cover every queue", () => {
  const [, alarm = ""] = expressions().find(([where]) => where === "Overloaded")!;
  const drawn = readFileSync(dashboard, "utf8");
  for (const queue of Object.keys(openQueues(5))) {
    expect(metricsIn(alarm)).toContain(`admission_${queue}_shed`);
    for (const what of ["running", "waiting", "shed"]) expect(drawn).toContain(`admission_${queue}_${what}`);
  }
});

describeWithDatabase("rules and dashboard", (fresh) => {
  it("use only metrics that /metrics has, and those of every alarm are on the dashboard", async () => {
    const { dataDir, databaseUrl } = await fresh();
    const env = readEnv({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DEMO: "never", FEEDS: "gfs" });
    const { context } = await openContext(env, createLogger("silent", [], { write() {} }));
    onTestFinished(() => context.close());
    await context.work();
    context.metrics.served({ method: "GET", route: "/limits", status: 200, seconds: 0.1 });
    const { body } = await context.metrics.text();
    // Metrics of sockets are added where the server is started.
    const started = readFileSync(path.join(root, "server/process/serve.ts"), "utf8");
    const known = new Set([
      ...[...body.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = "", type]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
      ...[...started.matchAll(/gauge\(\s*"(\w+)"/g)].map(([, name = ""]) => name),
    ]);
    expect(known).toContain("connections_open");
    expect(expressions().length).toBeGreaterThan(30);
    const unknown = expressions().flatMap(([where, expr]) =>
      metricsIn(expr)
        .filter((name) => !known.has(name))
        .map((name) => `${where}: ${name}`),
    );
    expect(unknown).toEqual([]);
    const drawn = new Set(JSON.stringify(readFileSync(dashboard, "utf8")).match(/[a-z][a-z0-9_]+/g));
    const undrawn = expressions().flatMap(([, expr]) => metricsIn(expr).filter((name) => !drawn.has(name)));
    expect(undrawn).toEqual([]);
  });
});

describe.skipIf(!hasProgram("promtool"))(
  "rules and dashboard (needs promtool of Debian's prometheus)",
  () => {
    it("are understood by Prometheus", () => {
      execFileSync("promtool", ["check", "rules", rules], { stdio: "pipe" });
      execFileSync("promtool", ["check", "config", path.join(root, "deploy/prometheus.yml")], {
        stdio: "pipe",
      });
    });
  },
);
