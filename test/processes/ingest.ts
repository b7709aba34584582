import { folderArchive } from "#server/archive/run-archive.ts";
import { ingestCommand } from "#server/ingest/command.ts";

/** A process that ingests: <archive> <arguments of `ingest`>. The chaos test kills it. */
const [archive = "", ...args] = process.argv.slice(2);

process.exitCode = await ingestCommand(args, {
  openArchive: async () => folderArchive(archive),
  out: process.stdout,
  err: process.stderr,
  signal: new AbortController().signal,
});
