import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file and waits until the disk has it. */
export async function writeSynced(path: string, bytes: Uint8Array | string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes the names in a folder and in all below it durable. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await syncTree(join(path, entry.name));
  await syncFolder(path);
}

/**
 * Puts a file in the place of another in one step: a reader, and a machine that loses power, sees the old or the new.
 *
 * @param next Name beside it that the new one has until then.
 */
export async function replaceFile(path: string, next: string, text: string): Promise<void> {
  await rm(next, { force: true });
  await writeSynced(next, text);
  await rename(next, path);
  await syncFolder(dirname(path));
}

/** Names in a folder, which is made where it is absent. */
export async function namesIn(path: string): Promise<string[]> {
  await mkdir(path, { recursive: true });
  return readdir(path);
}
