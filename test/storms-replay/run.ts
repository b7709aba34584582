import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { agedEntry, hasPosition } from "@open-metocean/storms/activity";
import type { FeedText, Provider } from "@open-metocean/storms/bulletin";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { demoJma } from "#server/demo/storms/jma.ts";
import { demoDecks } from "#server/demo/storms/jtwc.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import { EmptyFeedError, type Feed, refresh, UnreadableFeedError } from "#server/storms/refresh.ts";
import { type Deck, readDeck } from "./deck.ts";
import { faultsOfEntries, instant } from "./invariants.ts";
import { type JmaArchive, type JmaFiles, jmaSeason } from "./jma-season.ts";
import { jtwcSeason } from "./jtwc-season.ts";
import { MemoryStore } from "./memory-store.ts";
import { type Poll, polls, randomSchedule, type Schedule } from "./mirror.ts";
import { chance, type Season } from "./season.ts";
import { Watcher } from "./watcher.ts";

/** Material of seasons. */
export interface Library {
  decks: Deck[];
  archives: JmaArchive[];
}

/** Decks with best tracks, and JMA's archives (`tc_TC*.json`), of a directory. */
export async function readLibrary(folder: string): Promise<Library> {
  const library: Library = { decks: [], archives: [] };
  for (const file of (await readdir(folder, { recursive: true })).sort()) {
    if (!/\.dat$|tc_TC\d{4}\.json$/.test(file)) continue;
    const text = await readFile(path.join(folder, file), "utf8");
    if (file.endsWith(".dat")) {
      if (text.includes("BEST")) library.decks.push(readDeck(text));
      continue;
    }
    const { tcId, snapshots } = JSON.parse(text) as { tcId: string; snapshots: JmaFiles[] };
    library.archives.push({ code: tcId, bulletins: snapshots });
  }
  return library;
}

/** Decks and bulletins of the demo's storms, for a machine without samples. */
export function demoLibrary(from: number, days: number): Library {
  const longest = new Map<string, string>();
  const archives = new Map<string, JmaFiles[]>();
  for (let time = from; time < from + days * DAY_S; time += 6 * HOUR_S) {
    if ((time - from) % DAY_S === 0) for (const { id, bDeck } of demoDecks(1, time)) longest.set(id, bDeck);
    const files = demoJma(1, time);
    for (const { tropicalCyclone } of JSON.parse(files["targetTc.json"]!)) {
      const half = (name: string) => JSON.parse(files[`${tropicalCyclone}/${name}.json`]!);
      const bulletin = { specifications: half("specifications"), forecast: half("forecast") };
      archives.set(tropicalCyclone, [...(archives.get(tropicalCyclone) ?? []), bulletin]);
    }
  }
  return {
    decks: [...longest.values()].map(readDeck).filter(({ fixes }) => fixes.length > 8),
    archives: [...archives].map(([code, bulletins]) => ({ code, bulletins })),
  };
}

export interface ReplayOptions {
  library: Library;
  schedules: number;
  /** Seed of the first schedule. */
  seed: number;
  /** Provider; without it both take turns. */
  provider?: Provider;
  /** Most polls of a schedule. */
  longest?: number;
}

/** Replays random schedules. @returns Counts, and a description of each schedule that violates an invariant. */
export async function replay({ library, schedules, seed, provider, longest }: ReplayOptions) {
  const report = { polls: 0, faults: 0, broken: [] as string[] };
  for (let own = seed; own < seed + schedules; own++) {
    const luck = chance(own);
    const isJma = (provider ?? (own % 2 === 0 ? "jma" : "jtwc")) === "jma";
    const season = isJma ? jmaSeason(luck, library.archives) : jtwcSeason(luck, library.decks);
    const schedule = randomSchedule(luck, season, longest);
    const { done, broken } = await runSchedule(season, schedule);
    report.polls += done;
    report.faults += schedule.faults.length;
    if (broken.length > 0) report.broken.push(described(own, season, schedule, broken));
  }
  return report;
}

function described(seed: number, season: Season, { start, polls, faults }: Schedule, broken: string[]) {
  const polled = (poll: number) => instant(start + poll * HOUR_S);
  const storms = season.storms.map(({ ids, code }) => [code, ...ids].join(" ")).join("; ");
  return [
    `seed ${seed}, ${season.provider}, ${storms}: ${polls} polls from ${polled(0)}`,
    ...faults.map(
      ({ from, until, kind, ...more }) =>
        `    ${polled(from)} to ${polled(until)}: ${kind} ${JSON.stringify(more)}`,
    ),
    ...broken.slice(0, 6),
  ].join("\n");
}

/** Replays a schedule up to the first poll after which an invariant is violated. */
async function runSchedule(season: Season, schedule: Schedule) {
  const key = { provider: season.provider, synthetic: false };
  const watcher = new Watcher(season);
  const store = new MemoryStore();
  const broken: string[] = [];
  let done = 0;
  for (const poll of polls(season, schedule)) {
    if (broken.length > 0) break;
    done++;
    const fault = (what: string) => void broken.push(`  poll ${poll.index}, ${instant(poll.time)}: ${what}`);
    const before = await store.snapshot(key);
    let isRead = true;
    for (const now of poll.readings) {
      try {
        const { failures, problems } = await refreshAt(season, poll.texts, now, store);
        for (const { id, reason } of failures) fault(`entry: ${id}: ${reason}`);
        for (const { source, reason } of problems)
          if (poll.texts!.get(source)!.isWhole && !/^stale/.test(reason))
            fault(`refused: ${source}, which is whole: ${reason}`);
      } catch (error) {
        isRead = false;
        if (!(error instanceof UnreadableFeedError || error instanceof EmptyFeedError))
          fault(`refresh: ${(error as Error).stack}`);
      }
    }
    const snapshot = await store.snapshot(key);
    if (!isRead && poll.readings.length === 1 && !isDeepStrictEqual(snapshot?.storms, before?.storms))
      fault("unread: a feed that cannot be read has changed what is stored");
    const now = poll.readings.at(-1)!;
    const entries = snapshot?.storms.map(({ entry }) => agedEntry(entry, now)).filter(hasPosition) ?? [];
    for (const what of watcher.faults(poll, entries, isRead)) fault(what);
    for (const what of watcher.faultsOfAge(snapshot?.newestTextAt)) fault(what);
    for (const what of faultsOfEntries(entries, season, now)) fault(what);
  }
  return { done, broken };
}

function refreshAt({ provider }: Season, texts: Poll["texts"], now: number, store: MemoryStore) {
  const feed: Feed = {
    provider,
    synthetic: false,
    async texts() {
      if (!texts || texts.size === 0) throw new EmptyFeedError("the mirror");
      const read = [...texts].map(([source, { text }]): FeedText => ({ source, text, receivedAt: now }));
      return read.sort((one, other) => (one.source < other.source ? -1 : 1));
    },
  };
  return refresh(feed, { store, derive: deriveStorms, now, signal: new AbortController().signal });
}
