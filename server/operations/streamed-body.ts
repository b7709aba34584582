import type { Reply, StreamedBody } from "#server/http/api-request.ts";
import { isStream } from "#server/http/reply.ts";
import { turns } from "#server/platform/next-turn.ts";

/** Keeps the memory of a streamed body counted until its last byte is taken or the body is dropped, read or not. */
export function heldBody(body: Reply["body"], hold: () => () => void): Reply["body"] {
  if (!isStream(body)) return body;
  const { gzip } = body;
  const release = hold();
  return { ...released(body, release), gzip: gzip && (() => released(gzip(), release)) };
}

function released(pieces: AsyncIterable<Uint8Array>, release: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = pieces[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const piece = await inner.next();
            if (piece.done) release();
            return piece;
          } catch (error) {
            release();
            throw error;
          }
        },
        async return() {
          release();
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Maximum part of a body that is made before its first byte is sent, bytes. */
const READY_BYTES = 8 * 2 ** 20;

/**
 * Makes a body before it is sent, or the beginning of a long one, so that the time limit of its computation covers it
 * too. The result may be read as often as the given body.
 */
export async function readyBody(
  body: Reply["body"],
  signal: AbortSignal,
  readyBytes = READY_BYTES,
): Promise<Reply["body"]> {
  if (!isStream(body)) return body;
  const turn = turns(signal);
  const made: Uint8Array[] = [];
  const inner = body[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    while (bytes < readyBytes) {
      const { done, value } = await inner.next();
      if (done) return repeated(made);
      made.push(value);
      bytes += value.length;
      await turn();
    }
  } catch (error) {
    await inner.return?.();
    throw error;
  }
  return continued(made, inner, body);
}

function repeated(pieces: readonly Uint8Array[]): StreamedBody {
  return {
    async *[Symbol.asyncIterator]() {
      yield* pieces;
    },
  };
}

/** Returns the pieces and then the rest; a second read returns the whole. */
function continued(made: Uint8Array[], rest: AsyncIterator<Uint8Array>, whole: StreamedBody): StreamedBody {
  let isFirst = true;
  return {
    [Symbol.asyncIterator]() {
      const inner = isFirst ? rest : whole[Symbol.asyncIterator]();
      isFirst = false;
      const first = made.splice(0).reverse();
      return {
        next: async () => (first.length > 0 ? { done: false, value: first.pop()! } : inner.next()),
        async return() {
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Makes a body that can be read again: once to be stored for an Idempotency-Key, and once to be sent. */
export function repeatable(write: () => Parameters<typeof yielding>[0]): StreamedBody {
  return { [Symbol.asyncIterator]: () => yielding(write()) };
}

/** Gives others a turn between pieces, even while the client reads as fast as the pieces are written. */
export async function* yielding(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const turn = turns();
  for await (const piece of pieces) {
    yield piece;
    await turn();
  }
}
