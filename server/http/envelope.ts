import { type DeflatedPart, gzipOf } from "#server/platform/gzip-parts.ts";
import type { StreamedBody } from "./api-request.ts";

/** JSON text of a list of results, serialised before or while it is sent, in consecutive pieces. */
export interface WrittenResults {
  /** Callers may call this repeatedly; each call begins at the first byte. */
  pieces(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Returns the same text with parts that are already compressed. */
  deflated?(): AsyncIterable<Uint8Array | DeflatedPart>;
}

export type Results = readonly unknown[] | WrittenResults;

/** Content of a SUCCESS envelope. */
export interface Success {
  taskId: string;
  /** Point answers write their task_id as a list of one. */
  taskIdAsList?: boolean;
  results: Results;
  /** Seconds so far; called after the results are written, so that writing them counts. */
  seconds(): number;
  meta?: unknown;
  /** Further keys, such as those of a finished task; called after the results are written. */
  more?(): Readonly<Record<string, unknown>>;
}

/** Number of results of a list in a piece. */
const RESULTS_PER_PIECE = 256;

const utf8 = new TextEncoder();

export function isWritten(results: Results): results is WrittenResults {
  return "pieces" in results;
}

/**
 * Writes a SUCCESS envelope as pieces of its bytes, both for an answer that is sent at once and for a task's stored
 * result.
 *
 * The bytes equal `JSON.stringify(successValue(…))`. A piece is produced only when the one before it was consumed.
 */
export function successPieces(success: Success): AsyncGenerator<Uint8Array, void, undefined> {
  const { results } = success;
  return around(success, isWritten(results) ? results.pieces() : listPieces(results));
}

/** Returns the same pieces as a body, with its compressed form if parts of the results are cached compressed. */
export function successBody(success: Success & { results: WrittenResults }): StreamedBody {
  const { deflated } = success.results;
  return {
    [Symbol.asyncIterator]: () => successPieces(success),
    gzip: deflated && (() => gzipOf(around(success, deflated()))),
  };
}

/** Writes the envelope around the text of the results, in parts that may already be compressed. */
export async function* around<Part>(
  success: Omit<Success, "results">,
  results: Iterable<Part> | AsyncIterable<Part>,
): AsyncGenerator<Uint8Array | Part, void, undefined> {
  yield utf8.encode(`{"task_id":${JSON.stringify(idOf(success))},"status":"SUCCESS","result":{"results":`);
  yield* results;
  yield utf8.encode(`,${members(tailOf(success))}}${success.more ? trail(success.more()) : ""}}`);
}

/** Returns the same envelope as a value, for small answers. */
export function successValue(success: Success & { results: readonly unknown[] }): object {
  return {
    task_id: idOf(success),
    status: "SUCCESS",
    result: { results: success.results, ...tailOf(success) },
    ...success.more?.(),
  };
}

function idOf({ taskId, taskIdAsList }: Omit<Success, "results">): string | [string] {
  return taskIdAsList ? [taskId] : taskId;
}

function tailOf({ seconds, meta }: Omit<Success, "results">): Record<string, unknown> {
  const execution_time = `${seconds().toFixed(3)} seconds`;
  return meta === undefined ? { execution_time } : { execution_time, meta };
}

/** Returns an object's JSON without its braces. */
function members(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

function trail(more: object): string {
  const text = members(more);
  return text === "" ? "" : `,${text}`;
}

function* listPieces(values: readonly unknown[]): Generator<Uint8Array, void, undefined> {
  if (values.length === 0) yield utf8.encode("[]");
  for (let from = 0; from < values.length; from += RESULTS_PER_PIECE) {
    const text = JSON.stringify(values.slice(from, from + RESULTS_PER_PIECE)).slice(1, -1);
    const last = from + RESULTS_PER_PIECE >= values.length;
    yield utf8.encode(`${from === 0 ? "[" : ","}${text}${last ? "]" : ""}`);
  }
}
