import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { keepMaintained } from "#server/archive/maintain-store.ts";
import { knownFeeds, selectedFeeds, stormFeedNames } from "#server/context/feeds.ts";
import type { OpenedRunArchive } from "#server/context/run-archive.ts";
import { feedsCommand } from "#server/ingest/feeds/feeds-command.ts";
import { type Clock, realClock, weatherClock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { createLogger, standardOutput } from "#server/platform/log.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { stopOnSignals } from "./checked-env.ts";
import { fetchStorms, openStormFeeds } from "./storm-feeds.ts";

/** Option of a process that fetches for a server: it stops when its standard input ends. */
export const WITH_SERVER = "--with-server";

/** Runs `feeds …`. */
export async function feedsFromCommandLine(
  args: string[],
  {
    env,
    openForCommand,
    openArchiveFor,
  }: {
    env: Env;
    openForCommand(env: Env): Promise<Database>;
    openArchiveFor(env: Env): Promise<OpenedRunArchive>;
  },
): Promise<number> {
  lowerPriority();
  const stop = stopOnSignals();
  if (args.includes(WITH_SERVER)) process.stdin.once("close", () => stop.abort()).resume();
  const version = versionOfPackage();
  const { stdout: out, stderr: err } = process;
  const secrets = env.bootstrapKeys.map(({ text }) => text);
  const log = createLogger(env.logLevel, secrets, standardOutput());
  const clock = clockOf(env);
  let maintenance: ReturnType<typeof keepMaintained> | undefined;
  const code = await feedsCommand(
    args.filter((arg) => arg !== WITH_SERVER),
    {
      env,
      selected: selectedFeeds(env),
      known: knownFeeds(env),
      version,
      storms: stormFeedNames,
      openStorms: (names, database) => openStormFeeds(names, database, { env, version, log, clock }),
      open: () => openForCommand(env),
      async openArchive() {
        const archive = await openArchiveFor(env);
        // With ROLE=ingest no other process maintains an archive in a bucket.
        if (archive.shared && args[0] === "run") maintenance ??= keepMaintained({ ...archive.shared, log });
        return archive;
      },
      out,
      err,
      log,
      ask: process.stdin.isTTY ? askOperator(stop.signal) : undefined,
      clock,
      signal: stop.signal,
    },
  );
  await maintenance?.close();
  process.stdin.pause();
  return stop.signal.aborted ? 130 : code;
}

/** Asks a question at the terminal. Every answer except yes counts as no. */
function askOperator(signal: AbortSignal): (question: string) => Promise<boolean> {
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      const answer = await terminal.question(`${question} [y/N] `, { signal });
      return /^y(es)?$/i.test(answer.trim());
    } catch (error) {
      // The command was stopped at the question.
      if (error instanceof Error && error.name === "AbortError") return false;
      throw error;
    } finally {
      terminal.close();
    }
  };
}

/** Runs `storms fetch …`. */
export async function fetchStormsFromCommandLine(
  args: string[],
  { env, openForCommand }: { env: Env; openForCommand(env: Env): Promise<Database> },
): Promise<number> {
  return fetchStorms(args, {
    env,
    version: versionOfPackage(),
    clock: clockOf(env),
    open: () => openForCommand(env),
    out: process.stdout,
    err: process.stderr,
    signal: stopOnSignals().signal,
  });
}

function versionOfPackage(): string {
  const packageFile = path.join(import.meta.dirname, "../../package.json");
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}

function clockOf({ frozenAt }: Env): Clock {
  return frozenAt === undefined ? realClock : weatherClock(frozenAt);
}
