import { serialQueue } from "#server/platform/in-parallel.ts";
import { ThreadEndedError, workerPool } from "#server/platform/worker-pool.ts";
import type { FeedText } from "./bulletin.ts";
import type { DerivedStorms, DeriveInput } from "./derive.ts";
import type { TextsRequest } from "./feed-thread.ts";

/** Reading all texts of a provider takes seconds; parsers look at each character a bounded number of times. */
const LIMIT_MS = 120_000;

/** JavaScript heap of the thread, MiB: several times what the longest texts become (see `MAX` in parse/text.ts). */
const HEAP_MB = 384;

/** Bulletins come every few hours. Ending the thread returns its memory. */
const IDLE_MS = 10_000;

/** The storms of a feed could not be derived; what was published before stays. */
export class DerivationFailedError extends Error {
  override readonly name = "DerivationFailedError";
}

/** Texts become storms in a thread, so that the thread that answers requests stays free. */
export function stormThread({
  limitMs = LIMIT_MS,
  entry = new URL("./feed-thread.ts", import.meta.url),
} = {}) {
  const pool = workerPool({ entry, idleMs: IDLE_MS, limits: { maxOldGenerationSizeMb: HEAP_MB } });
  // One after the other: ending the thread fails every call in it.
  const oneByOne = serialQueue();

  async function call<Result>(name: "derive" | "texts", input: DeriveInput | TextsRequest): Promise<Result> {
    const timer = setTimeout(() => void pool.terminate(), limitMs);
    try {
      return await pool.call<Result>(name, input);
    } catch (cause) {
      if (!(cause instanceof ThreadEndedError)) throw cause;
      throw new DerivationFailedError(`The thread that reads the feed of ${input.provider} ended`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    /** `deriveStorms`, in the thread. @throws DerivationFailedError also when it takes longer than two minutes. */
    derive: (input: DeriveInput) => oneByOne(() => call<DerivedStorms>("derive", input)),
    /** The texts of a computed feed. */
    texts: (request: TextsRequest) => oneByOne(() => call<FeedText[]>("texts", request)),
    close: () => pool.terminate(),
  };
}
