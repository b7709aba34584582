import { fieldsOf } from "#lib/catalog/fields.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import { formatInstant } from "#lib/time.ts";
import { groupByRun } from "#server/archive/choose-run.ts";
import { readManifest } from "#server/archive/manifest.ts";
import type { Manifest } from "#server/archive/run.ts";
import { newestCycle } from "#server/ingest/feeds/schedule.ts";
import { columnsOf } from "#test/archive.ts";
import { seededFaults } from "#test/feeds-mirror/fault-schedule.ts";
import type { FaultName } from "#test/feeds-mirror/faults.ts";
import { checkArchive, type WrongValue } from "./check-archive.ts";
import { type SimulatedService, type SimulationOptions, simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
/** In the open sea, and on the grid of every resolution. */
const PLACE = [20, -40] as const;
/** At the start there are none: a feed without a past has nothing that a plausible fault could be told from. */
const WARM_UP_S = 2 * HOUR_S;
/** At the end there are no new faults for so long, seconds: every feed has had a cycle since. */
const RECOVERY_S = 18 * HOUR_S;
/** A time is answered from five days ago on, or since the service began. */
const PAST_S = 5 * DAY_S - HOUR_S;

export interface WeekOptions extends Omit<SimulationOptions, "schedule"> {
  seed: number;
  days: number;
  /** Every hour until so far ahead of the end must be answered, hours. */
  aheadHours: number;
  /** Nodes of each step that are compared. */
  nodes?: number;
  log?: (line: string) => void;
}

/** What became of one kind of fault. */
export interface FaultOutcome {
  /** Answers of the mirror that it spoiled. */
  answers: number;
  /** Rounds in which it did. */
  rounds: number;
  /** Of these, rounds after which the status named a problem in words. */
  told: number;
  /** An example of the words. */
  words: string | undefined;
}

export interface WeekReport {
  rounds: number;
  requests: number;
  compared: number;
  wrong: WrongValue[];
  /** Times of a variable without an answer at the end. */
  gaps: string[];
  /** What else should not be. */
  complaints: string[];
  faults: ReadonlyMap<FaultName, FaultOutcome>;
  diskBytes: number;
}

/** Simulates some days in which the mirror publishes on schedule and faults come by chance, and nobody does anything. */
export async function simulateWeek(options: WeekOptions): Promise<WeekReport> {
  const { start, days, seed, feeds, log } = options;
  const end = start + days * DAY_S;
  const byChance = seededFaults(seed);
  await using service = await simulatedService({
    ...options,
    schedule: (now) => (now >= start + WARM_UP_S && now < end - RECOVERY_S ? byChance(now) : []),
  });
  const checked = new Set<string>();
  const faults = new Map<FaultName, FaultOutcome>();
  const report: WeekReport = {
    rounds: 0,
    requests: 0,
    compared: 0,
    wrong: [],
    gaps: [],
    complaints: [],
    faults,
    diskBytes: 0,
  };
  let day = 0;
  await service.runUntil(end, async () => {
    report.rounds++;
    const { wrong, compared } = await checkArchive(service.archive, checked, options.nodes);
    report.compared += compared;
    report.wrong.push(...wrong);
    await countFaults(service, report.requests, faults);
    report.requests = service.mirror.log.length;
    report.complaints.push(...(await complaintsOf(service, options)));
    if (Math.floor((service.clock.now() - start) / DAY_S) > day) {
      day++;
      log?.(
        `day ${day}: ${report.rounds} rounds, ${report.requests} requests, ${report.compared} values, ${report.wrong.length} wrong`,
      );
    }
  });
  const manifest = await readManifest(service.archive);
  report.gaps = gapsOf(manifest, start, end, options);
  report.complaints.push(...retentionOf(manifest, service, feeds, end));
  for (const { name, state, error } of await service.states.all()) {
    if (feeds.some((feed) => feed.name === name) && (state === "failing" || state === "late"))
      report.complaints.push(`${name} has not recovered: ${state}, ${error}`);
  }
  report.diskBytes = await service.disk.used();
  return report;
}

/** Adds what the newest requests met, and whether the status says so. */
async function countFaults(
  { mirror, states }: SimulatedService,
  from: number,
  faults: Map<FaultName, FaultOutcome>,
): Promise<void> {
  const hit = new Map<FaultName, number>();
  for (const entry of mirror.log.slice(from)) {
    for (const fault of entry.faults) hit.set(fault, (hit.get(fault) ?? 0) + 1);
  }
  if (hit.size === 0) return;
  const error = (await states.all()).find((state) => state.error !== null)?.error ?? undefined;
  for (const [fault, answers] of hit) {
    const known = faults.get(fault) ?? { answers: 0, rounds: 0, told: 0, words: undefined };
    faults.set(fault, {
      answers: known.answers + answers,
      rounds: known.rounds + 1,
      told: known.told + (error === undefined ? 0 : 1),
      words: known.words ?? error,
    });
  }
}

/** What must hold after every round. */
async function complaintsOf(service: SimulatedService, options: WeekOptions): Promise<string[]> {
  const { diskBytes, bytesADay } = options;
  const at = formatInstant(service.clock.now());
  const found: string[] = [];
  for (const { name, state, error, bytesToday } of await service.states.all()) {
    if (state === "failing" && !error) found.push(`${at}: ${name} fails without a word`);
    if (/\p{Cc}/u.test(error ?? "")) found.push(`${at}: the words of ${name} have control characters`);
    if (bytesADay !== undefined && bytesToday > bytesADay)
      found.push(`${at}: ${name} has ${bytesToday} bytes on this day`);
  }
  if (diskBytes !== undefined && (await service.disk.used()) > diskBytes)
    found.push(`${at}: the archive has ${await service.disk.used()} bytes`);
  return found;
}

/** Hours of a variable that no run answers. */
function gapsOf(
  manifest: Manifest,
  start: number,
  end: number,
  { feeds, aheadHours }: WeekOptions,
): string[] {
  const has = new Set(feeds.flatMap(({ source }) => source.rules.map(({ field }) => field)));
  const stored = new Set(manifest.runs.flatMap(({ fields }) => Object.keys(fields)));
  const from = Math.ceil(Math.max(start, end - PAST_S) / HOUR_S) * HOUR_S;
  return variableNames.flatMap((name) => {
    const fields = fieldsOf(name);
    // A profile may leave a field out; depths have no time.
    if (!fields.some((field) => has.has(field) && stored.has(field)) || name === "bathy") return [];
    const hours = Array.from(
      { length: Math.floor((end - from) / HOUR_S) + aheadHours },
      (_, i) => from + i * HOUR_S,
    );
    const points = columnsOf(hours.map((time) => [...PLACE, time] as const));
    const { unanswered } = groupByRun(manifest, name, points, end);
    return unanswered.flatMap(({ indices, reason }) =>
      indices.map((i) => `${name} at ${formatInstant(hours[i]!)}: ${reason}`),
    );
  });
}

/** Cycles that should have gone. */
function retentionOf(
  { runs }: Manifest,
  { keep }: SimulatedService,
  feeds: WeekOptions["feeds"],
  end: number,
): string[] {
  return feeds.flatMap((feed) => {
    const newest = newestCycle(feed, end);
    // The growing one, those that are kept, and one that may have failed.
    const oldest = newest - (keep.cycles + 1) * feed.cycles.every;
    return runs
      .filter(({ source, dataset }) => source === feed.source.name && dataset === "Forecast")
      .filter(
        ({ referenceTime, times }) => referenceTime < oldest && times.at(-1)! > newest + feed.cycles.every,
      )
      .map(({ id }) => `${id} is still there`);
  });
}
