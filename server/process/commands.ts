import { KeyStore } from "#server/http/keys.ts";
import { keysCommand } from "#server/http/keys-command.ts";
import { readPepper } from "#server/http/pepper.ts";
import { realClock, weatherClock } from "#server/platform/clock.ts";
import { type Database, DatabaseUnreachableError, openDatabase } from "#server/platform/db.ts";
import { ConfigError, type Env, EXIT_CONFIG, readEnv } from "#server/platform/env.ts";
import { LockedError } from "#server/platform/lock.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { MigrationError } from "#server/platform/migrate.ts";

const usage = `Usage: npm run metocean -- <command>

Commands:
  keys create|list|revoke   the API's keys
  ingest <source>           read weather files into the archive
  feeds plan|status|now|run forecasts that are fetched by themselves
  feeds backfill <feed>     fill the hindcasts from what a mirror still has
  archive compact           rewrite the runs of older versions, which take more of the disk
  storms refresh            read a storm feed and publish its storms
  storms fetch              fetch the storm texts that are due and publish their storms
  doctor                    describe this installation and check its parts

Each says more with --help. They work while the server runs and while it does not.
`;

const opened: Database[] = [];

async function run([name, ...args]: string[]): Promise<number> {
  const { stdout: out, stderr: err } = process;
  switch (name) {
    case "keys":
      return keysCommand(args, { open: async () => openKeys(readEnv()), out, err, now: realClock.now() });
    case "ingest": {
      lowerPriority("rest");
      const { ingestCommand } = await import("#server/ingest/command.ts");
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
      return ingestCommand(args, { archive: readEnv().archiveDir, out, err, signal: stop.signal });
    }
    case "feeds":
      return (await import("./feeds.ts")).feedsFromCommandLine(args, { env: readEnv(), openForCommand });
    case "archive": {
      lowerPriority("rest");
      const { archiveCommand } = await import("#server/archive/archive-command.ts");
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
      return archiveCommand(args, { archive: readEnv().archiveDir, out, err, signal: stop.signal });
    }
    case "storms": {
      lowerPriority();
      const { stormsCommand } = await import("#server/storms/storms-command.ts");
      const env = readEnv();
      if (args[0] === "fetch") {
        const { fetchStormsFromCommandLine } = await import("./feeds.ts");
        return fetchStormsFromCommandLine(args.slice(1), { env, openForCommand });
      }
      return stormsCommand(args, {
        open: async () => (await openForCommand(env)).prisma,
        out,
        err,
        now: weatherClock(env.frozenAt).now(),
        signal: new AbortController().signal,
      });
    }
    case "doctor": {
      const { doctorCommand } = await import("./doctor.ts");
      return doctorCommand(readEnv(), out);
    }
    case "--help":
    case "-h":
      out.write(usage);
      return 0;
    default:
      err.write(`${name === undefined ? "Which command?" : `There is no command "${name}".`}\n\n${usage}`);
      return 2;
  }
}

async function openKeys(env: Env): Promise<KeyStore> {
  const database = await openForCommand(env);
  return new KeyStore(database.prisma, { pepper: await readPepper(env, database), clock: realClock });
}

async function openForCommand(env: Env): Promise<Database> {
  const database = await openDatabase(env);
  opened.push(database);
  return database;
}

/** Whether a stack would only obscure the message. */
function hasCompleteMessage(error: unknown): error is Error {
  const expected = [ConfigError, LockedError, DatabaseUnreachableError, MigrationError];
  if (expected.some((kind) => error instanceof kind)) return true;
  // A path that is not a folder, cannot be written, or is on a full disk: the message names the path and the reason.
  return error instanceof Error && "syscall" in error && "path" in error;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(hasCompleteMessage(error) ? error.message : error);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
} finally {
  for (const database of opened) await database.close();
}
