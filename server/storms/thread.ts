import { Piscina } from "piscina";
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
  const pool = new Piscina({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
  });
  return {
    derive: (input) => pool.run(input, { name: "derive" }) as Promise<DerivedStorms>,
    texts: (request) => pool.run(request, { name: "texts" }) as Promise<FeedText[]>,
    close: () => pool.destroy(),
  };
}
