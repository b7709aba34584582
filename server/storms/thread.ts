import { workerPool } from "#server/platform/worker-pool.ts";
import type { DerivedStorms, DeriveInput } from "./derive.ts";
import type { FeedText } from "./feed.ts";
import type { TextsRequest } from "./worker.ts";

/** The worker thread that turns texts into storms, so that the thread of the requests stays free. */
export interface StormThread {
  derive(input: DeriveInput): Promise<DerivedStorms>;
  texts(request: TextsRequest): Promise<FeedText[]>;
  close(): Promise<void>;
}

export function stormThread(): StormThread {
  const pool = workerPool({ entry: new URL("./worker.ts", import.meta.url), idleMs: 60_000 });
  return {
    derive: (input) => pool.call<DerivedStorms>("derive", input),
    texts: (request) => pool.call<FeedText[]>("texts", request),
    close: () => pool.terminate(),
  };
}
