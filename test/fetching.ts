import { createHash } from "node:crypto";
import { createFetcher, type Fetcher, type FetcherOptions } from "#server/platform/fetching/fetcher.ts";
import type { GetOptions } from "#server/platform/fetching/request.ts";
import { type ObjectServer, objectServer } from "./object-server.ts";

/** A store on loopback and clients of it, in simulated time that only waits advance. */
export interface FetchingTest extends AsyncDisposable {
  server: ObjectServer;
  clock: { seconds: number; now(): number };
  /** Seconds of each wait so far. */
  waits: number[];
  fetcher(options?: Partial<FetcherOptions>): Fetcher;
  /** Fetches an object of `data.example`. Its bytes are returned as a digest, because long ones are slow to compare. */
  get(address: string, options?: Partial<GetOptions>, of?: Fetcher): Promise<object>;
}

export async function fetchingTest(): Promise<FetchingTest> {
  const server = await objectServer();
  const fetchers: Fetcher[] = [];
  const waits: number[] = [];
  const clock = { seconds: 1_785_000_000, now: () => clock.seconds };
  const test: FetchingTest = {
    server,
    clock,
    waits,
    fetcher(options = {}) {
      const made = createFetcher({
        hosts: { "data.example": {}, "second.example": {} },
        mirror: server.url,
        userAgent: "Open-MetOcean/0.2 (+mailto:someone@example.org)",
        clock,
        async sleep(seconds, signal) {
          signal.throwIfAborted();
          waits.push(seconds);
          clock.seconds += seconds;
        },
        // This is the middle of every jitter.
        random: () => 0.5,
        bytesADay: Number.POSITIVE_INFINITY,
        spend: () => 0,
        ...options,
      });
      fetchers.push(made);
      return made;
    },
    async get(address, options, of = test.fetcher()) {
      const signal = AbortSignal.timeout(20_000);
      const answer = await of.get(address, { maxBytes: 1e6, signal, ...options });
      return answer.kind === "ok" && answer.bytes ? { ...answer, bytes: digest(answer.bytes) } : answer;
    },
    async [Symbol.asyncDispose]() {
      for (const fetcher of fetchers) fetcher.close();
      await server[Symbol.asyncDispose]();
    },
  };
  return test;
}

export function digest(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
