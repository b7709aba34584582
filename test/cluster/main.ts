import { cpSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { labOptions } from "#test/lab-options.ts";
import { checks } from "./checks.ts";
import { startCluster } from "./cluster.ts";

/** The weather clock: seven hours after the base time of a forecast, when it is complete. */
const NOW = "2026-09-01T07:00:00Z";

const values = labOptions(
  `Checks of the whole topology on this machine: PostgreSQL, an S3 store behind a proxy that makes it slow or faulty, haproxy, replicas, a mail server that keeps what it gets. Ctrl-C ends all of it. See docs/cluster.md; wrong is what must not be.`,
  {
    check: ["kills", `one of ${Object.keys(checks).join(", ")}`],
    seed: [1, "of what is random"],
    skew: [0, "how wrong the clocks of the replicas are, both ways, seconds"],
    kills: [30, "of the check kills"],
    seconds: [60, "of each outage"],
    rounds: [1, "of rolling: how often everything is restarted"],
  },
);
const check = checks[values.check];
if (!check) {
  console.error(`--check is one of ${Object.keys(checks).join(", ")}`);
  process.exit(2);
}

const say = (text: string) => void process.stdout.write(`${text}\n`);
const cluster = await startCluster({
  now: NOW,
  skewS: values.skew,
  say,
  // This replica caches almost nothing, so every request reaches the store.
  ...(values.check === "outages" && { second: { ARCHIVE_CACHE_MB: "0" } }),
});
const stopped = new Promise<never>((_resolve, reject) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => reject(new Error(signal)));
});
let status = 1;
try {
  const { lines, complaints } = await Promise.race([check(cluster, values), stopped]);
  // A crash is a complaint, whatever the clients saw.
  for (const { name, hasCrashed } of cluster.parts)
    if (hasCrashed) complaints.push(`${name} ended by itself`);
  for (const line of lines) say(line);
  for (const complaint of complaints.slice(0, 50)) console.error(complaint);
  say(`${values.check}: ${complaints.length} complaints`);
  if (complaints.length === 0) status = 0;
} finally {
  if (status !== 0) {
    const kept = mkdtempSync(path.join(os.tmpdir(), "metocean-cluster-logs-"));
    cpSync(path.join(cluster.folder, "logs"), kept, { recursive: true });
    say(`What the processes wrote is in ${kept}`);
  }
  await cluster.close();
}
process.exit(status);
