import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { realClock } from "./clock.ts";
import { ifMissing } from "./files.ts";
import { stateOfProcess } from "./process-identity.ts";

/** A draft of another container, machine or boot is abandoned when nothing was written to it for this long, seconds. */
const ABANDONED_S = 3600;

const DRAFT = /\.([^.]+)-[0-9a-f]{8}\.draft$/;

/** Whether a name is one that `files.ts` gives to a file that is not complete yet. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name);
}

/**
 * Removes the drafts of processes that were killed while they wrote. Those of living processes stay.
 *
 * @param folder Does nothing where it does not exist.
 * @param recursive Also in the folders below it.
 */
export async function sweepDrafts(folder: string, { recursive = false } = {}): Promise<void> {
  for (const name of await readdir(folder, { recursive }).catch(ifMissing([]))) {
    const writer = DRAFT.exec(name)?.[1];
    const file = path.join(folder, name);
    if (writer !== undefined && (await isAbandoned(file, writer))) await rm(file, { force: true });
  }
}

async function isAbandoned(file: string, writer: string): Promise<boolean> {
  const state = stateOfProcess(writer);
  if (state !== "unknown") return state === "ended";
  const found = await stat(file).catch(ifMissing(undefined));
  return found !== undefined && realClock.now() - found.mtimeMs / 1000 > ABANDONED_S;
}
