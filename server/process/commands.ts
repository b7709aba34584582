import { type OpenedRunArchive, openRunArchive } from "#server/context/run-archive.ts";
import { KeyStore } from "#server/keys/keys.ts";
import { keysCommand } from "#server/keys/keys-command.ts";
import { readPepper } from "#server/keys/pepper.ts";
import { describePlace } from "#server/platform/blob-url.ts";
import { databaseClock, realClock, weatherClock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { ConfigError, type Env, EXIT_CONFIG, placeOf, readEnv } from "#server/platform/env.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { stopOnSignals } from "./checked-env.ts";
import { describeCommandError } from "./command-error.ts";

const usage = `Usage: npm run metocean -- <command>

Commands:
  keys create|list|revoke   the API's keys
  ingest <source>           read weather files into the archive
  feeds plan|status|now|run forecasts that are fetched automatically
  feeds check [file]        try your own sources in DATA_DIR/sources
  feeds backfill <feed>     fill the hindcasts from what a mirror still has
  archive push [<url>]      publish the runs of this disk in the bucket of ARCHIVE_URL, or copy them elsewhere
  storms refresh            read a storm feed and publish its storms
  storms fetch              fetch the storm texts that are due and publish their storms
  backup <file>             write keys, tasks and all other rows into a file
  restore <file>            read such a file into an empty database
  doctor                    describe this installation and check its parts

Each command has --help. Commands work while the server runs and while it does not.
`;

const opened: { database?: Promise<Database>; archive?: Promise<OpenedRunArchive> } = {};

async function run([name, ...args]: string[]): Promise<number> {
  const { stdout: out, stderr: err } = process;
  switch (name) {
    case "keys":
      return keysCommand(args, { open: async () => openKeys(readEnv()), out, err, now: realClock.now() });
    case "ingest": {
      lowerPriority("rest");
      const { ingestCommand } = await import("#server/ingest/command.ts");
      const { readOwnSources } = await import("#server/ingest/sources/own-source.ts");
      return ingestCommand(args, {
        own: readOwnSources(readEnv().feeds.sources).map(({ source }) => source),
        openArchive: () => openArchiveFor(readEnv()),
        out,
        err,
        signal: stopOnSignals().signal,
      });
    }
    case "feeds":
      return (await import("./feeds.ts")).feedsFromCommandLine(args, {
        env: await readWholeEnv(),
        openForCommand,
        openArchiveFor,
      });
    case "archive": {
      lowerPriority("rest");
      const { archiveCommand } = await import("#server/archive/archive-command.ts");
      return archiveCommand(args, {
        // The command works on the archive of this machine, even if runs are published to a bucket.
        archive: readEnv().archiveDir,
        open: async (url) => {
          const place = placeOf(url);
          if (!place) return undefined;
          const { openBlobs } = await import("#server/platform/folder-blob-store.ts");
          return openBlobs(place, 0, { isPublic: true });
        },
        openShared: async (url) => {
          const env = readEnv();
          const place = url === undefined ? undefined : placeOf(url);
          if (place && describePlace(place) !== describePlace(env.archive.place)) return undefined;
          if (url !== undefined && !place) return undefined;
          return (await openArchiveFor(env)).shared;
        },
        out,
        err,
        signal: stopOnSignals().signal,
      });
    }
    case "storms": {
      lowerPriority();
      const { stormsCommand } = await import("#server/storms/storms-command.ts");
      const env = await readWholeEnv();
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
    case "backup":
    case "restore": {
      lowerPriority();
      const { backupCommand, restoreCommand } = await import("./backup-command.ts");
      return (name === "backup" ? backupCommand : restoreCommand)(args, { env: readEnv(), out, err });
    }
    case "doctor": {
      const { doctorCommand } = await import("./doctor.ts");
      return doctorCommand(await readWholeEnv(), out);
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

/** Reads the environment and also checks the names of feeds and sources. */
async function readWholeEnv(): Promise<Env> {
  const { settingChecks } = await import("#server/context/feeds.ts");
  return readEnv(undefined, settingChecks);
}

async function openKeys(env: Env): Promise<KeyStore> {
  const database = await openForCommand(env);
  const pepper = await readPepper(env, database);
  return new KeyStore(database.prisma, { pepper, clock: await databaseClock(database) });
}

async function openArchiveFor(env: Env): Promise<OpenedRunArchive> {
  // The first part of a command that needs the archive opens it; later parts share it.
  opened.archive ??= openRunArchive(env, () => openForCommand(env));
  return opened.archive;
}

/** Opens the database once for each command, whatever needs it. */
function openForCommand(env: Env): Promise<Database> {
  opened.database ??= openDatabase(env);
  return opened.database;
}

for (const output of [process.stdout, process.stderr])
  output.on("error", (error: NodeJS.ErrnoException) => {
    // A reader such as `| head -1` has closed the output; the command still completes.
    if (error.code !== "EPIPE") throw error;
  });

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(describeCommandError(error) ?? error);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
} finally {
  // A failure to open has already been reported.
  await (await opened.archive?.catch(() => undefined))?.close();
  await (await opened.database?.catch(() => undefined))?.close();
}
