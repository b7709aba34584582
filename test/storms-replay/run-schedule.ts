import { isDeepStrictEqual } from "node:util";
import type { StormEntry } from "#lib/contract/storms.ts";
import { agedEntry, hasPosition } from "#server/storms/activity.ts";
import type { FeedText, Provider } from "#server/storms/bulletin.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import {
  EmptyFeedError,
  type Feed,
  type RefreshDeps,
  refresh,
  UnreadableFeedError,
} from "#server/storms/refresh.ts";
import type { Snapshot } from "#server/storms/store.ts";
import { againstAtOnce } from "./at-once.ts";
import { faultsOfAge, faultsOfEntry, pairs } from "./invariants.ts";
import { MemoryStore } from "./memory-store.ts";
import { type Poll, polls } from "./mirror.ts";
import type { Schedule } from "./schedule.ts";
import type { Season } from "./season.ts";
import { Watcher } from "./watcher.ts";

/** A broken invariant. */
export interface Broken {
  /** Of the poll. */
  index: number;
  time: number;
  what: string;
}

export interface Outcome {
  broken: Broken[];
  polls: number;
}

/** The reader under test: what remains when its process restarts is the store. */
export interface Reader {
  store: RefreshDeps["store"];
  derive: RefreshDeps["derive"];
  restart(): Promise<void>;
  /** The mirror as it is at a poll, in its directory; without it the texts are read from memory. */
  mirror?(
    texts: ReadonlyMap<string, string> | undefined,
    provider: Provider,
    now: number,
  ): Promise<Pick<Feed, "texts">>;
}

export function memoryReader(): Reader {
  return { store: new MemoryStore(), derive: deriveStorms, async restart() {} };
}

/** Replays a schedule and checks every invariant after each poll. @param most Polls with a broken one after which it ends. */
export async function runSchedule(
  season: Season,
  schedule: Schedule,
  reader = memoryReader(),
  most = 1,
): Promise<Outcome> {
  const { provider } = season;
  const watcher = new Watcher(season);
  const broken: Broken[] = [];
  const checked = new Map<string, string>();
  let done = 0;
  let last: Poll | undefined;
  for (const poll of polls(season, schedule)) {
    if (new Set(broken.map(({ index }) => index)).size >= most) break;
    done++;
    last = poll;
    const fault = (what: string) => void broken.push({ index: poll.index, time: poll.time, what });
    if (poll.restarts) await reader.restart();
    const before = await reader.store.snapshot({ provider, synthetic: false });
    let isRead = true;
    for (const now of poll.readings) {
      try {
        const { failures, problems } = await refreshAt(season, poll.texts, now, reader);
        for (const { id, reason } of failures) fault(`entry: ${id}: ${reason}`);
        const whole = new Set([...poll.texts!].flatMap(([source, { isWhole }]) => (isWhole ? [source] : [])));
        for (const { source, reason } of problems)
          if (whole.has(source) && !/^stale/.test(reason))
            fault(`refused: ${source}, which is whole: ${reason}`);
      } catch (error) {
        isRead = false;
        if (!(error instanceof UnreadableFeedError || error instanceof EmptyFeedError))
          fault(`refresh: ${(error as Error).stack}`);
      }
    }
    const snapshot = await reader.store.snapshot({ provider, synthetic: false });
    if (!isRead && poll.readings.length === 1 && !isDeepStrictEqual(snapshot?.storms, before?.storms))
      fault("unread: a feed that cannot be read has changed what is stored");
    const now = poll.readings.at(-1)!;
    const entries = servedAt(snapshot, now);
    for (const what of watcher.faults(poll, entries, isRead)) fault(what);
    for (const what of watcher.faultsOfAge(snapshot?.newestTextAt)) fault(what);
    for (const entry of entries) {
      for (const what of faultsOfAge(entry, now)) fault(`${what} (${entry.id})`);
      const written = JSON.stringify(entry);
      if (checked.get(entry.id) === written) continue;
      checked.set(entry.id, written);
      for (const what of faultsOfEntry(entry, season)) fault(`${what} (${entry.id})`);
    }
    for (const what of pairs(entries)) fault(what);
  }
  if (last && broken.length === 0) {
    const { index, time } = last;
    for (const what of await differences(season, last, reader, watcher)) broken.push({ index, time, what });
  }
  return { broken, polls: done };
}

/** What is answered. */
function servedAt(snapshot: Snapshot | undefined, now: number): StormEntry[] {
  return snapshot?.storms.map(({ entry }) => agedEntry(entry, now)).filter(hasPosition) ?? [];
}

async function refreshAt(
  { provider }: Season,
  texts: Poll["texts"],
  now: number,
  { store, derive, mirror }: Reader,
) {
  const written = texts && new Map([...texts].map(([source, { text }]) => [source, text]));
  const feed: Feed = {
    provider,
    synthetic: false,
    async texts() {
      if (!texts || texts.size === 0) throw new EmptyFeedError("the mirror");
      const read = [...texts].map(([source, { text }]): FeedText => ({ source, text, receivedAt: now }));
      return read.sort((one, other) => (one.source < other.source ? -1 : 1));
    },
    ...(await mirror?.(written, provider, now)),
  };
  return refresh(feed, { store, derive, now, signal: new AbortController().signal });
}

/** What the replay ends with, and what reading everything at once ends with. */
async function differences(
  season: Season,
  { time, readings }: Poll,
  reader: Reader,
  watcher: Watcher,
): Promise<string[]> {
  const texts = new Map(
    season.publications
      .filter(({ at, text }) => at <= time && text !== null)
      .map((of) => [of.source, { text: of.text!, of, isWhole: true, isNewest: true }]),
  );
  if (texts.size === 0) return [];
  const now = readings.at(-1)!;
  const fresh = memoryReader();
  const served = async (from: Reader) => {
    await refreshAt(season, texts, now, from).catch(() => undefined);
    return servedAt(await from.store.snapshot({ provider: season.provider, synthetic: false }), now);
  };
  const oneByOne = await served(reader);
  return [...againstAtOnce({ season, time, now, watcher, oneByOne, atOnce: await served(fresh) })];
}
