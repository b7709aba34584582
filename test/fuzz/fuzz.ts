import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { parseInstant } from "#lib/time.ts";
import { labOptions } from "#test/lab-options.ts";
import { SLOWEST_MS } from "./oracles.ts";
import { fuzz } from "./run.ts";
import { KEYS, NOW, startServer } from "./server.ts";

const { requests, seed, parallel, slowest } = labOptions(
  `Random requests to the real server in the demo world. A seed repeats its requests. Wrong is a reply that breaks a promise
(test/fuzz/oracles.ts), and an error in the server's log.`,
  {
    requests: [100_000, "of all kinds"],
    seed: [Date.now() % 1_000_000, "of the requests"],
    parallel: [16, "requests at once"],
    slowest: [
      SLOWEST_MS,
      "milliseconds that a reply may take; more where other programs use the processors too",
    ],
  },
);

const folder = await mkdtemp(path.join(tmpdir(), "metocean-fuzz-"));
const server = await startServer(folder);
const pid = server.child.pid!;
// In reality clients are other machines, so checking replies must not slow down the server under test.
setPriority(constants.priority.PRIORITY_LOW);
console.log(`seed ${seed}, ${requests} requests to ${server.url}`);
let failed = true;
try {
  const began = performance.now();
  const report = await fuzz({
    url: server.url,
    keys: KEYS,
    now: parseInstant(NOW),
    requests,
    seed,
    parallel,
    slowestMs: slowest,
    progress: (done) => done % 20_000 === 0 && void usage(done),
  });
  await usage(requests);
  const seconds = (performance.now() - began) / 1000;
  const counts = [...report.counts].sort().map(([name, count]) => `${name}: ${count}`);
  console.log(
    `${(requests / seconds).toFixed(0)} requests/s, slowest ${report.slowestMs.toFixed(0)} ms, ` +
      `by the log of the server ${server.slowestMs().toFixed(0)} ms`,
  );
  console.log(counts.join(", "));
  for (const fault of report.faults) console.error(`FAULT ${fault}`);
  for (const line of server.errors.slice(0, 20)) console.error(`LOGGED ${line}`);
  failed = report.faults.length > 0 || server.errors.length > 0;
  console.log(`${report.faults.length} faults, ${server.errors.length} errors in the log`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** Prints memory and open files of the server. */
async function usage(done: number): Promise<void> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  const files = await readdir(`/proc/${pid}/fd`);
  console.log(`${done} requests: ${Math.round(Number(kilobytes) / 1024)} MiB, ${files.length} open files`);
}
