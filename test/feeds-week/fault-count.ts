import { objectsOf } from "#test/feeds-mirror/fault-schedule.ts";
import type { FaultName } from "#test/feeds-mirror/faults.ts";
import type { Logged } from "#test/feeds-mirror/mirror.ts";

/** What became of one kind of fault at one feed. */
export interface FaultCount {
  /** Answers of the mirror that it spoiled. */
  answers: number;
  /** Rounds in which it did. */
  rounds: number;
  /** Of these, rounds after which the status of the feed named a problem in words; in the others the data came. */
  reported: number;
  /** An example of the words. */
  words: string | undefined;
}

/** By feed, then by fault. */
export type FaultCounts = Map<string, Map<FaultName, FaultCount>>;

const patterns = Object.entries(objectsOf).map(([name, pattern]) => [name, new RegExp(pattern)] as const);

/** The faults of some requests, by feed. */
export function faultsOf(requests: readonly Logged[]): Map<string, FaultName[]> {
  const found = new Map<string, FaultName[]>();
  for (const { url, faults } of requests) {
    if (faults.length === 0) continue;
    const [name] = patterns.find(([, pattern]) => pattern.test(url)) ?? [];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), ...faults]);
  }
  return found;
}

/** Adds the faults that one feed met in a round. @param words What its status says after it. */
export function countFaults(
  counts: FaultCounts,
  feed: string,
  faults: readonly FaultName[],
  words: string | undefined,
): void {
  const ofFeed = counts.get(feed) ?? new Map<FaultName, FaultCount>();
  counts.set(feed, ofFeed);
  for (const fault of new Set(faults)) {
    const known = ofFeed.get(fault) ?? { answers: 0, rounds: 0, reported: 0, words: undefined };
    ofFeed.set(fault, {
      answers: known.answers + faults.filter((each) => each === fault).length,
      rounds: known.rounds + 1,
      reported: known.reported + (words === undefined ? 0 : 1),
      words: known.words ?? words,
    });
  }
}
