import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DecodeError, type Decoder } from "./decoder.ts";
import type { FieldRecord, Rejection } from "./record.ts";

/** Files that accompany data files: indices, notes, checksums. */
const accompanying = /(^\.)|\.(idx|index|md|txt|json|xml|html|md5|sha256|py|log)$/i;

/** What the folder of a Zarr store has, of version 2 or 3. */
const zarrMarks = [".zmetadata", ".zgroup", ".zarray", "zarr.json"];

export class NothingToReadError extends Error {
  override readonly name = "NothingToReadError";
}

export interface Inventory {
  files: string[];
  records: FieldRecord[];
  rejected: Rejection[];
  messages: number;
}

/**
 * The data files at a path: the file itself, or all files of a directory and below, sorted by their paths. A directory
 * that is a Zarr store counts as one file.
 *
 * @throws NothingToReadError if there is none.
 */
export async function dataFiles(from: string): Promise<string[]> {
  const found = await stat(from).catch((cause: unknown) => {
    throw new NothingToReadError(`There is no file or directory ${from}`, { cause });
  });
  // Reading a pipe or a device may never end.
  if (!found.isDirectory() && !found.isFile()) {
    throw new NothingToReadError(`${from} is neither a file nor a directory`);
  }
  if (found.isFile()) return [from];
  const files: string[] = [];
  await addFiles(from, files);
  files.sort();
  if (files.length === 0) throw new NothingToReadError(`The directory ${from} holds no data files`);
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

/** Whether a link leads to a file. A dangling link counts: the scan then reports it. */
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
  const inventory: Inventory = { files: [...files], records: [], rejected: [], messages: 0 };
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
