import { workerPool } from "#server/platform/worker-pool.ts";
import type { BuildInput, Built } from "./build.ts";
import type { FeedText } from "./feed.ts";
import type { DemoTask } from "./worker.ts";

/** The thread in which texts become storms, so that the thread of the requests stays free. */
export interface StormThread {
  build(input: BuildInput): Promise<Built>;
  demoTexts(task: DemoTask): Promise<FeedText[]>;
  close(): Promise<void>;
}

export function stormThread(): StormThread {
  const pool = workerPool({ entry: new URL("./worker.ts", import.meta.url), idleMs: 60_000 });
  return {
    build: (input) => pool.call<Built>("fold", input),
    demoTexts: (task) => pool.call<FeedText[]>("invent", task),
    close: () => pool.terminate(),
  };
}
