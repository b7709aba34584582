import type { FeedText } from "@open-metocean/storms/bulletin";
import { serialQueue } from "#server/platform/in-parallel.ts";
import { ThreadEndedError, workerPool } from "#server/platform/worker-pool.ts";
import type { DerivedStorms, DeriveInput } from "./derive.ts";
import type { DeriveRequest, TextsRequest } from "./feed-thread.ts";

export interface StormThreadOptions {
  /** Longest time in which one text is read, milliseconds. */
  textMs?: number;
  /** Longest time for everything else: the start of the thread, merging, cones. */
  restMs?: number;
  entry?: URL;
}

/** Derives storms from texts in a thread, so that the thread that answers requests stays free. */
export type StormThread = ReturnType<typeof stormThread>;

/** Reading the longest text takes less than a second. */
const TEXT_MS = 10_000;
const REST_MS = 120_000;

/** JavaScript heap of the thread, MiB: several times the memory of the longest texts (see `MAX` in parse/text.ts). */
const HEAP_MB = 384;

/** Maximum number of texts of one refresh that may end the thread; each costs the time limit. */
const MAX_ENDED = 10;

const TICKS = 20;

/** Bulletins come every few hours. Ending the thread returns its memory. */
const IDLE_MS = 10_000;

/** Index that stands for no text being read. */
const NO_TEXT = -1;

/** The storms of a feed could not be derived; what was published before stays. */
export class DerivationFailedError extends Error {
  override readonly name = "DerivationFailedError";
}

/**
 * Runs the storms' thread. A text that takes too long to read, or crashes its reader, ends the thread. It becomes a problem
 * of that text, and the others are read in a new thread.
 */
export function stormThread({
  textMs = TEXT_MS,
  restMs = REST_MS,
  entry = new URL("./feed-thread.ts", import.meta.url),
}: StormThreadOptions = {}) {
  const pool = workerPool({ entry, idleMs: IDLE_MS, limits: { maxOldGenerationSizeMb: HEAP_MB } });
  let isClosed = false;

  /** Ends the thread when it has worked too long on one text or step. */
  function watch(current: Int32Array<SharedArrayBuffer>) {
    let at = NO_TEXT;
    let ticks = 0;
    let hasExpired = false;
    // The limit counts ticks and not time: a process that was suspended has not given the thread that time.
    const timer = setInterval(() => {
      const now = Atomics.load(current, 0);
      ticks = now === at ? ticks + 1 : 0;
      at = now;
      const limit = at === NO_TEXT ? (TICKS * restMs) / textMs : TICKS;
      if (ticks <= limit || hasExpired) return;
      hasExpired = true;
      void pool.terminate();
    }, textMs / TICKS).unref();
    return { hasExpired: () => hasExpired, stop: () => clearInterval(timer) };
  }

  async function derive(input: DeriveInput): Promise<DerivedStorms> {
    const texts: FeedText[] = [...input.texts];
    for (let ended = 0; ; ended++) {
      const current = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(NO_TEXT);
      const watched = watch(current);
      try {
        const request: DeriveRequest = { ...input, texts, current };
        return await pool.call<DerivedStorms>("derive", request);
      } catch (error) {
        if (isClosed || !(error instanceof ThreadEndedError)) throw error;
        const reason = watched.hasExpired()
          ? `takes longer than ${textMs / 1000} s to read`
          : "ends the thread that reads it";
        const index = Atomics.load(current, 0);
        const text = texts[index];
        if (!text)
          throw new DerivationFailedError(`The feed of ${input.provider} ${reason}`, { cause: error });
        if (ended === MAX_ENDED) {
          const message = `${text.source} is one of more than ${MAX_ENDED} texts that cannot be read: it ${reason}`;
          throw new DerivationFailedError(message, { cause: error });
        }
        texts[index] = { ...text, refused: `it ${reason}` };
      } finally {
        watched.stop();
      }
    }
  }

  // Calls run one after the other: ending the thread fails every call in it.
  const oneByOne = serialQueue();

  return {
    /** Runs `deriveStorms` in the thread. @throws DerivationFailedError */
    derive: (input: DeriveInput) => oneByOne(() => derive(input)),
    /** Returns the texts of a computed feed. */
    texts: (request: TextsRequest) => oneByOne(() => pool.call<FeedText[]>("texts", request)),
    close(): Promise<void> {
      isClosed = true;
      return pool.terminate();
    },
  };
}
