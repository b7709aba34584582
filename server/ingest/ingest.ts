import type { DatasetName } from "#lib/catalog/datasets.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { beginRun, type RunWriter } from "#server/archive/writer.ts";
import type { Source } from "#server/ingest/sources/source.ts";
import type { Decoder } from "./decoder.ts";
import { dataFiles, takeInventory } from "./inventory.ts";
import { makeStep, refusalOf, UnusableRecordError } from "./make-step.ts";
import { type PlannedRun, planRuns, unusableUnits } from "./plan.ts";
import type { FieldRecord, Refusal } from "./record.ts";
import { siftPlan } from "./sift.ts";

export interface IngestRequest {
  source: Source;
  /** A file or a directory. */
  from: string;
  dataset: DatasetName;
  /** Publish what is undamaged, instead of nothing, where something is damaged. */
  partial: boolean;
}

/** Told what happens, in this order. */
export interface IngestReport {
  scanning(file: string, done: number, total: number): void;
  scanned(found: {
    fields: number;
    envelopes: number;
    kept: number;
    /** Refused, of no use to the source anyway; and refused, although it may be what the source needs. */
    needless: readonly Refusal[];
    needed: readonly Refusal[];
  }): void;
  /** What is missing because it is damaged, where the rest is published. */
  lost(refused: readonly Refusal[]): void;
  making(run: PlannedRun, field: string, done: number, total: number): void;
  published(run: PlannedRun, outcome: PublishedRun): void;
}

interface PublishedRun {
  id: string;
  /** The archive already had the same content. */
  already: boolean;
}

/** Something the source needs is damaged, and nothing was published. */
export class DamagedInputError extends Error {
  override readonly name = "DamagedInputError";
  readonly refused: readonly Refusal[];
  constructor(refused: readonly Refusal[], options?: ErrorOptions) {
    super("Nothing was published: something that is needed is damaged or cannot be read", options);
    this.refused = refused;
  }
}

export class NothingUsefulError extends Error {
  override readonly name = "NothingUsefulError";
}

/**
 * Carries files into the archive: lists what they hold, chooses what the source needs, decodes it step by step and
 * publishes one run per base time and grid. Nothing of a run is visible before all of it is written.
 *
 * The clock is not consulted: the same files make the same runs on any day.
 *
 * @throws DamagedInputError, NothingUsefulError; what was begun is cleaned up.
 */
export async function ingest(
  archive: string,
  decoder: Decoder,
  { source, from, dataset, partial }: IngestRequest,
  report: IngestReport,
  signal: AbortSignal,
): Promise<void> {
  const files = await dataFiles(from);
  let scanned = 0;
  const inventory = await takeInventory(
    decoder,
    files,
    (file) => report.scanning(file, scanned++, files.length),
    signal,
  );
  const { records } = inventory;
  const unusable = unusableUnits(planRuns(source, records));
  const without = new Set(unusable.map(({ record }) => record));
  let plan = planRuns(
    source,
    records.filter((record) => !without.has(record)),
  );
  const needed = [
    ...inventory.refused.filter((refusal) => concerns(source, refusal)),
    ...unusable.map(({ record, reason }) => refusalOf(record, reason)),
  ];
  const needless = inventory.refused.filter((refusal) => !concerns(source, refusal));
  const { envelopes } = inventory;
  report.scanned({ fields: records.length, envelopes, kept: usedRecords(plan).size, needless, needed });
  if (needed.length > 0) {
    if (!partial) throw new DamagedInputError(needed);
    report.lost(needed);
  }
  // A run is published when it is written: where damage may show after another run is out, look first.
  if (partial || plan.length > 1) {
    const sifted = await siftPlan(decoder, source, records, without, report, signal);
    if (sifted.refused.length > 0 && !partial) throw new DamagedInputError(sifted.refused);
    plan = sifted.plan;
    if (sifted.refused.length > 0) report.lost(sifted.refused);
  }
  if (plan.length === 0) {
    throw new NothingUsefulError(`The files hold nothing that the source ${source.name} reads`);
  }
  await publish(archive, decoder, source, dataset, plan, report, signal);
}

/** Whether what was refused may be something the source needs. */
function concerns(source: Source, { variable, parameter }: Refusal): boolean {
  if (variable === undefined && parameter === undefined) return true;
  const needs = source.rules.flatMap(({ choices }) => choices.flatMap((choice) => choice.needs));
  return needs.some((need) =>
    need.kind === "netcdf"
      ? need.variable === variable
      : parameter !== undefined && need.parameter.every((part, i) => part === parameter[i]),
  );
}

function usedRecords(plan: readonly PlannedRun[]): Set<FieldRecord> {
  return new Set(
    plan.flatMap(({ fields }) => fields.flatMap(({ steps }) => steps.flatMap(({ records }) => records))),
  );
}

/** Writes and publishes one run after the other: the archive has one writer, and a run becomes visible at once. */
async function publish(
  archive: string,
  decoder: Decoder,
  source: Source,
  dataset: DatasetName,
  plan: readonly PlannedRun[],
  report: IngestReport,
  signal: AbortSignal,
): Promise<void> {
  for (const run of plan) {
    const writer = await beginRun(archive, {
      dataset,
      source: source.name,
      model: source.model(run.grid),
      referenceTime: run.referenceTime,
      grid: run.grid,
      times: run.times,
      holds: source.holds,
    });
    try {
      await writeFields(decoder, writer, run, report, signal);
      report.making(run, "map frames", 0, 1);
      await writer.writeFrames(signal);
      signal.throwIfAborted();
      const known = await readManifest(archive);
      const { id } = await writer.publish();
      report.published(run, { id, already: known.runs.some((other) => other.id === id) });
    } catch (error) {
      await writer.abandon();
      if (!(error instanceof UnusableRecordError)) throw error;
      throw new DamagedInputError([refusalOf(error.record, error.message)], { cause: error });
    }
  }
}

async function writeFields(
  decoder: Decoder,
  writer: RunWriter,
  run: PlannedRun,
  report: IngestReport,
  signal: AbortSignal,
): Promise<void> {
  const total = run.fields.reduce((sum, { steps }) => sum + steps.length, 0);
  let done = 0;
  for (const { name, steps, comment } of run.fields) {
    const byIndex = new Map(steps.map((step) => [step.index, step]));
    const everyStep = steps.length === run.times.length;
    await writer.writeField(
      name,
      { steps: everyStep ? undefined : steps.map(({ index }) => index), comment },
      async (index) => {
        const step = byIndex.get(index);
        if (!step) return undefined;
        report.making(run, name, done++, total);
        return makeStep(decoder, name, step, signal);
      },
      signal,
    );
  }
}
