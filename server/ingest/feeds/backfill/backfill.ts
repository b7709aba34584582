import { rm } from "node:fs/promises";
import { sameGrid } from "@open-metocean/geo/grid";
import type { FieldName } from "#lib/catalog/fields.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { StepStatistics } from "#server/ingest/feeds/check-step.ts";
import type { FeedDeps, FetchPart } from "#server/ingest/feeds/feed-deps.ts";
import { fromNextMirror, NoRoomError } from "#server/ingest/feeds/feed-runner.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import {
  cycleName,
  PartFailedError,
  partFolder,
  removeOtherCycles,
} from "#server/ingest/feeds/part-store.ts";
import { archivedPerFetched, inHours } from "#server/ingest/feeds/plan-feeds.ts";
import {
  ImplausiblePartError,
  type PartFile,
  planParts,
  publishChecked,
  runOf,
  type SegmentPlan,
} from "#server/ingest/feeds/publish-segment.ts";
import type { PlannedField, PlannedStep } from "#server/ingest/plan.ts";
import type { FieldRecord } from "#server/ingest/record.ts";
import type { Sleep } from "#server/platform/clock.ts";
import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";
import {
  type BackfillPlan,
  day,
  earlierPart,
  isOf,
  kinds,
  type NeededPart,
  type PlannedUnit,
  partsOf,
} from "./units.ts";

export interface BackfillDeps extends FeedDeps, FetchUnitDeps {
  /** Bytes of the disk that stay free for the next forecasts. */
  reserve: number;
  sleep: Sleep;
  out: { write(text: string): unknown };
}

/** Result of a back-fill. Each unit is counted in exactly one field. */
interface BackfillResult {
  built: number;
  /** Number of units whose unpublished steps no mirror has. */
  absent: number;
  /** Number of units that failed; the next back-fill tries them again. */
  failed: number;
}

/**
 * Fetches and publishes the units of a plan, oldest first, with one line of output each. All state is on disk, as
 * published runs and fetched parts, so the next back-fill continues a unit that a kill interrupted.
 *
 * @throws NoRoomError where the disk is full; errors of this machine's disk; the signal's reason.
 */
export async function backfill(
  deps: BackfillDeps,
  { feed, profile, units }: BackfillPlan,
  signal: AbortSignal,
): Promise<BackfillResult> {
  const { out, clock, folder } = deps;
  const result: BackfillResult = { built: 0, absent: 0, failed: 0 };
  const before: LastSteps = new Map();
  const began = clock.now();
  const all = units.reduce((sum, { bytes }) => sum + bytes, 0);
  let left = all;
  let fetched = 0;
  /** Number of times that a part was implausible, by its folder. */
  const faults = new Map<string, number>();
  const fetchPart: FetchPart = (of, part, ...rest) =>
    deps.fetchPart(fromNextMirror(of, faults.get(partFolder(folder, feed, part)) ?? 0), part, ...rest);

  for (const [index, unit] of units.entries()) {
    const refusal = await deps.disk.refusal(
      unit.bytes * (1 + archivedPerFetched(feed, profile)) + deps.reserve,
    );
    if (refusal) throw new NoRoomError(refusal);
    await forget(unit);
    const words = await withinBudget(() => build(unit));
    left -= unit.bytes;
    const passed = clock.now() - began;
    const ahead = all > left ? (left / (all - left)) * passed : 0;
    const rest = index + 1 < units.length ? `; ${formatBytes(left)} and about ${inHours(ahead)} to go` : "";
    out.write(`${index + 1}/${units.length} ${nameOf(unit)}: ${words}${rest}\n`);
  }
  if (result.failed === 0) await rm(folder, { recursive: true, force: true });
  const words = [
    `${result.built} of ${units.length} built`,
    ...(result.absent > 0 ? [`${result.absent} that no mirror has`] : []),
    ...(result.failed > 0 ? [`${result.failed} failed: the same command tries them again`] : []),
  ];
  out.write(`${feed.name}: ${words.join(", ")}; ${fetchedWords()} in ${inHours(clock.now() - began)}.\n`);
  return result;

  function fetchedWords(): string {
    return fetched === 0 ? "nothing fetched" : `${formatBytes(fetched)} fetched`;
  }

  /** @returns The outcome for people. */
  async function build(unit: PlannedUnit): Promise<string> {
    const found = await fetchUnit({ ...deps, fetchPart }, feed, unit, signal);
    fetched += found.bytes;
    if (found.failure !== undefined) {
      result.failed++;
      return `failed: ${found.failure}`;
    }
    if (found.cycles.size === 0) {
      result.absent++;
      const { lacking } = unit;
      return lacking ? `no mirror has the ${lacking.length} missing steps` : "no mirror has it";
    }
    try {
      await deps.turn(signal);
      const run = await publishUnit(deps, feed, unit, found.cycles, before, signal);
      result.built++;
      const bytes = found.bytes === 0 ? "fetched before" : formatBytes(found.bytes);
      return `${run.times.length} of ${unit.steps} steps, ${bytes}, from ${[...found.mirrors].join(", ")}`;
    } catch (error) {
      if (error instanceof PublishedHasMoreError) {
        result.failed++;
        return `left as it is: ${error.message}`;
      }
      if (!(error instanceof ImplausiblePartError)) throw error;
      const at = partFolder(folder, feed, error.part);
      await rm(at, { recursive: true, force: true });
      const times = (faults.get(at) ?? 0) + 1;
      faults.set(at, times);
      if (times < feed.mirrors.length) return build(unit);
      result.failed++;
      const { cycle, times: of } = error.part;
      return `not published: cycle ${formatInstant(cycle)}, ${formatInstant(of[0]!)}: ${error.message}`;
    }
  }

  /** Continues a unit on the next day when the byte budget of a day is spent. */
  async function withinBudget(work: () => Promise<string>): Promise<string> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof OutOfBudgetError)) throw error;
        out.write(
          `FEED_BYTES_A_DAY is used up for today; the back-fill continues at ${formatInstant(error.until)}\n`,
        );
        await deps.sleep(Math.max(1, error.until - clock.now()), signal);
      }
    }
  }

  /** Removes parts that neither this unit nor a later one needs. Two cycles reach into a unit. */
  async function forget({ from }: PlannedUnit): Promise<void> {
    const { every, offset } = feed.cycles;
    const wanted = new Set<string>();
    const first = offset + (Math.floor((from - offset) / every) - 2) * every;
    for (let cycle = first; cycle <= units.at(-1)!.to; cycle += every) wanted.add(cycleName(cycle));
    await removeOtherCycles(folder, feed, wanted);
  }
}

function nameOf({ kind, from, to }: PlannedUnit): string {
  const last = to - DAY_S;
  return `${kinds[kind]} ${day(from)}${last > from ? ` to ${day(last)}` : ""}`;
}

/** Number of parts that are fetched at the same time. */
const AT_ONCE = 3;

interface FetchUnitDeps extends Pick<FeedDeps, "fetchPart" | "profile" | "states"> {
  /** Folder of the parts until their unit is published. */
  folder: string;
  /** Resolves when the service's own fetches have had their turn. */
  turn(signal: AbortSignal): Promise<void>;
}

/** Parts that were fetched for a unit. */
interface FetchedUnit {
  /** Files by base time, in the order of the cycle. */
  cycles: Map<number, PartFile[]>;
  bytes: number;
  mirrors: Set<string>;
  /** The failure, for the operator. A part that no mirror has is not a failure. */
  failure?: string;
}

/**
 * Fetches the parts of a unit. A part that no mirror has is replaced by the one of the previous cycle. Parts of an
 * earlier attempt are not fetched again. If some steps of the unit are published, the missing ones are requested first,
 * and nothing else is fetched if no mirror has one of them.
 */
async function fetchUnit(
  deps: FetchUnitDeps,
  feed: FieldFeed,
  unit: PlannedUnit,
  signal: AbortSignal,
): Promise<FetchedUnit> {
  const { profile, folder, states } = deps;
  const files = new Map<string, PartFile>();
  const fetched: FetchedUnit = { cycles: new Map(), bytes: 0, mirrors: new Set() };
  const parts = partsOf(feed, profile, unit);
  const { lacking } = unit;
  if (lacking)
    await fetchOrEarlier(parts.filter(({ part }) => part.times.some((time) => lacking.includes(time))));
  if (!lacking || files.size > 0) await fetchOrEarlier(parts);
  const inOrder = [...files.values()].sort((a, b) => a.part.index - b.part.index);
  fetched.cycles = Map.groupBy(inOrder, ({ part }) => part.cycle);
  return fetched;

  async function fetchOrEarlier(needed: readonly NeededPart[]): Promise<void> {
    const absent = await fetchAll(needed);
    await fetchAll(absent.flatMap(({ part }) => earlierPart(feed, profile, unit, part) ?? []));
  }

  /** @returns The parts that no mirror has. */
  async function fetchAll(needed: readonly NeededPart[]): Promise<NeededPart[]> {
    const missing: NeededPart[] = [];
    for (let at = 0; at < needed.length && fetched.failure === undefined; at += AT_ONCE) {
      await deps.turn(signal);
      const batch = needed.slice(at, at + AT_ONCE);
      const results = await Promise.allSettled(batch.map(fetchOne));
      for (const [index, result] of results.entries()) {
        if (result.status === "fulfilled" && result.value) continue;
        const each = batch[index]!;
        if (result.status === "fulfilled") {
          if (!each.isForWindows) missing.push(each);
        } else if (result.reason instanceof PartFailedError) {
          fetched.failure ??= result.reason.message;
          fetched.bytes += result.reason.bytesFetched;
        } else throw result.reason;
      }
    }
    return missing;
  }

  /** @returns Whether a mirror has the part. */
  async function fetchOne({ part, feed: narrow }: NeededPart): Promise<boolean> {
    const into = partFolder(folder, feed, part);
    const found = await deps.fetchPart(narrow, part, profile, {
      folder: into,
      signal,
      // Incomplete parts count as absent, because a field that is missing here may be complete tomorrow and only whole
      // runs are published.
      mustBeWhole: true,
    });
    if (found === "absent") return false;
    fetched.bytes += found.bytesFetched;
    fetched.mirrors.add(found.mirror);
    if (found.bytesFetched > 0) await states.count(feed.name, found.bytesFetched);
    files.set(`${part.cycle} ${part.index}`, { part, file: found.file });
    return true;
  }
}

/** Last published step of each field. The first step of the next unit is compared with it. */
type LastSteps = Map<FieldName, { time: number; statistics: StepStatistics }>;

/** The published run of a unit has more than the mirrors have now, so it stays. */
class PublishedHasMoreError extends Error {
  override readonly name = "PublishedHasMoreError";
}

/**
 * Checks the parts of a unit, and writes and publishes them as one run. At each time, each field comes from the newest
 * cycle that has it.
 *
 * @param files By base time, in the order of the cycle.
 * @param before Last steps of the previous unit; updated to those of this one.
 * @throws ImplausiblePartError, PublishedHasMoreError. Nothing is published then.
 */
async function publishUnit(
  deps: Pick<FeedDeps, "archive" | "decoder" | "clock">,
  feed: FieldFeed,
  unit: PlannedUnit,
  files: ReadonlyMap<number, readonly PartFile[]>,
  before: LastSteps,
  signal: AbortSignal,
): Promise<Run> {
  const plans: SegmentPlan[] = [];
  for (const [cycle, parts] of [...files].sort(([a], [b]) => b - a)) {
    const times = parts.flatMap(({ part }) => part.times.filter((time) => isOf(unit, time)));
    const request = { feed, cycle, files: parts, times };
    if (times.length > 0) plans.push(await planParts(deps.decoder, request, signal));
  }
  const { grid } = plans[0]!.plan;
  const { times, fields, origins } = choose(
    plans.filter(({ plan }) => sameGrid(plan.grid, grid)),
    unit.names,
  );
  const lacking = unit.names.find((name) => !fields.some((field) => field.name === name));
  if (lacking !== undefined) {
    const { part } = [...files.values()].flat()[0]!;
    throw new ImplausiblePartError(part, `nothing of it has ${lacking}`);
  }
  const described = { ...runOf(feed.source, grid, times), dataset: unit.dataset, referenceTime: unit.from };
  const old = (await deps.archive.manifest()).runs.find(
    (run) =>
      run.source === described.source && run.dataset === unit.dataset && run.referenceTime === unit.from,
  );
  const lost = old ? stepsBeyond(old, times, fields) : 0;
  if (old && lost > 0)
    throw new PublishedHasMoreError(
      `what is published has ${old.times.length} steps, and ${lost} of its fields' steps are not among the ${times.length} that the mirrors have`,
    );
  const checks = {
    partOf: (record: FieldRecord, step: PlannedStep) => origins.get(step)!.partOf(record),
    compareWith(name: FieldName, time: number, previous = before.get(name)) {
      return previous && Math.abs(time - previous.time) <= feed.cycles.every
        ? previous.statistics
        : undefined;
    },
  };
  // Groups are processed one at a time, unlike in the loop, because the server beside it needs the memory.
  const { run, statistics } = await publishChecked(deps, described, fields, checks, 1, signal);
  for (const [time, ofTime] of statistics)
    for (const [name, found] of Object.entries(ofTime))
      before.set(name as FieldName, { time, statistics: found });
  return run;
}

/**
 * Chooses the steps of a unit.
 *
 * @param plans Plans of one grid, the newest cycle first.
 * @returns The steps, and the plan that each comes from.
 */
function choose(plans: readonly SegmentPlan[], names: readonly FieldName[]) {
  const chosen = new Map<FieldName, Map<number, { step: PlannedStep; from: SegmentPlan }>>();
  for (const from of plans) {
    for (const { name, steps } of from.plan.fields) {
      if (!names.includes(name)) continue;
      const found = chosen.get(name) ?? new Map();
      chosen.set(name, found);
      for (const step of steps) {
        const time = from.plan.times[step.index]!;
        if (!found.has(time)) found.set(time, { step, from });
      }
    }
  }
  const times = [...new Set([...chosen.values()].flatMap((steps) => [...steps.keys()]))].sort(
    (a, b) => a - b,
  );
  const origins = new Map<PlannedStep, SegmentPlan>();
  const fields = [...chosen].map(([name, byTime]): PlannedField => {
    const steps = times.flatMap((time, index) => {
      const found = byTime.get(time);
      if (!found) return [];
      const step = { ...found.step, index };
      origins.set(step, found.from);
      return step;
    });
    const described = plans.flatMap(({ plan }) => plan.fields).filter((field) => field.name === name);
    return { name, steps, comment: described.find(({ comment }) => comment !== undefined)?.comment };
  });
  return { times, fields, origins };
}

/** Number of steps of a run that were not chosen. */
function stepsBeyond(run: Run, times: readonly number[], fields: readonly PlannedField[]): number {
  let count = 0;
  for (const [name, { steps }] of Object.entries(run.fields)) {
    const chosen = fields.find((field) => field.name === name)?.steps.map(({ index }) => times[index]!);
    const has = new Set(chosen);
    count += (steps?.map((index) => run.times[index]!) ?? run.times).filter((time) => !has.has(time)).length;
  }
  return count;
}
