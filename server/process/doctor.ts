import { formatInstant } from "#lib/time.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openDatabase } from "#server/platform/db.ts";
import { embeddedHolder } from "#server/platform/embedded.ts";
import type { Env } from "#server/platform/env.ts";

/**
 * `doctor`: what this installation is and whether its parts work. Changes nothing but what a start would.
 *
 * @returns Exit code: 0 all works, 1 something does not.
 */
export async function doctorCommand(env: Env, out: { write(text: string): unknown }): Promise<number> {
  const parts: [string, () => string | Promise<string>][] = [
    ["Node", () => `${process.version} on ${process.platform} ${process.arch}`],
    ["Data directory", () => env.dataDir],
    ["Held by", () => holder(env)],
    ["Database", () => database(env)],
    ["Archive", () => archive(env)],
    [
      "Weather clock",
      () => (env.frozenAt === undefined ? "runs" : `stands at ${formatInstant(env.frozenAt)}`),
    ],
  ];
  let failed = 0;
  for (const [name, examine] of parts) {
    try {
      out.write(`${name.padEnd(16)}${await examine()}\n`);
    } catch (error) {
      failed++;
      out.write(`${name.padEnd(16)}FAILS: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return failed === 0 ? 0 : 1;
}

function holder(env: Env): string {
  const holder = embeddedHolder(env.dataDir);
  return holder
    ? `process ${holder.pid} on ${holder.host}, ${holder.command}, since ${holder.since}`
    : "nobody";
}

async function database(env: Env): Promise<string> {
  const opened = await openDatabase(env, "command");
  try {
    await opened.ping();
    const keys = await opened.prisma.apiKey.count();
    return `${opened.kind}, ${keys} ${keys === 1 ? "key" : "keys"}`;
  } finally {
    await opened.close();
  }
}

async function archive(env: Env): Promise<string> {
  const { runs } = await readManifest(env.archiveDir);
  if (runs.length === 0) return "empty; fill it with: npm run metocean -- ingest --help";
  const lines = runs.map((run) => {
    const fixed = run.times.length === 1 && run.times[0] === 0;
    const span = fixed ? "fixed" : `${formatInstant(run.times[0]!)} to ${formatInstant(run.times.at(-1)!)}`;
    return `${run.dataset}, ${run.model}, ${span}, ${Object.keys(run.fields).length} fields (${run.id})`;
  });
  return [`${runs.length} runs`, ...lines].join(`\n${" ".repeat(16)}`);
}
