import type { StormEntry } from "#lib/contract/storm-form.ts";
import { newestBase } from "#server/demo/storms/fix.ts";
import { andThen } from "#server/platform/and-then.ts";
import type { KeptStorm } from "./build.ts";
import type { Provider } from "./bulletin.ts";
import type { Feed } from "./feed.ts";
import type { PublishedStorms } from "./published.ts";
import { refresh } from "./refresh.ts";
import { SnapshotCache } from "./snapshot-cache.ts";
import { StormStore, type StormTables } from "./store.ts";
import { stormThread } from "./thread.ts";

export interface StormServiceDeps {
  tables: StormTables;
  /** Whether the demo world may answer: always, never, or where it also answers for the weather. */
  demo: "auto" | "always" | "never";
  demoSeed: number;
  /** Whether the weather is the demo world's now. */
  isDemo: () => boolean | Promise<boolean>;
  /** Weather clock, Unix seconds. */
  now: () => number;
  /** Milliseconds of a clock that never goes back. */
  elapsed: () => number;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** The storms of the house. */
export interface StormService {
  /** undefined for a feed that was never read: what is not known is not told as an empty list. */
  published(provider: Provider): PublishedStorms | undefined | Promise<PublishedStorms | undefined>;
  /** Entries of a storm's bulletins so far, the oldest first; empty for an unknown storm. */
  history(provider: Provider, id: string): Promise<{ issued: number; entry: StormEntry }[]>;
  /** Keeps the demo world's storms up to date while it answers. */
  keepDemo(): void;
  close(): Promise<void>;
}

const providers = ["jtwc", "jma"] as const;

/** The bulletins of three days and more; each has an entry of some 10 kB. */
const MAX_HISTORY = 28;

/** How often it is looked whether the demo world has new bulletins; they come every six hours of its clock. */
const LOOK_MS = 30_000;

const ASK_MS = 1000;

const STEP_S = 6 * 3600;

/** How many bulletins of the past a new demo world has. */
const DEMO_HISTORY = 8;

export function openStorms(parts: StormServiceDeps): StormService {
  const store = new StormStore(parts.tables);
  const shelf = new SnapshotCache({ store, elapsed: parts.elapsed, log: parts.log });
  const thread = stormThread();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let shownBase: number | undefined;
  let working: Promise<void> = Promise.resolve();
  let answers = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let recalled: Promise<void> = Promise.resolve();

  const demoFeed = (provider: Provider, now: number): Feed => ({
    provider,
    synthetic: true,
    texts: () => thread.demoTexts({ provider, seed: parts.demoSeed, now }),
  });

  /** Asked once a second: the list of runs that tells it is long. */
  const answersDemo = (): boolean | Promise<boolean> => {
    if (parts.demo !== "auto") return parts.demo === "always";
    if (parts.elapsed() - askedAt < ASK_MS) return answers;
    return andThen(parts.isDemo(), (is) => {
      answers = is;
      askedAt = parts.elapsed();
      return is;
    });
  };

  /** One look: new bulletins where the demo world answers and its next synoptic hour has come. */
  const look = async () => {
    const now = parts.now();
    const base = newestBase(now);
    if (base === shownBase || !(await answersDemo())) return;
    const afresh = shownBase === undefined;
    for (const provider of providers) {
      const feed = demoFeed(provider, now);
      await refresh(feed, { store, build: thread.build, now, signal: stop.signal, afresh });
    }
    await shelf.update();
    shownBase = base;
    if (afresh) recalled = recall(now).catch(unlessStopped("the demo world's past storms were not made"));
  };

  /** The bulletins that came before the first one shown. */
  const recall = async (now: number) => {
    for (const provider of providers) {
      let previous: KeptStorm[] = [];
      for (let back = DEMO_HISTORY; back >= 1; back--) {
        stop.signal.throwIfAborted();
        const then = now - back * STEP_S;
        const texts = await demoFeed(provider, then).texts(stop.signal);
        previous = (await thread.build({ provider, texts, previous, now: then })).storms;
        await store.remember({ provider, synthetic: true }, previous);
      }
    }
  };

  const unlessStopped = (message: string) => (error: unknown) => {
    if (!stop.signal.aborted) parts.log.error({ err: error }, message);
  };

  const lookAgain = () => {
    working = look().catch(unlessStopped("the demo world's storms were not refreshed"));
    void working.then(() => {
      if (!stop.signal.aborted) timer = setTimeout(lookAgain, LOOK_MS).unref();
    });
  };

  /** What agencies said goes before what the demo world invents, which is told from its first bulletins on. */
  const published: StormService["published"] = (provider) => {
    const invented = () =>
      andThen(answersDemo(), (is) => {
        if (!is) return undefined;
        const shown = () => (shownBase === undefined ? undefined : shelf.of({ provider, synthetic: true }));
        return shownBase === undefined ? working.then(shown) : shown();
      });
    if (parts.demo === "always") return invented();
    return andThen(shelf.of({ provider, synthetic: false }), (real) => real ?? invented());
  };

  return {
    published,
    async history(provider, id) {
      const found = await published(provider);
      if (!found) return [];
      return store.history({ provider, synthetic: found.synthetic }, id, MAX_HISTORY, parts.now());
    },
    keepDemo: lookAgain,
    async close() {
      stop.abort();
      clearTimeout(timer);
      await thread.close();
      await Promise.all([working, recalled]);
    },
  };
}
