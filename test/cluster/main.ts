/** `npm run cluster`: the whole topology on one machine, for demonstrations and tests. See docs/cluster.md. */
import { cpSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Arguments, help, readArguments, UsageError } from "./arguments.ts";
import { checks } from "./checks/all.ts";
import type { CheckResult } from "./checks/check.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { consoleHelp, listParts, runConsole } from "./console.ts";

/** The weather's clock of checks: seven hours after the base time of a forecast, when all of it is there. */
const CHECK_NOW = "2026-09-01T07:00:00Z";

let cluster: Cluster | undefined;
let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    // At the second one, and while it is being started, what is left is killed and removed by the shell that watches.
    if (isEnding || !cluster) process.exit(130);
    void end(130);
  });

const given = argumentsOrExit();
const say = (text: string) => void process.stdout.write(`${text}\n`);
const warn = (text: string) => void process.stderr.write(`${text}\n`);
await (given.check ? runCheck(given, given.check) : demonstrate(given)).catch(async (error: unknown) => {
  warn(error instanceof Error ? String(error.stack) : String(error));
  await end(1);
});

async function demonstrate(given: Arguments): Promise<void> {
  cluster = await startCluster({ ...given, root: undefined, single: false, say });
  const { url, keys, smtp, folder } = cluster;
  say(`
The cluster works:
  ${url}   map and API, through the reverse proxy
  key        ${keys[0]}
  mail       ${smtp.url}
  logs       ${folder}/logs
${cluster.replicas.map(({ part, port }) => (port ? `  ${part.name.padEnd(10)} http://127.0.0.1:${port}\n` : "")).join("")}
${listParts(cluster)}

${consoleHelp}
`);
  await runConsole(cluster);
  await end(0);
}

async function runCheck(given: Arguments, name: NonNullable<Arguments["check"]>): Promise<void> {
  const check = checks[name];
  const options = await check.prepare?.(given, say);
  cluster = await startCluster({
    ...given,
    now: given.now ?? CHECK_NOW,
    root: undefined,
    single: true,
    say,
    ...options,
  });
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

function argumentsOrExit(): Arguments {
  try {
    const read = readArguments(process.argv.slice(2));
    if (read) return read;
    process.stdout.write(help);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${help}`);
    process.exit(2);
  }
}
