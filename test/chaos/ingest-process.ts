/** The process that the chaos test kills: `<archive> <arguments of the command ingest>`. */
import { ingestCommand } from "#server/ingest/command.ts";

const [archive = "", ...args] = process.argv.slice(2);

process.exitCode = await ingestCommand(args, {
  archive,
  out: process.stdout,
  err: process.stderr,
  signal: new AbortController().signal,
});
