import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatInstant } from "#lib/time.ts";
import { ifMissing } from "#server/platform/files.ts";
import type { FieldFeed, Part } from "./field-feed.ts";

/** Below DATA_DIR/feeds. */
const PARTS = "parts";

/** Where the files of one part lie until its steps are published. */
export function partFolder(folder: string, feed: Pick<FieldFeed, "name">, { cycle, index }: Part): string {
  return join(cycleFolder(folder, feed, cycle), String(index));
}

/** `20260101T06Z`: with minutes only where a cycle does not begin with an hour. */
export function cycleName(cycle: number): string {
  const [day, time] = formatInstant(cycle).replaceAll(/[-:]/g, "").split("T") as [string, string];
  return `${day}T${time.slice(2, 4) === "00" ? time.slice(0, 2) : time.slice(0, 4)}Z`;
}

export function cycleFolder(folder: string, feed: Pick<FieldFeed, "name">, cycle: number): string {
  return join(folder, PARTS, feed.name, cycleName(cycle));
}

/** Removes the parts of a cycle before a position; all of them if there is none. */
export async function removeParts(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  cycle: number,
  before = Number.POSITIVE_INFINITY,
): Promise<void> {
  const parts = cycleFolder(folder, feed, cycle);
  if (before === Number.POSITIVE_INFINITY) return rm(parts, { recursive: true, force: true });
  for (const name of await readdir(parts).catch(ifMissing([])))
    if (Number(name) < before) await rm(join(parts, name), { recursive: true, force: true });
}

/** Removes what was fetched for cycles that nobody goes on with. @param wanted Names of cycles: see `cycleName`. */
export async function removeOtherCycles(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const cycles = join(folder, PARTS, feed.name);
  for (const name of await readdir(cycles).catch(ifMissing([])))
    if (!wanted.has(name)) await rm(join(cycles, name), { recursive: true, force: true });
}
