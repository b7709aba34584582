import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type FieldName, fieldNames } from "#lib/catalog/fields.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { readJson, writeJson } from "#server/platform/files.ts";
import { disagreement, type StepStatistics } from "./check-step.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";

/**
 * Nothing is compared with a cycle that is older, seconds: a model changes, and a feed whose last good run was odd must
 * recover by itself.
 */
const VALID_FOR_S = 48 * HOUR_S;
/**
 * Steps are compared with the published one of the nearest time, at most so far away, seconds. A day's only step is compared
 * with that of any day which is not too old.
 */
const NEAREST_S = 6 * HOUR_S;

/** Of one field at one step. */
const fieldSchema = z.object({
  missing: z.number(),
  mean: z.number(),
  deviation: z.number(),
  mask: z.array(z.number()).optional(),
});

const baselineSchema = z.object({
  profile: z.string(),
  steps: z.array(
    z.object({
      time: z.number(),
      cycle: z.number(),
      fields: z.record(z.string(), fieldSchema),
    }),
  ),
});

/** Statistics of published steps, by field. */
export type StepFields = Partial<Record<FieldName, StepStatistics>>;

/** What was published last of each time, and what the same time of the next cycle is compared with. */
export interface Baseline {
  /** The published step nearest to a time; undefined if none is near. */
  near(name: FieldName, time: number): StepStatistics | undefined;
}

type Stored = z.infer<typeof baselineSchema>["steps"][number];

function fileOf(folder: string, feed: Pick<FieldFeed, "name">): string {
  return join(folder, "baseline", `${feed.name}.json`);
}

/** The baseline for a cycle. Without a usable one it is empty. @param folder DATA_DIR/feeds. */
export async function readBaseline(
  folder: string,
  feed: Pick<FieldFeed, "name" | "cycles">,
  cycle: number,
  profile: Profile,
): Promise<Baseline> {
  const age = Math.max(VALID_FOR_S, 3 * feed.cycles.every);
  const reach = feed.cycles.every < DAY_S ? NEAREST_S : age;
  const steps = (await stored(folder, feed, profile)).filter((step) => Math.abs(cycle - step.cycle) <= age);
  return {
    near(name, time) {
      let nearest: Stored | undefined;
      for (const step of steps)
        if (step.fields[name] && (!nearest || Math.abs(step.time - time) < Math.abs(nearest.time - time)))
          nearest = step;
      if (!nearest || Math.abs(nearest.time - time) > reach) return undefined;
      return nearest.fields[name];
    },
  };
}

/** Adds published steps, in place of those of older cycles at the same times. @param steps By time, Unix seconds. */
export async function extendBaseline(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  cycle: number,
  profile: Profile,
  steps: ReadonlyMap<number, StepFields>,
): Promise<void> {
  const byTime = new Map<number, Stored>();
  for (const step of await stored(folder, feed, profile))
    if (step.time >= cycle - VALID_FOR_S) byTime.set(step.time, step);
  for (const [time, statistics] of steps) {
    if ((byTime.get(time)?.cycle ?? cycle) > cycle) continue;
    const fields: Stored["fields"] = {};
    for (const [name, { missing, mean, deviation, mask }] of Object.entries(statistics))
      fields[name] = { missing, mean, deviation, mask };
    byTime.set(time, { time, cycle, fields });
  }
  await writeJson(fileOf(folder, feed), { profile, steps: [...byTime.values()] });
}

/** Nothing is compared with what was published so far. */
export async function discardBaseline(folder: string, feed: Pick<FieldFeed, "name">): Promise<void> {
  await rm(fileOf(folder, feed), { force: true });
}

/** Nothing where there is no file, or one of another profile. */
async function stored(folder: string, feed: Pick<FieldFeed, "name">, profile: Profile): Promise<Stored[]> {
  const found = await readJson(fileOf(folder, feed), baselineSchema, undefined);
  return found?.profile === profile ? found.steps : [];
}

/** So many cycles one after the other that agree with each other are right against an odd one before them. */
const MAJORITY = 3;

/** A step that disagrees with the runs before. Times are Unix seconds. */
export interface Dispute {
  /** Base time. */
  cycle: number;
  /** Valid time. */
  time: number;
  name: FieldName;
  statistics: StepStatistics;
}

const disputesSchema = z.array(
  z.object({ cycle: z.number(), time: z.number(), name: z.enum(fieldNames), statistics: fieldSchema }),
);

type Feed = Pick<FieldFeed, "name" | "cycles">;

/**
 * Remembers that a cycle disagrees with the runs before it: one step of each cycle.
 *
 * @param folder DATA_DIR/feeds.
 * @returns Whether this and the cycles before it are so many that the runs before are to be forgotten; then the disputes
 *   are too.
 */
export async function recordDispute(folder: string, feed: Feed, dispute: Dispute): Promise<boolean> {
  const { cycle, time, name } = dispute;
  const { missing, mean, deviation, mask } = dispute.statistics;
  const oldest = cycle - MAJORITY * feed.cycles.every;
  const others = (await read(folder, feed)).filter((each) => each.cycle !== cycle && each.cycle >= oldest);
  const agreeing = others.filter(
    (each) => each.name === name && disagreement(name, dispute.statistics, each.statistics) === undefined,
  );
  if (agreeing.length + 1 >= MAJORITY) {
    await rm(disputesFile(folder, feed), { force: true });
    return true;
  }
  await write(folder, feed, [
    ...others,
    { cycle, time, name, statistics: { missing, mean, deviation, mask } },
  ]);
  return false;
}

/** Forgets disputes that a publication has passed: a cycle that agrees ends the row. @param upTo Last valid time. */
export async function settleDisputes(folder: string, feed: Feed, cycle: number, upTo: number): Promise<void> {
  const all = await read(folder, feed);
  const open = all.filter((each) => each.cycle > cycle || each.time > upTo);
  if (open.length < all.length) await write(folder, feed, open);
}

function disputesFile(folder: string, feed: Feed): string {
  return join(folder, "disputes", `${feed.name}.json`);
}

const write = (folder: string, feed: Feed, disputes: readonly Dispute[]): Promise<void> =>
  writeJson(disputesFile(folder, feed), disputes);

/** None where the file is damaged: then a majority takes longer. */
const read = (folder: string, feed: Feed): Promise<Dispute[]> =>
  readJson(disputesFile(folder, feed), disputesSchema, []);
