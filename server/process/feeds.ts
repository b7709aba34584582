import { readFileSync } from "node:fs";
import path from "node:path";
import { feedsCommand } from "#server/ingest/feeds/feeds-command.ts";
import { selectFeeds } from "#server/ingest/feeds/select-feeds.ts";
import { fieldFeeds } from "#server/ingest/sources/feeds.ts";
import { realClock, weatherClock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { createLogger, standardOutput } from "#server/platform/log.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";

/** Names of the feeds of storms. */
const stormFeeds = ["jtwc", "nhc", "jma"] as const;

/** The feeds that FEEDS turns on. @throws ConfigError */
export function selectedFeeds(env: Pick<Env, "feeds">) {
  return selectFeeds(env.feeds.enabled, fieldFeeds, stormFeeds);
}

/** Said to the process that fetches for a server: it ends when its standard input does. */
export const WITH_SERVER = "--with-server";

/** `feeds …`. */
export async function feedsFromCommandLine(
  args: string[],
  { env, openForCommand }: { env: Env; openForCommand(env: Env): Promise<Database> },
): Promise<number> {
  lowerPriority();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  if (args.includes(WITH_SERVER)) process.stdin.once("close", () => stop.abort()).resume();
  const packageFile = path.join(import.meta.dirname, "../../package.json");
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile, "utf8"));
  const { stdout: out, stderr: err } = process;
  const secrets = env.bootstrapKeys.map(({ text }) => text);
  const code = await feedsCommand(
    args.filter((arg) => arg !== WITH_SERVER),
    {
      env,
      selected: selectedFeeds(env),
      known: fieldFeeds,
      version,
      open: () => openForCommand(env),
      out,
      err,
      log: createLogger(env.logLevel, secrets, standardOutput()),
      clock: env.frozenAt === undefined ? realClock : weatherClock(env.frozenAt),
      signal: stop.signal,
    },
  );
  process.stdin.pause();
  return stop.signal.aborted ? 130 : code;
}
