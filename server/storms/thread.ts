import { Piscina } from "piscina";
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
  const pool = new Piscina({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
  });
  return {
    build: (input) => pool.run(input, { name: "fold" }) as Promise<Built>,
    demoTexts: (task) => pool.run(task, { name: "invent" }) as Promise<FeedText[]>,
    close: () => pool.destroy(),
  };
}
