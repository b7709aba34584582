import { cpSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { labOptions } from "#test/lab-options.ts";
import { checks } from "./checks/all.ts";
import type { Check, CheckOptions, CheckResult } from "./checks/check.ts";
import { type Cluster, startCluster } from "./cluster.ts";

/** The weather's clock: seven hours after the base time of a forecast, when all of it is there. */
const NOW = "2026-09-01T07:00:00Z";

const values = labOptions(
  `Checks of the whole topology on this machine: PostgreSQL, an S3 store behind a proxy that makes it slow or faulty, haproxy, replicas, a mail server that keeps what it gets. Ctrl-C ends all of it, and leaves nothing behind. See docs/cluster.md; wrong is what must not be.`,
  {
    check: ["kills", `one of ${Object.keys(checks).join(", ")}`],
    seed: [1, "of what is random"],
    kills: [30, "of the check kills"],
    seconds: [60, "of skew, and of each outage"],
    rounds: [1, "of rolling: how often everything is restarted"],
    streams: [1000, "of the check streams"],
  },
);
const check = checks[values.check];
if (!check) {
  console.error(`--check is one of ${Object.keys(checks).join(", ")}`);
  process.exit(2);
}

let cluster: Cluster | undefined;
let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    // At the second one, and while it is being started, what is left is killed and removed by the shell that watches.
    if (isEnding || !cluster) process.exit(130);
    void end(130);
  });

const say = (text: string) => void process.stdout.write(`${text}\n`);
const warn = (text: string) => void process.stderr.write(`${text}\n`);
await runCheck(values.check, check, values).catch(async (error: unknown) => {
  warn(error instanceof Error ? String(error.stack) : String(error));
  await end(1);
});

async function runCheck(name: string, check: Check, given: CheckOptions): Promise<void> {
  const options = await check.prepare?.();
  cluster = await startCluster({ now: NOW, say, ...options });
  const { lines, complaints }: CheckResult = await check.run(cluster, given);
  // A process that ended by itself is a failure, whatever the clients saw.
  for (const { name, ended } of cluster.parts)
    if (ended > 0) complaints.push(`${name} ended by itself ${ended} times`);
  for (const line of lines) say(line);
  for (const complaint of complaints.slice(0, 50)) warn(complaint);
  say(`${name}: ${complaints.length} complaints`);
  if (complaints.length > 0) keepLogs(cluster);
  await end(complaints.length === 0 ? 0 : 1);
}

/** What the processes wrote is of use after the end. */
function keepLogs({ folder }: Cluster): void {
  const kept = mkdtempSync(path.join(os.tmpdir(), "metocean-cluster-logs-"));
  cpSync(path.join(folder, "logs"), kept, { recursive: true });
  say(`What the processes wrote is in ${kept}`);
}

async function end(status: number): Promise<never> {
  isEnding = true;
  await cluster?.close();
  process.exit(status);
}
