import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { ifMissing, replaceFile, syncFolder } from "#server/platform/files.ts";
import type { Ready } from "./fetch-work.ts";

/** Says that a part is whole, and where it lies. */
interface Mark {
  /** What was wanted. */
  key: string;
  mirror: string;
  name: string;
  /** Its name before it was marked. */
  before: string;
  bytes: number;
  lacking?: readonly string[];
}

const MARK = "fetched.json";

/**
 * The part that is in a folder, if it is whole.
 *
 * @param key What is wanted. A part of something else is deleted.
 */
export async function completedPart(
  folder: string,
  key: string,
): Promise<(Pick<Mark, "mirror" | "bytes" | "lacking"> & { file: string }) | undefined> {
  const json = await readFile(path.join(folder, MARK), "utf8").catch(ifMissing(undefined));
  if (json === undefined) return undefined;
  const mark: Mark = JSON.parse(json);
  const file = path.join(folder, mark.name);
  if (mark.key !== key) {
    await rm(path.join(folder, MARK));
    await rm(file, { recursive: true, force: true });
    return undefined;
  }
  await nameIt(folder, mark);
  const found = await stat(file).catch(ifMissing(undefined));
  return found && { ...mark, file };
}

/** Makes a part durable, and gives it its name. All else that was fetched for it is deleted. */
export async function markComplete(
  folder: string,
  key: string,
  mirror: string,
  { name, path: before, bytes, lacking, settle }: Ready,
): Promise<void> {
  await settle();
  const mark: Mark = { key, mirror, name, before: path.basename(before), bytes, lacking };
  // Before it has its name: a process that is killed now finds it by the mark.
  await replaceFile(path.join(folder, MARK), JSON.stringify(mark));
  await nameIt(folder, mark);
  const rest = (await readdir(folder)).filter((entry) => entry !== MARK && entry !== name);
  for (const entry of rest) await rm(path.join(folder, entry), { recursive: true });
}

async function nameIt(folder: string, { name, before }: Mark): Promise<void> {
  await rename(path.join(folder, before), path.join(folder, name)).catch(ifMissing(undefined));
  await syncFolder(folder);
}
