import { formatBytes } from "#lib/format-bytes.ts";
import { compactArchive } from "./compact.ts";
import { ArchiveBusyError, DamagedManifestError } from "./errors.ts";

export interface ArchiveCommandDeps {
  /** Root directory of the archive. */
  archive: string;
  out: { write(text: string): void };
  err: { write(text: string): void };
  /** Aborts on Ctrl-C; the run being rewritten stays as it was. */
  signal: AbortSignal;
}

const usage = `Usage: archive compact

Rewrites the runs of older versions in the present form, which takes a third of the disk of version 0.2. The server may run
meanwhile. Each run is replaced as a whole; stopped, the command goes on where it was when it is started again. The
space of a replaced run is free ten minutes later, with the next run that is written. Old runs can be read as they are.
`;

/**
 * `archive compact`.
 *
 * @param args What follows `archive` on the command line.
 * @returns Exit code: 0 all runs have the present form, 1 some were left, 2 the command is wrong, 130 stopped.
 */
export async function archiveCommand(args: string[], deps: ArchiveCommandDeps): Promise<number> {
  const { archive, out, err, signal } = deps;
  if (args.includes("--help") || args.includes("-h")) {
    out.write(usage);
    return 0;
  }
  if (args.length !== 1 || args[0] !== "compact") {
    err.write(usage);
    return 2;
  }
  try {
    const counts = await compactArchive(
      archive,
      {
        writing: (run, part, done, total) =>
          out.write(`${done === 0 ? `${run.id}\n` : ""}  ${done + 1} of ${total}: ${part}\n`),
        compacted: (_run, before, after) =>
          out.write(`  ${formatBytes(before)} became ${formatBytes(after)}\n`),
        left: (run, reason) => err.write(`${run.id} is left as it is: ${reason}\n`),
      },
      signal,
    );
    out.write(
      `${counts.compacted} rewritten, ${counts.unchanged} had the present form, ${counts.left} left as they are\n`,
    );
    return counts.left > 0 ? 1 : 0;
  } catch (error) {
    if (signal.aborted) {
      err.write("Stopped; started again, the command goes on with the runs that are left.\n");
      return 130;
    }
    if (error instanceof ArchiveBusyError || error instanceof DamagedManifestError) {
      err.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}
