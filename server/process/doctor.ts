import { formatInstant } from "#lib/time.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { USER_PREFIX } from "#server/platform/embedded-postgres.ts";
import type { Env } from "#server/platform/env.ts";

const NAME_WIDTH = 16;
const INDENT = `\n${" ".repeat(NAME_WIDTH)}`;

/**
 * `doctor`: describes this installation and checks its parts. Changes nothing that a start would not change.
 *
 * @returns Exit code: 0 if every part works, otherwise 1.
 */
export async function doctorCommand(env: Env, out: { write(text: string): unknown }): Promise<number> {
  const parts: [string, () => string | Promise<string>][] = [
    ["Node", () => `${process.version} on ${process.platform} ${process.arch}`],
    ["Data directory", () => env.dataDir],
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
      out.write(`${name.padEnd(NAME_WIDTH)}${await examine()}\n`);
    } catch (error) {
      failed++;
      out.write(
        `${name.padEnd(NAME_WIDTH)}FAILS: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    }
  }
  return failed === 0 ? 0 : 1;
}

async function database(env: Env): Promise<string> {
  const opened = await openDatabase(env);
  try {
    await opened.ping();
    const keys = await opened.prisma.apiKey.count();
    const [server] = await opened.prisma.$queryRaw<{ version: string }[]>`
      select current_setting('server_version') as version`;
    const kind = opened.kind === "embedded" ? "embedded PostgreSQL" : "PostgreSQL";
    const summary = `${kind} ${server?.version}, ${keys} ${keys === 1 ? "key" : "keys"}`;
    const users = opened.kind === "embedded" ? await otherUsers(opened) : [];
    return [summary, ...users].join(INDENT);
  } finally {
    await opened.close();
  }
}

/** Processes that use the embedded database, except this one. */
async function otherUsers({ prisma }: Database): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ name: string; since: Date }[]>`
    select substr(application_name, ${USER_PREFIX.length + 1}::int) as name, backend_start as since
    from pg_stat_activity where starts_with(application_name, ${USER_PREFIX}) order by backend_start`;
  return rows
    .filter(({ name }) => !name.startsWith(`process ${process.pid} `))
    .map(({ name, since }) => `used by ${name}, since ${formatInstant(since.getTime() / 1000)}`);
}

async function archive(env: Env): Promise<string> {
  const { runs } = await readManifest(env.archiveDir);
  if (runs.length === 0) return "empty; fill it with: npm run metocean -- ingest --help";
  const lines = runs.map((run) => {
    const fixed = run.times.length === 1 && run.times[0] === 0;
    const span = fixed ? "fixed" : `${formatInstant(run.times[0]!)} to ${formatInstant(run.times.at(-1)!)}`;
    return `${run.dataset}, ${run.model}, ${span}, ${Object.keys(run.fields).length} fields (${run.id})`;
  });
  return [`${runs.length} runs`, ...lines].join(INDENT);
}
