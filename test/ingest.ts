import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import type { Decoder } from "#server/ingest/decoder.ts";
import type { IngestReport } from "#server/ingest/ingest.ts";
import { ingest } from "#server/ingest/ingest.ts";
import { sources } from "#server/ingest/publishers/registry.ts";
import type { Rejection } from "#server/ingest/record.ts";
import type { Source } from "#server/ingest/sources/source.ts";

const folders: string[] = [];

export async function removeScratch(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** A new, empty folder, which `removeScratch` removes. */
export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ingest-"));
  folders.push(folder);
  return folder;
}

function sourceNamed(name: string): Source {
  const found = sources.find((source) => source.name === name);
  if (!found) throw new Error(`There is no source ${name}`);
  return found;
}

/** Report of an ingest, for tests. */
export interface IngestOutcome {
  fields: number;
  messages: number;
  used: number;
  leftOut: Rejection[];
  remarks: string[];
  already: boolean[];
}

/** Ingests silently. @returns The report, and the runs of the archive. */
export async function ingestForTest(
  archive: string,
  decoder: Decoder,
  source: string,
  from: string,
  { partial = false, dataset }: { partial?: boolean; dataset?: DatasetName } = {},
): Promise<IngestOutcome & { runs: Run[] }> {
  const outcome: IngestOutcome = { fields: 0, messages: 0, used: 0, leftOut: [], remarks: [], already: [] };
  const report: IngestReport = {
    scanning() {},
    scanned: ({ fields, messages, used }) => Object.assign(outcome, { fields, messages, used }),
    leftOut: (rejected) => void outcome.leftOut.push(...rejected),
    writing() {},
    remark: (text) => void outcome.remarks.push(text),
    published: (_, { already }) => void outcome.already.push(already),
  };
  const feed = sourceNamed(source);
  const request = { source: feed, from, dataset: dataset ?? feed.dataset, partial };
  await ingest(folderArchive(archive), decoder, request, report, new AbortController().signal);
  return { ...outcome, runs: (await readManifest(archive)).runs };
}

/** A complete stored step of a field, unpacked: south to north, NaN = missing. */
export async function storedStep(
  archive: string,
  run: Run,
  name: FieldName,
  step: number,
): Promise<number[]> {
  const reader = openReader(directoryStore(archive), { cacheBytes: 2 ** 24 });
  const { values } = await reader.mapStep(run, name, step, 1, new AbortController().signal);
  const { scale, offset } = fields[name];
  return Array.from(values, (stored) => (stored === FILL ? Number.NaN : stored * scale + offset));
}
