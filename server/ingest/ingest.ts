import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import { type FieldName, outputsIn, rowOf } from "#lib/catalog/fields.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import type { RunWriter } from "#server/archive/writer.ts";
import type { Selector, Source } from "#server/ingest/sources/source.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { decodeStep, rejectionOf, UnusableRecordError } from "./decode-step.ts";
import { DecodeError, type Decoder } from "./decoder.ts";
import { type PlannedRun, planRuns, recordsOf, unusableRecords } from "./plan.ts";
import type { FieldRecord, Rejection } from "./record.ts";

/** Receives the progress of an ingest, in this order. */
export interface IngestReport {
  scanning(file: string, done: number, total: number): void;
  scanned(found: {
    fields: number;
    messages: number;
    used: number;
    /** Rejections that the source does not need. */
    unneeded: readonly Rejection[];
    /** Rejections of records that the source may need. */
    needed: readonly Rejection[];
  }): void;
  /** Reports damaged records that are left out, before the rest is published. */
  leftOut(rejected: readonly Rejection[]): void;
  writing(run: PlannedRun, field: string, done: number, total: number): void;
  /** Reports a property of the run's values that may surprise a user. */
  remark(text: string): void;
  /** @param outcome `already`: the archive had the same content. */
  published(run: PlannedRun, outcome: { id: string; already: boolean }): void;
}

interface IngestRequest {
  source: Source;
  /** A file or a directory. */
  from: string;
  dataset: DatasetName;
  /** Whether to publish the rest instead of nothing if something is damaged. */
  partial: boolean;
}

/** Something that the source needs is damaged. Nothing was published. */
export class DamagedInputError extends Error {
  override readonly name = "DamagedInputError";
  readonly rejected: readonly Rejection[];
  constructor(rejected: readonly Rejection[], options?: ErrorOptions) {
    super("Nothing was published: something that is needed is damaged or cannot be read", options);
    this.rejected = rejected;
  }
}

/**
 * Writes files to the archive: lists their fields, selects what the source needs, decodes it step by step and publishes
 * one run per base time and grid. A run becomes visible only when all of it is written.
 *
 * The result does not depend on the clock: the same files give the same runs on any day.
 *
 * @throws DamagedInputError; ProcessingError where there is nothing useful. Unfinished runs are removed.
 */
export async function ingest(
  archive: Pick<RunArchive, "begin" | "manifest">,
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
  const unusable = unusableRecords(planRuns(source, records));
  const excluded = new Set(unusable.map(({ record }) => record));
  let plan = planRuns(
    source,
    records.filter((record) => !excluded.has(record)),
  );
  const needed = [
    ...inventory.rejected.filter((rejection) => isNeeded(source, rejection)),
    ...unusable.map(({ record, reason }) => rejectionOf(record, reason)),
  ];
  const unneeded = inventory.rejected.filter((rejection) => !isNeeded(source, rejection));
  const { messages } = inventory;
  report.scanned({ fields: records.length, messages, used: usedRecords(plan).size, unneeded, needed });
  if (needed.length > 0) {
    if (!partial) throw new DamagedInputError(needed);
    report.leftOut(needed);
  }
  // Runs are published one by one, so damage in a later one must be found before the first is published.
  if (partial || plan.length > 1) {
    const validated = await preValidate(decoder, source, records, excluded, report, signal);
    if (validated.rejected.length > 0 && !partial) throw new DamagedInputError(validated.rejected);
    plan = validated.plan;
    if (validated.rejected.length > 0) report.leftOut(validated.rejected);
  }
  if (plan.length === 0) {
    throw new ProcessingError(`The files hold nothing that the source ${source.name} reads`);
  }
  await publish(archive, decoder, source, dataset, plan, report, signal);
}

/** Whether a rejection may concern something that the source needs. */
export function isNeeded(source: Source, rejection: Rejection): boolean {
  const isUnknown = rejection.variable === undefined && rejection.parameter === undefined;
  return isUnknown || fieldsFrom(source, rejection).length > 0;
}

/** The fields of a source that may be derived from a record. */
export function fieldsFrom(
  source: Source,
  { variable, parameter }: Pick<Rejection, "variable" | "parameter">,
): FieldName[] {
  const isOf = (need: Selector) =>
    need.kind === "netcdf"
      ? need.variable === variable
      : parameter !== undefined && need.parameter.codes.every((part, i) => part === parameter[i]);
  return source.rules
    .filter(({ choices }) => choices.some(({ needs }) => needs.some(isOf)))
    .map(({ field }) => field);
}

function usedRecords(plan: readonly PlannedRun[]): Set<FieldRecord> {
  return new Set(plan.flatMap(({ fields }) => fields.flatMap(({ steps }) => steps.flatMap(recordsOf))));
}

/** Writes and publishes the runs one after another, because the archive has a single writer. */
async function publish(
  archive: Pick<RunArchive, "begin" | "manifest">,
  decoder: Decoder,
  source: Source,
  dataset: DatasetName,
  plan: readonly PlannedRun[],
  report: IngestReport,
  signal: AbortSignal,
): Promise<void> {
  for (const run of plan) {
    const useless = unanswerable(run);
    const why = `no number of an answer can be made of ${useless.join(", ")} alone`;
    if (useless.length === run.fields.length) throw new ProcessingError(`Nothing was published: ${why}`);
    if (useless.length > 0) report.remark(why);
    const writer = await archive.begin({
      dataset,
      source: source.name,
      model: source.model(run.grid),
      referenceTime: run.referenceTime,
      grid: run.grid,
      times: run.times,
      holds: source.validFor,
    });
    try {
      const empty = await writeFields(decoder, writer, run, report, signal);
      if (empty.length === run.fields.length) {
        throw new ProcessingError(`Nothing was published: every value of ${empty.join(", ")} is missing`);
      }
      report.writing(run, "map frames", 0, 1);
      await writer.writeFrames(signal);
      signal.throwIfAborted();
      const known = await archive.manifest();
      const { id } = await writer.publish(signal);
      report.published(run, { id, already: known.runs.some((other) => other.id === id) });
    } catch (error) {
      await writer.abandon();
      if (!(error instanceof UnusableRecordError)) throw error;
      throw new DamagedInputError([rejectionOf(error.record, error.message)], { cause: error });
    }
  }
}

/** Fields from which nothing can be answered, such as one component of a vector, or wind aloft without that at 10 m. */
function unanswerable({ fields }: PlannedRun): FieldName[] {
  const stored = Object.fromEntries(fields.map(({ name }) => [name, true]));
  const used = new Set(variableNames.flatMap((name) => outputsIn(stored, name).flatMap(({ of }) => of)));
  const hasWind = outputsIn(stored, "wind").length > 0;
  return fields
    .map(({ name }) => name)
    .filter((name) => !used.has(name) && !(hasWind && rowOf(name).atHeights));
}

/** @returns The fields of which every value is missing. */
async function writeFields(
  decoder: Decoder,
  writer: RunWriter,
  run: PlannedRun,
  report: IngestReport,
  signal: AbortSignal,
): Promise<FieldName[]> {
  const empty: FieldName[] = [];
  const total = run.fields.reduce((sum, { steps }) => sum + steps.length, 0);
  let done = 0;
  for (const { name, steps, comment } of run.fields) {
    const byIndex = new Map(steps.map((step) => [step.index, step]));
    let isEmpty = true;
    const everyStep = steps.length === run.times.length;
    await writer.writeField(
      name,
      { steps: everyStep ? undefined : steps.map(({ index }) => index), comment },
      async (index) => {
        const step = byIndex.get(index);
        if (!step) return undefined;
        report.writing(run, name, done++, total);
        const values = await decodeStep(decoder, name, step, signal);
        isEmpty &&= values.every(Number.isNaN);
        return values;
      },
      signal,
    );
    if (!isEmpty) continue;
    report.remark(`every value of ${name} is missing`);
    empty.push(name);
  }
  return empty;
}

/**
 * Plans runs without damaged records. It decodes all planned records and plans again without those that failed, until
 * every planned record is valid. This costs a second decoding, but nothing can fail later while a run is written.
 *
 * @param excluded Records that are known to be unusable.
 */
async function preValidate(
  decoder: Decoder,
  source: Source,
  records: readonly FieldRecord[],
  excluded: ReadonlySet<FieldRecord>,
  report: Pick<IngestReport, "writing">,
  signal: AbortSignal,
): Promise<{ plan: PlannedRun[]; rejected: Rejection[] }> {
  const unusable = new Set(excluded);
  const rejected: Rejection[] = [];
  const numbers = new Map(records.map((record, number) => [record, number]));
  const valid = new Set<string>();
  for (;;) {
    const before = unusable.size;
    const plan = planRuns(
      source,
      records.filter((record) => !unusable.has(record)),
    );
    for (const run of plan) {
      const steps = run.fields.flatMap((field) => field.steps.map((step) => ({ name: field.name, step })));
      for (const [done, { name, step }] of steps.entries()) {
        const needed = recordsOf(step);
        const key = [name, ...needed.map((record) => numbers.get(record))].join(" ");
        if (valid.has(key) || needed.some((record) => unusable.has(record))) continue;
        report.writing(run, `checking ${name}`, done, steps.length);
        try {
          await decodeStep(decoder, name, step, signal);
          valid.add(key);
        } catch (error) {
          if (!(error instanceof UnusableRecordError)) throw error;
          unusable.add(error.record);
          rejected.push(rejectionOf(error.record, error.message));
        }
      }
    }
    if (unusable.size === before) return { plan, rejected };
  }
}

/** Names of files that accompany data files: indices, notes, checksums. */
const accompanying = /(^\.)|\.(idx|index|md|txt|json|xml|html|md5|sha256|py|log)$/i;

/** Names that mark the folder of a Zarr store, of version 2 or 3. */
const zarrMarks = [".zmetadata", ".zgroup", ".zarray", "zarr.json"];

interface Inventory {
  records: FieldRecord[];
  rejected: Rejection[];
  messages: number;
}

/**
 * Lists the data files at a path: the file itself, or all files of a directory and below, sorted by path. A directory
 * that is a Zarr store counts as one file.
 *
 * @throws ProcessingError if there is none.
 */
export async function dataFiles(from: string): Promise<string[]> {
  const found = await stat(from).catch((cause: unknown) => {
    throw new ProcessingError(`There is no file or directory ${from}`, { cause });
  });
  // Reading a pipe or a device may never end.
  if (!found.isDirectory() && !found.isFile()) {
    throw new ProcessingError(`${from} is neither a file nor a directory`);
  }
  if (found.isFile()) return [from];
  const files: string[] = [];
  await addFiles(from, files);
  files.sort();
  if (files.length === 0) throw new ProcessingError(`The directory ${from} holds no data files`);
  return files;
}

async function addFiles(folder: string, files: string[]): Promise<void> {
  if (zarrMarks.some((name) => existsSync(join(folder, name)))) {
    files.push(folder);
    return;
  }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await addFiles(path, files);
    else if (accompanying.test(entry.name)) continue;
    else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path)))) files.push(path);
  }
}

/** Whether a link leads to a file. A dangling link counts, so that the scan reports it. */
async function leadsToFile(link: string): Promise<boolean> {
  const found = await stat(link).catch(() => undefined);
  return found === undefined || found.isFile();
}

/** Lists the records of all files. A file that cannot be read is one rejection; the others are still listed. */
export async function takeInventory(
  decoder: Decoder,
  files: readonly string[],
  onFile: (file: string) => void,
  signal: AbortSignal,
): Promise<Inventory> {
  const inventory: Inventory = { records: [], rejected: [], messages: 0 };
  for (const file of files) {
    onFile(file);
    try {
      const { records, rejected, messages } = await decoder.scan(file, signal);
      inventory.messages += messages;
      for (const record of records) inventory.records.push(record);
      inventory.rejected.push(...rejected);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      inventory.rejected.push({ file, message: "file", reason: error.message });
    }
  }
  return inventory;
}
