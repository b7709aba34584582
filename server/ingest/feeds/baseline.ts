import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { FieldName } from "#lib/catalog/fields.ts";
import { ifMissing, makeFolder, replaceFile } from "#server/platform/files.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";
import type { StepStatistics } from "./step-statistics.ts";

/**
 * Nothing is compared with a run that is older, seconds: a season passes, a model changes, and a feed whose last good run
 * was odd must recover by itself.
 */
const VALID_FOR_S = 2 * 86_400;

const statistics = z.object({
  missing: z.number(),
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  deviation: z.number(),
});

const baselineSchema = z.object({
  /** Base time of the cycle, Unix seconds. */
  cycle: z.number(),
  profile: z.string(),
  fields: z.record(z.string(), statistics),
});

/** The first step of the last good segment of a feed, field by field: what the next one is compared with. */
export interface Baseline {
  cycle: number;
  profile: Profile;
  fields: Partial<Record<FieldName, StepStatistics>>;
}

function fileOf(folder: string, feed: Pick<FieldFeed, "name">): string {
  return join(folder, "baseline", `${feed.name}.json`);
}

/** The baseline for a cycle; undefined if none is young enough, or was made with another profile. */
export async function readBaseline(
  folder: string,
  feed: Pick<FieldFeed, "name" | "cycles">,
  cycle: number,
  profile: Profile,
): Promise<Baseline | undefined> {
  const text = await readFile(fileOf(folder, feed), "utf8").catch(ifMissing("null"));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = baselineSchema.safeParse(json);
  if (!parsed.success || parsed.data.profile !== profile) return undefined;
  if (Math.abs(cycle - parsed.data.cycle) > Math.max(VALID_FOR_S, 3 * feed.cycles.every)) return undefined;
  return parsed.data as Baseline;
}

export async function writeBaseline(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  baseline: Baseline,
): Promise<void> {
  await makeFolder(join(folder, "baseline"));
  await replaceFile(fileOf(folder, feed), JSON.stringify(baseline));
}
