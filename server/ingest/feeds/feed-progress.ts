import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { FieldName } from "#lib/catalog/fields.ts";
import { formatInstant } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import { type FeedState, type FeedStatePatch, LATE_AFTER_S } from "#server/platform/feed-state.ts";
import { ifMissing, makeFolder, readJson, writeJson } from "#server/platform/files.ts";
import type { FeedDeps } from "./feed-deps.ts";
import { describeAddresses } from "./fetch-part.ts";
import {
  expectedAt,
  type FieldFeed,
  fieldsOfProfile,
  isEnded,
  newestCycle,
  nextCycleAt,
  type Part,
} from "./field-feed.ts";
import { cycleName, partFolder } from "./part-store.ts";
import { numbersOf } from "./publish-segment.ts";

/** The published runs of a feed. The manifest is the only record of what has been published. */
export async function publishedRuns(
  archive: Pick<RunArchive, "manifest">,
  { source }: Pick<FieldFeed, "source">,
): Promise<Run[]> {
  const { runs } = await archive.manifest();
  return runs.filter((run) => run.source === source.name && run.dataset === source.dataset);
}

/** Whether one run of a cycle has all these times. */
export function isPublished(runs: readonly Run[], cycle: number, times: readonly number[]): boolean {
  return runs.some((run) => run.referenceTime === cycle && times.every((time) => run.times.includes(time)));
}

/** Distinct published times of a cycle, ascending. */
export function publishedTimes(runs: readonly Run[], cycle: number): number[] {
  const ofCycle = runs.filter((run) => run.referenceTime === cycle);
  return [...new Set(ofCycle.flatMap(({ times }) => times))].sort((a, b) => a - b);
}

/**
 * Returns the fields that a cycle lacks at published times. Its first step may lack fields that describe the preceding
 * hours.
 *
 * @param names Wanted fields.
 * @returns Fields by time, Unix seconds; complete times are left out.
 */
export function lackingFields(
  runs: readonly Run[],
  cycle: number,
  names: readonly FieldName[],
): Map<number, FieldName[]> {
  const ofCycle = runs.filter((run) => run.referenceTime === cycle);
  const has = new Map<number, Set<string>>();
  for (const { times, fields } of ofCycle)
    for (const [index, time] of times.entries()) {
      const there = Object.keys(fields).filter((name) => fields[name]!.steps?.includes(index) ?? true);
      has.set(time, new Set([...(has.get(time) ?? []), ...there]));
    }
  const lacking = new Map<number, FieldName[]>();
  for (const [time, there] of has) {
    const missing = names.filter((name) => !there.has(name));
    if (missing.length > 0 && (time !== cycle || missing.length === names.length)) lacking.set(time, missing);
  }
  return lacking;
}

export function missingParts(runs: readonly Run[], cycle: number, parts: readonly Part[]): Part[] {
  const has = new Set(publishedTimes(runs, cycle));
  return parts.filter(({ times }) => times.some((time) => !has.has(time)));
}

export function isWhole(runs: readonly Run[], cycle: number, parts: readonly Part[]): boolean {
  return missingParts(runs, cycle, parts).length === 0;
}

/** Most quarantined parts of a feed. A few files are enough to see a fault, so the oldest are removed. */
const MAX_OF_FEED = 8;

const REASON = "reason.json";

const reasonSchema = z.object({ feed: z.string(), part: z.string(), reason: z.string(), at: z.string() });

type Quarantined = z.infer<typeof reasonSchema> & { folder: string };

/**
 * Moves the files of a part to the quarantine, with the reason.
 *
 * @param folder DATA_DIR/feeds.
 * @param now Unix seconds.
 */
export async function quarantine(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  part: Part,
  reason: string,
  now: number,
): Promise<void> {
  const ofFeed = join(folder, "quarantine", feed.name);
  const stamp = formatInstant(now).replaceAll(/[-:]/g, "");
  const name = `${stamp}-${cycleName(part.cycle)}-${part.index}`;
  const target = join(ofFeed, name);
  await makeFolder(ofFeed);
  await rm(target, { recursive: true, force: true });
  await rename(partFolder(folder, feed, part), target).catch(ifMissing(undefined));
  const described = `${formatInstant(part.cycle)}, part ${part.index} (${part.times.map(formatInstant).join(", ")})`;
  const about = { feed: feed.name, part: described, reason, at: formatInstant(now) };
  await writeJson(join(target, REASON), about);
  const all = (await readdir(ofFeed)).sort();
  for (const old of all.slice(0, -MAX_OF_FEED)) await rm(join(ofFeed, old), { recursive: true, force: true });
}

/** Lists the quarantine of one feed or of all, the newest last. @param folder DATA_DIR/feeds. */
export async function quarantined(folder: string, feed?: string): Promise<Quarantined[]> {
  const root = join(folder, "quarantine");
  const found: Quarantined[] = [];
  for (const name of feed === undefined ? await readdir(root).catch(ifMissing([])) : [feed]) {
    for (const entry of (await readdir(join(root, name)).catch(ifMissing([]))).sort()) {
      const at = join(root, name, entry);
      const about = await readJson(join(at, REASON), reasonSchema, undefined);
      if (about) found.push({ ...about, folder: at });
    }
  }
  return found;
}

/** The last problem, for the operator. */
interface Problem {
  text: string;
  /** Unix seconds. */
  at: number;
}

export type FeedReport = ReturnType<typeof createFeedReport>;

/** Writes the state that GET /feeds reports of a feed, even during a round, which takes minutes. */
export function createFeedReport(deps: Omit<FeedDeps, "decoder" | "fetchPart">, feed: FieldFeed) {
  const { clock, states } = deps;
  let isKnown = false;
  let problem: Problem | undefined;
  /** When a feed without any data was first expected, Unix seconds. */
  let awaitedSince = Number.POSITIVE_INFINITY;

  const write = async (isFetching: boolean) => {
    const { nextExpected, ...state } = await stateOf(deps, feed, problem, awaitedSince, isFetching);
    awaitedSince = Math.min(awaitedSince, nextExpected ?? awaitedSince);
    await states.set(feed.name, { ...state, nextExpected });
  };

  return {
    /**
     * Called before the first fetch of this process. A problem that an earlier process reported stays until a round
     * ends it.
     */
    async begun(): Promise<void> {
      if (isKnown) return;
      isKnown = true;
      const known = (await states.all()).find(({ name }) => name === feed.name);
      if (known?.error && known.state === "failing")
        problem = { text: known.error, at: known.errorAt ?? clock.now() };
      await write(true);
    },
    /**
     * Called after each publication. If it belongs to the newest cycle, it ends a problem. @param cycle Base time, Unix
     * seconds.
     */
    async published(cycle: number): Promise<void> {
      if (cycle >= newestCycle(feed, clock.now())) problem = undefined;
      await write(true);
    },
    /** Called after a round. @param text The problem that occurred in it. */
    async ended(text: string | undefined): Promise<void> {
      problem = text === undefined ? undefined : { text, at: clock.now() };
      await write(false);
    },
  };
}

async function stateOf(
  { archive, clock, folder, profile }: Omit<FeedDeps, "decoder" | "fetchPart">,
  feed: FieldFeed,
  problem: Problem | undefined,
  awaitedSince: number,
  isFetching: boolean,
): Promise<FeedStatePatch> {
  const now = clock.now();
  const newest = newestCycle(feed, now);
  const runs = await publishedRuns(archive, feed);
  const newestRun = runs.reduce(
    (found, { referenceTime }) => Math.max(found, referenceTime),
    Number.NEGATIVE_INFINITY,
  );
  const hasRun = runs.length > 0;
  const cycle = hasRun ? Math.max(newestRun, newest) : newest;
  const parts = feed.parts(cycle, profile);
  const [missing] = missingParts(runs, cycle, parts);
  const whole = missing === undefined;
  const nextExpected = missing ? expectedAt(feed, missing, parts.length) : nextCycleAt(feed, cycle);
  const expected = new Set((hasRun ? feed.parts(newestRun, profile) : parts).flatMap(({ times }) => times));
  const isStatic = feed.source.dataset === "Static";

  // The time at which something new was first expected. Later missing cycles do not change it.
  const [missingOfRun] = hasRun ? missingParts(runs, newestRun, feed.parts(newestRun, profile)) : [];
  const awaited = hasRun
    ? missingOfRun && newestRun === cycle
      ? nextExpected
      : nextCycleAt(feed, newestRun)
    : Math.min(awaitedSince, nextExpected);

  function state(): FeedState["state"] {
    if (isEnded(feed, now)) return "ended";
    if (problem) return "failing";
    if (whole) return "current";
    const begun = newestRun === cycle ? "growing" : "waiting";
    // A cycle that is being fetched for the first time, or is being continued, is not late, however long the host has
    // had it.
    if (isFetching && (newestRun === cycle || !hasRun)) return begun;
    return now > awaited + LATE_AFTER_S ? "late" : begun;
  }

  const stands = state();
  const isNever = stands === "ended" || nextExpected === Number.POSITIVE_INFINITY || (isStatic && whole);
  const words =
    stands === "ended" ? undefined : (problem?.text ?? (stands === "late" ? nothingSince() : lacking()));

  function nothingSince(): string {
    const since = hasRun ? `since the cycle ${formatInstant(newestRun)}` : "yet";
    const isBegun = missingOfRun && newestRun === newest;
    const asked = describeAddresses(feed, isBegun ? missingOfRun : parts[0]!, profile, now);
    return `nothing has come ${since}: it was expected at ${formatInstant(Math.floor(awaited))}, and no host has more; for the cycle ${formatInstant(cycle)} ${asked}`;
  }

  function lacking(): string | undefined {
    if (!hasRun) return undefined;
    if (feed.ensemble) return lackingMembers();
    const found = lackingFields(runs, newestRun, fieldsOfProfile(feed, profile, newestRun));
    const numbers = numbersOf([...new Set([...found.values()].flat())]);
    if (numbers.length === 0) return undefined;
    return `the cycle ${formatInstant(newestRun)} lacks ${numbers.join(", ")}: other runs answer where they have them`;
  }

  function lackingMembers(): string | undefined {
    const run = runs.findLast(({ referenceTime }) => referenceTime === newestRun);
    if (!run?.ensemble) return undefined;
    const { members, size } = run.ensemble;
    const all = `the cycle ${formatInstant(newestRun)} has ${members.length} of ${size} members`;
    return members.length < size ? all : undefined;
  }

  return {
    state: stands,
    // A static feed has no meaningful newest run.
    newestRun: hasRun && !isStatic ? newestRun : null,
    // A larger profile may have published steps that this one does not expect.
    steps: publishedTimes(runs, newestRun).filter((time) => expected.has(time)).length,
    stepsExpected: expected.size,
    validUntil:
      hasRun && !isStatic ? Math.max(...runs.map(({ times, holds = 0 }) => times.at(-1)! + holds)) : null,
    nextExpected: isNever ? null : nextExpected,
    error: words ?? null,
    errorAt: problem?.at ?? (words === undefined ? null : now),
    quarantined: (await quarantined(folder, feed.name)).length,
  };
}
