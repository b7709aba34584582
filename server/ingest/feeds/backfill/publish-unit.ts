import type { FieldName } from "#lib/catalog/fields.ts";
import { sameGrid } from "#lib/field/grid.ts";
import { formatInstant } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { decodeOnce, decodeStep, fieldsByRecords, UnusableRecordError } from "#server/ingest/decode-step.ts";
import type { StepStatistics } from "#server/ingest/feeds/check-step.ts";
import { checkStep } from "#server/ingest/feeds/check-step.ts";
import type { FeedDeps } from "#server/ingest/feeds/feed-deps.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import {
  ImplausiblePartError,
  type PartFile,
  planParts,
  type SegmentPlan,
} from "#server/ingest/feeds/publish-segment.ts";
import type { PlannedStep } from "#server/ingest/plan.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { isOf, type Unit } from "./units.ts";

/** The last step of each field that was published, which the first one of the next unit is compared with. */
export type LastSteps = Map<FieldName, { time: number; statistics: StepStatistics }>;

/** What is published of a unit has more than what the mirrors have now: it stays. */
export class PublishedHasMoreError extends Error {
  override readonly name = "PublishedHasMoreError";
}

interface Chosen {
  step: PlannedStep;
  from: SegmentPlan;
}

/**
 * Checks the parts of a unit, and writes and publishes them as one run: at each time, for each field, the step of the newest
 * cycle that has it.
 *
 * @param files By base time, in the cycle's order.
 * @param names Fields that are expected.
 * @param before Is brought up to date.
 * @throws ImplausiblePartError, PublishedHasMoreError, and nothing is published.
 */
export async function publishUnit(
  { archive, decoder, clock }: Pick<FeedDeps, "archive" | "decoder" | "clock">,
  feed: FieldFeed,
  unit: Unit,
  files: ReadonlyMap<number, readonly PartFile[]>,
  names: readonly FieldName[],
  before: LastSteps,
  signal: AbortSignal,
): Promise<Run> {
  const plans: SegmentPlan[] = [];
  for (const [cycle, parts] of [...files].sort(([a], [b]) => b - a)) {
    const times = parts.flatMap(({ part }) => part.times.filter((time) => isOf(unit, time)));
    if (times.length > 0) plans.push(await planParts(decoder, { feed, cycle, files: parts, times }, signal));
  }
  const { grid } = plans[0]!.plan;
  const chosen = choose(
    plans.filter(({ plan }) => sameGrid(plan.grid, grid)),
    names,
  );
  const lacking = names.find((name) => !chosen.has(name));
  if (lacking !== undefined) {
    const { part } = [...files.values()].flat()[0]!;
    throw new ImplausiblePartError(part, `nothing of it has ${lacking}`);
  }
  const times = [...new Set([...chosen.values()].flatMap((steps) => [...steps.keys()]))].sort(
    (a, b) => a - b,
  );

  const { source } = feed;
  const old = (await archive.manifest()).runs.find(
    (run) => run.source === source.name && run.dataset === unit.dataset && run.referenceTime === unit.from,
  );
  const lost = old ? stepsBeyond(old, chosen) : 0;
  if (old && lost > 0)
    throw new PublishedHasMoreError(
      `what is published has ${old.times.length} steps, and ${lost} of its fields' steps are not among the ${times.length} that the mirrors have`,
    );
  const described = { dataset: unit.dataset, source: source.name, model: source.model(grid) };
  const run = { ...described, referenceTime: unit.from, grid, times, holds: source.validFor };
  const writer = await archive.begin(run, { wait: true, signal, clock });
  const last: LastSteps = new Map();
  const fields = [...chosen].map(([name, byTime]) => ({
    name,
    byTime,
    steps: [...byTime.values()].map(({ step }) => step),
  }));
  const once = decodeOnce(
    decoder,
    fields.flatMap(({ steps }) => steps),
  );

  async function writeField({ name, byTime }: (typeof fields)[number]): Promise<void> {
    const indices = times.flatMap((time, index) => (byTime.has(time) ? [index] : []));
    const comment = plans
      .flatMap(({ plan }) => plan.fields)
      .find((field) => field.name === name && field.comment !== undefined)?.comment;
    const steps = indices.length === times.length ? undefined : indices;
    let previous = before.get(name);
    await writer.writeField(name, { steps, comment }, async (index) => {
      signal.throwIfAborted();
      const time = times[index]!;
      const { step, from } = byTime.get(time)!;
      const values = await decodeStep(once, name, step, signal);
      const near = previous && Math.abs(time - previous.time) <= feed.cycles.every ? previous : undefined;
      const { statistics, fault } = checkStep(name, values, grid, near?.statistics);
      if (fault !== undefined) throw new ImplausiblePartError(from.partOf(step.inputs[0]!.record), fault);
      previous = { time, statistics };
      return values;
    });
    if (previous) last.set(name, previous);
  }

  try {
    // One group at a time, unlike the loop: the server beside it needs the memory.
    for (const group of fieldsByRecords(fields)) await inParallel(group.length, group, writeField);
    await writer.writeFrames(signal);
    signal.throwIfAborted();
    const published = await writer.publish(signal);
    for (const [name, step] of last) before.set(name, step);
    return published;
  } catch (error) {
    await writer.abandon();
    if (!(error instanceof UnusableRecordError)) throw error;
    const from = plans.find(({ plan }) =>
      plan.fields.some(({ steps }) =>
        steps.some(({ inputs }) => inputs.some(({ record }) => record === error.record)),
      ),
    );
    const part = (from ?? plans[0]!).partOf(error.record);
    throw new ImplausiblePartError(part, error.message, { cause: error });
  }
}

/** Steps of the fields of a run that were not chosen. */
function stepsBeyond(run: Run, chosen: ReadonlyMap<FieldName, ReadonlyMap<number, Chosen>>): number {
  let count = 0;
  for (const [name, { steps }] of Object.entries(run.fields)) {
    const times = steps ? steps.map((index) => run.times[index]!) : run.times;
    count += times.filter((time) => !chosen.get(name as FieldName)?.has(time)).length;
  }
  return count;
}

/** What is wrong with a part, with its cycle. */
export function describeFault({ part, message }: ImplausiblePartError): string {
  return `cycle ${formatInstant(part.cycle)}, ${formatInstant(part.times[0]!)}: ${message}`;
}

/** @param plans Newest cycle first. */
function choose(
  plans: readonly SegmentPlan[],
  names: readonly FieldName[],
): Map<FieldName, Map<number, Chosen>> {
  const chosen = new Map<FieldName, Map<number, Chosen>>();
  for (const from of plans) {
    const { times, fields } = from.plan;
    for (const { name, steps } of fields) {
      if (!names.includes(name)) continue;
      const found = chosen.get(name) ?? new Map<number, Chosen>();
      chosen.set(name, found);
      for (const step of steps) {
        const time = times[step.index]!;
        if (!found.has(time)) found.set(time, { step, from });
      }
    }
  }
  return chosen;
}
