import type { Reply } from "#server/http/api-request.ts";
import type { Place } from "#server/http/lane-place.ts";
import { turns } from "#server/platform/next-turn.ts";

/** A body whose place is released when its last byte was taken, or when it is dropped: read or not. */
export function heldBody(body: Reply["body"], place: Pick<Place, "release">): Reply["body"] {
  if (body === null || typeof body === "string" || body instanceof Uint8Array) {
    place.release();
    return body;
  }
  const { gzip } = body;
  return { ...released(body, place), gzip: gzip && (() => released(gzip(), place)) };
}

function released(
  pieces: AsyncIterable<Uint8Array>,
  place: Pick<Place, "release">,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = pieces[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const piece = await inner.next();
            if (piece.done) place.release();
            return piece;
          } catch (error) {
            place.release();
            throw error;
          }
        },
        async return() {
          place.release();
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
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
