import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type FieldName, fieldNames } from "#lib/catalog/fields.ts";
import { readJson, writeJson } from "#server/platform/files.ts";
import { fieldSchema } from "./baseline.ts";
import type { FieldFeed } from "./field-feed.ts";
import { disagreement, type StepStatistics } from "./step-statistics.ts";

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
    await rm(fileOf(folder, feed), { force: true });
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

function fileOf(folder: string, feed: Feed): string {
  return join(folder, "disputes", `${feed.name}.json`);
}

const write = (folder: string, feed: Feed, disputes: readonly Dispute[]): Promise<void> =>
  writeJson(fileOf(folder, feed), disputes);

/** None where the file is damaged: then a majority takes longer. */
const read = (folder: string, feed: Feed): Promise<Dispute[]> =>
  readJson(fileOf(folder, feed), disputesSchema, []);
