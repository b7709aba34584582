import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { formatInstant } from "#lib/time.ts";
import { ifMissing, makeFolder, readJson, writeJson } from "#server/platform/files.ts";
import type { FieldFeed, Part } from "./field-feed.ts";
import { cycleName, partFolder } from "./part-files.ts";

/** A feed's oldest go first: what is wrong with a feed is seen in a few files. */
const MAX_OF_FEED = 8;

const REASON = "reason.json";

const reasonSchema = z.object({ feed: z.string(), part: z.string(), reason: z.string(), at: z.string() });

/** A part that was not published, and why. */
export type Quarantined = z.infer<typeof reasonSchema> & { folder: string };

/**
 * Moves the files of a part to the quarantine, with the reason.
 *
 * @param folder DATA_DIR/feeds.
 * @param now Unix seconds.
 */
export async function quarantine(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  part: Part,
  reason: string,
  now: number,
): Promise<void> {
  const ofFeed = join(folder, "quarantine", feed.name);
  const stamp = formatInstant(now).replaceAll(/[-:]/g, "");
  const name = `${stamp}-${cycleName(part.cycle)}-${part.index}`;
  const target = join(ofFeed, name);
  await makeFolder(ofFeed);
  await rm(target, { recursive: true, force: true });
  await rename(partFolder(folder, feed, part), target).catch(ifMissing(undefined));
  const described = `${formatInstant(part.cycle)}, part ${part.index} (${part.times.map(formatInstant).join(", ")})`;
  const about = { feed: feed.name, part: described, reason, at: formatInstant(now) };
  await writeJson(join(target, REASON), about);
  const all = (await readdir(ofFeed)).sort();
  for (const old of all.slice(0, -MAX_OF_FEED)) await rm(join(ofFeed, old), { recursive: true, force: true });
}

/** What is in quarantine, of one feed or of all, the newest last. @param folder DATA_DIR/feeds. */
export async function quarantined(folder: string, feed?: string): Promise<Quarantined[]> {
  const root = join(folder, "quarantine");
  const found: Quarantined[] = [];
  for (const name of feed === undefined ? await readdir(root).catch(ifMissing([])) : [feed]) {
    for (const entry of (await readdir(join(root, name)).catch(ifMissing([]))).sort()) {
      const at = join(root, name, entry);
      const about = await readJson(join(at, REASON), reasonSchema, undefined);
      if (about) found.push({ ...about, folder: at });
    }
  }
  return found;
}
