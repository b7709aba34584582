import { LRUCache } from "lru-cache";

/** Compressed map frames in memory, and those being made. */
export type FrameCache = ReturnType<typeof frameCache>;

type MakeFrame = (signal: AbortSignal) => Promise<Uint8Array>;

/** A frame that is being made, and how many callers wait for it. */
interface PendingFrame {
  frame: Promise<Uint8Array>;
  waiting: number;
  controller: AbortController;
}

/**
 * Caches the frames that were used last.
 *
 * `fetch` of lru-cache does not serve here: it stops for all callers when the first one aborts.
 *
 * @param budget Bytes.
 */
export function frameCache(budget: number) {
  const cached = new LRUCache<string, Uint8Array>({
    maxSize: budget,
    // What is held: a compressor may return a part of a larger buffer.
    sizeCalculation: ({ buffer }) => buffer.byteLength,
  });
  const pending = new Map<string, PendingFrame>();

  function begin(key: string, make: MakeFrame): PendingFrame {
    const controller = new AbortController();
    const begun: PendingFrame = { frame: make(controller.signal), waiting: 0, controller };
    pending.set(key, begun);
    const end = () => {
      if (pending.get(key) === begun) pending.delete(key);
    };
    begun.frame.then((frame) => {
      end();
      cached.set(key, frame);
    }, end);
    return begun;
  }

  return {
    /** Memory of the frames. */
    get bytes(): number {
      return cached.calculatedSize;
    },
    /**
     * The bytes of a key; made once for all callers that ask meanwhile.
     *
     * @param make Its signal aborts when the last caller has gone.
     */
    async get(key: string, make: MakeFrame, signal: AbortSignal): Promise<Uint8Array> {
      signal.throwIfAborted();
      const frame = cached.get(key);
      if (frame) return frame;
      const shared = pending.get(key) ?? begin(key, make);
      shared.waiting++;
      const aborted = Promise.withResolvers<never>();
      const abort = () => {
        aborted.reject(signal.reason);
        if (--shared.waiting > 0) return;
        // Later callers start over.
        pending.delete(key);
        shared.controller.abort(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      try {
        return await Promise.race([shared.frame, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
  };
}
