import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { agedEntry } from "@open-metocean/storms/activity";
import type { Provider } from "@open-metocean/storms/bulletin";
import type { StormEntry } from "@open-metocean/storms/schema";
import type { FeedState } from "#server/platform/feed-state.ts";
import { createFetcher, type Fetcher } from "#server/platform/fetching/fetcher.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import { type LiveFeed, stormFeeds, stormHosts } from "#server/storms/live/feeds.ts";
import { createStormLoops, roundOfAll, type StormLoop } from "#server/storms/live/storm-loop.ts";
import { type Mirror, startMirror } from "#test/feeds-mirror/mirror.ts";
import { MemoryStore } from "#test/storms-replay/memory-store.ts";
import { memoryFeedStates } from "./feed-states.ts";

const signal = new AbortController().signal;

/** Feeds of storms against the mirror on loopback, in simulated time. */
export interface LiveStorms extends AsyncDisposable {
  mirror: Mirror;
  clock: { seconds: number; now(): number };
  /** Runs one round. @returns Requested addresses with their status: `www.nhc.noaa.gov/… 200`. */
  round(): Promise<string[]>;
  loop(name: LiveFeed["name"]): StormLoop;
  /** Addresses that match this pattern are never answered. */
  hanging: RegExp | undefined;
  /** Runs the due rounds until so many seconds have passed. */
  pass(seconds: number): Promise<string[]>;
  /** Simulates a restart of the process. */
  restart(): void;
  storms(provider: Provider): Promise<StormEntry[]>;
  state(name: string): Promise<FeedState | undefined>;
  /** Reads a text in the folder. */
  read(file: string): Promise<string>;
  /** Time after which hosts publish nothing, Unix seconds. */
  frozenAt: number;
}

/** @param clockErrorS How far the service's clock is ahead of the hosts', seconds. */
export async function liveStorms(
  names: readonly LiveFeed["name"][],
  start: number,
  clockErrorS = 0,
): Promise<LiveStorms> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-live-"));
  const clock = { seconds: start, now: () => clock.seconds };
  const mirror = await startMirror({
    now: () => Math.min(clock.seconds - clockErrorS, test.frozenAt),
    slowPauseMs: 1,
  });
  const feeds = stormFeeds.filter(({ name }) => names.includes(name));
  const states = memoryFeedStates(clock);
  const store = new MemoryStore();
  const open = () => {
    const fetcher = createFetcher({
      hosts: stormHosts,
      mirror: mirror.url,
      userAgent: "test",
      clock,
      async sleep(seconds) {
        clock.seconds += seconds;
      },
      random: () => 0.5,
      bytesADay: Number.POSITIVE_INFINITY,
      spend: (day, bytes) => states.spend(day, bytes),
      attempts: 2,
    });
    const hangingFetcher: Fetcher = {
      get: (url, options) => (test.hanging?.test(url) ? hang(options.signal) : fetcher.get(url, options)),
      close: () => fetcher.close(),
    };
    return {
      fetcher: hangingFetcher,
      loops: createStormLoops({
        feeds,
        fetcher: hangingFetcher,
        folder,
        store,
        derive: deriveStorms,
        states,
        clock,
      }),
    };
  };
  let next = start;
  const asked = async (work: () => Promise<void>) => {
    const from = mirror.log.length;
    await work();
    return mirror.log.slice(from).map(({ url, status }) => `${url.slice(1)} ${status}`);
  };
  const test: LiveStorms = {
    mirror,
    clock,
    frozenAt: Number.POSITIVE_INFINITY,
    hanging: undefined,
    loop: (name) => running.loops[feeds.findIndex((feed) => feed.name === name)]!,
    round: () =>
      asked(async () => {
        next = await roundOfAll(running.loops, signal);
      }),
    pass: (seconds) =>
      asked(async () => {
        const end = clock.seconds + seconds;
        for (; next < end; next = await roundOfAll(running.loops, signal))
          clock.seconds = Math.max(clock.seconds, next);
        clock.seconds = Math.max(clock.seconds, end);
      }),
    restart() {
      running.fetcher.close();
      running = open();
    },
    async storms(provider) {
      const snapshot = await store.snapshot({ provider, synthetic: false });
      return snapshot?.storms.map(({ entry }) => agedEntry(entry, clock.seconds)) ?? [];
    },
    state: async (name) => (await states.all()).find((state) => state.name === name),
    read: (file) => readFile(path.join(folder, "texts", file), "utf8"),
    async [Symbol.asyncDispose]() {
      running.fetcher.close();
      await mirror.close();
      await rm(folder, { recursive: true });
    },
  };
  let running = open();
  return test;
}

/** A promise that only its signal ends. */
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
