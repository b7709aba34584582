import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import { readManifest } from "#server/archive/manifest.ts";
import type { Run } from "#server/archive/run.ts";
import type { Decoder } from "#server/ingest/decoder.ts";
import { type IngestReport, ingest } from "#server/ingest/ingest.ts";
import type { Refusal } from "#server/ingest/record.ts";
import { sources } from "#server/ingest/sources/all.ts";
import type { Source } from "#server/ingest/sources/source.ts";

const folders: string[] = [];

/** Removes the folders that `scratch` has made. */
export async function removeScratch(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** A new, empty folder of this test's own. `removeScratch` removes it. */
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

/** What an ingest told, for tests. */
export interface Told {
  fields: number;
  envelopes: number;
  kept: number;
  lost: Refusal[];
  already: boolean[];
}

/** Ingests and answers what was told and what the archive then holds. */
export async function ingestQuietly(
  archive: string,
  decoder: Decoder,
  source: string,
  from: string,
  { partial = false, dataset }: { partial?: boolean; dataset?: DatasetName } = {},
): Promise<Told & { runs: Run[] }> {
  const told: Told = { fields: 0, envelopes: 0, kept: 0, lost: [], already: [] };
  const report: IngestReport = {
    scanning() {},
    scanned: ({ fields, envelopes, kept }) => Object.assign(told, { fields, envelopes, kept }),
    lost: (refused) => void told.lost.push(...refused),
    making() {},
    published: (_, { already }) => void told.already.push(already),
  };
  const feed = sourceNamed(source);
  const request = { source: feed, from, dataset: dataset ?? feed.dataset, partial };
  await ingest(archive, decoder, request, report, new AbortController().signal);
  return { ...told, runs: (await readManifest(archive)).runs };
}
