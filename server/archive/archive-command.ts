import { formatBytes } from "#lib/format-bytes.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { describeFailure, ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { LockedError } from "#server/platform/lock.ts";
import { type PushCounts, publishArchive, pushArchive } from "./push.ts";
import type { RunRows } from "./run-rows.ts";

export interface ArchiveCommandDeps {
  /** Root directory of the archive. */
  archive: string;
  /** Opens a store by its URL; undefined if the text is not the URL of a store. */
  open(url: string): Promise<(BlobStore & { close(): void }) | undefined>;
  /**
   * Opens the catalog and the store of ARCHIVE_URL if that is a bucket.
   *
   * @param url Undefined asks for them in any case.
   */
  openShared(
    url: string | undefined,
  ): Promise<{ rows: RunRows; blobs: BlobStore; where: string } | undefined>;
  out: { write(text: string): void };
  err: { write(text: string): void };
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
}

const usage = `Usage: archive push [<url>]

push without a URL publishes the runs of DATA_DIR in the bucket of ARCHIVE_URL, in addition to those that it has. They replace
the runs that an ingest there would replace, and nothing else is removed. Any number of machines may do this at the same time.

push with a URL copies the published runs of DATA_DIR to s3://bucket/prefix, or to file:///folder, from where any web server can
offer them to processes with ARCHIVE_URL=https://. Every object is read back and compared, then the list of runs is replaced.
Runs that were copied before are not sent again, and a stopped command continues where it was. Runs that are no longer published
are removed by a push at least ten minutes later. Push one archive to one place only.
`;

/**
 * `archive push`.
 *
 * @param args What follows `archive` on the command line.
 * @returns Exit code: 0 done, 1 something was left out, 2 the command is wrong, 130 stopped.
 */
export async function archiveCommand(args: string[], deps: ArchiveCommandDeps): Promise<number> {
  const { out, err, signal } = deps;
  if (args.includes("--help") || args.includes("-h")) {
    out.write(usage);
    return 0;
  }
  try {
    if (args.length <= 2 && args[0] === "push") return await push(args[1], deps);
    err.write(usage);
    return 2;
  } catch (error) {
    if (signal.aborted) {
      err.write("Stopped; the same command continues with the remaining runs.\n");
      return 130;
    }
    if (error instanceof LockedError) {
      err.write(`The archive is being pushed by ${error.holder}: wait until that has ended.\n`);
      return 1;
    }
    if (!(error instanceof ProcessingError || error instanceof UnavailableError)) throw error;
    err.write(`${describeFailure(error)}\n`);
    return 1;
  }
}

async function push(url: string | undefined, deps: ArchiveCommandDeps): Promise<number> {
  const { archive, open, openShared, out, err, signal } = deps;
  const report = {
    copied: (run: { id: string }, sent: number, done: number, total: number) =>
      out.write(`${done} of ${total}: ${run.id}, ${formatBytes(sent)}\n`),
    left: (run: { id: string }, reason: string) => out.write(`${run.id} is left: ${reason}\n`),
    removed: (path: string) => out.write(`removed ${path}\n`),
  };
  const shared = await openShared(url);
  if (shared) {
    const counts = await publishArchive(archive, shared.rows, shared.blobs, report, signal);
    out.write(summary(counts));
    return 0;
  }
  if (url === undefined) {
    err.write(
      "ARCHIVE_URL names no bucket to publish in; for a copy, add its place: s3://bucket/prefix or file:///folder\n",
    );
    return 2;
  }
  const store = await open(url);
  if (!store) {
    // The message omits access keys that the URL may contain.
    err.write(`${url.replace(/\/\/[^/]*@/, "//")} is neither s3://bucket/prefix nor file:///folder\n`);
    return 2;
  }
  try {
    out.write(summary(await pushArchive(archive, store, report, signal)));
    return 0;
  } finally {
    store.close();
  }
}

function summary({ runs, copied, removed, bytes }: PushCounts): string {
  return `${runs} runs are published there: ${copied} copied (${formatBytes(bytes)}), ${removed} removed\n`;
}
