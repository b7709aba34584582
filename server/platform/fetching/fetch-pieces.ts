import { isBound, type ObjectVersion } from "./answer.ts";
import { BrokenError, ReplacedError } from "./errors.ts";
import type { Fetcher } from "./fetcher.ts";
import type { GetOptions } from "./get-options.ts";
import type { PartialFile } from "./partial-file.ts";

/** Bytes of an object, and where they go in the file. */
export interface Piece {
  from: number;
  /** Excluded; undefined for the end of the object. */
  to: number | undefined;
  at: number;
}

/** Fetching so much that is not wanted costs less than another request. */
const MAX_GAP = 256 * 1024;

interface Range {
  from: number;
  /** Infinity where the end is not known. */
  to: number;
  pieces: { from: number; to: number; at: number }[];
}

/**
 * Fetches what a file lacks of its pieces, with one request for neighbours and small gaps, several at the same time.
 *
 * All requests are bound to the version that the first one answers, or that the file has from before. What arrives before
 * a failure stays in the file.
 *
 * @param pieces Ascending, without overlap, in the object and in the file.
 * @param maxBytes Of a piece whose end is not known.
 * @param arrived Called with the bytes of each request that arrive.
 * @throws FetchError: ReplacedError where the object is no longer that of the file; the signal's reason.
 */
export async function fetchPieces(
  fetcher: Fetcher,
  url: string,
  pieces: readonly Piece[],
  file: PartialFile,
  { maxBytes, arrived, signal }: { maxBytes: number; arrived: (bytes: number) => void; signal: AbortSignal },
): Promise<"done" | "absent"> {
  const outdated = new AbortController();
  const either = AbortSignal.any([signal, outdated.signal]);
  const failures: unknown[] = [];
  let absent = false;
  const fetchRange = async (range: Range, begun?: () => void) => {
    const writer = file.writer();
    let at = range.from;
    const into = async (bytes: Uint8Array, version: ObjectVersion) => {
      arrived(bytes.length);
      if (!file.version) await bind(url, pieces, file, version);
      begun?.();
      for (const piece of range.pieces) {
        const [from, to] = [Math.max(at, piece.from), Math.min(at + bytes.length, piece.to)];
        if (from < to) writer.write(piece.at + from - piece.from, bytes.subarray(from - at, to - at));
      }
      at += bytes.length;
    };
    try {
      const answer = await fetcher.get(url, {
        ...wantedOf(range, maxBytes),
        ifMatch: file.version,
        into,
        signal: either,
      });
      if (answer.kind === "absent") absent = true;
    } catch (error) {
      failures.push(error);
      // Other failures are of one request: what the others bring is not fetched again.
      if (error instanceof ReplacedError) outdated.abort(error);
    } finally {
      writer.end();
    }
  };
  const ranges = rangesOf(pieces, file);
  if (file.version) await Promise.all(ranges.map((range) => fetchRange(range)));
  else if (ranges.length > 0) {
    let others: Promise<unknown> | undefined;
    await fetchRange(ranges[0]!, () => {
      others ??= Promise.all(ranges.slice(1).map((range) => fetchRange(range)));
    });
    await others;
  }
  signal.throwIfAborted();
  outdated.signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  return absent ? "absent" : "done";
}

function wantedOf({ from, to }: Range, maxBytes: number): Pick<GetOptions, "range" | "maxBytes"> {
  if (to !== Number.POSITIVE_INFINITY) return { range: { from, to }, maxBytes: to - from };
  // Some hosts know no ranges; a whole object needs none.
  return { range: from === 0 ? undefined : { from }, maxBytes };
}

async function bind(url: string, pieces: readonly Piece[], file: PartialFile, version: ObjectVersion) {
  if (!isBound(version) && pieces.length > 1) {
    const { host, pathname } = new URL(url);
    throw new BrokenError(host, pathname, "nothing says to which version its parts belong");
  }
  await file.bind(version);
}

function rangesOf(pieces: readonly Piece[], file: PartialFile): Range[] {
  const ranges: Range[] = [];
  for (const piece of pieces) {
    const end = piece.to ?? file.version?.total ?? Number.POSITIVE_INFINITY;
    for (const [start, stop] of file.missing(piece.at, piece.at + end - piece.from)) {
      const from = piece.from + start - piece.at;
      const lacking = { from, to: from + stop - start, at: start };
      const last = ranges.at(-1);
      if (last && lacking.from - last.to <= MAX_GAP) {
        last.pieces.push(lacking);
        last.to = lacking.to;
      } else ranges.push({ from, to: lacking.to, pieces: [lacking] });
    }
  }
  return ranges;
}
