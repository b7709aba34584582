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

/** Whether a folder holds every file of another, byte by byte. A file of it that is gone or cannot be read is not the same. */
export async function holdsSameFiles(folder: string, wanted: string): Promise<boolean> {
  for (const entry of await readdir(wanted, { withFileTypes: true })) {
    const same = entry.isDirectory() ? holdsSameFiles : isSameFile;
    if (!(await same(join(folder, entry.name), join(wanted, entry.name)))) return false;
  }
  return true;
}

const COMPARED_AT_ONCE = 2 ** 20;

async function isSameFile(path: string, wanted: string): Promise<boolean> {
  await using expected = await open(wanted, "r");
  try {
    await using found = await open(path, "r");
    if ((await found.stat()).size !== (await expected.stat()).size) return false;
    const [a, b] = [Buffer.alloc(COMPARED_AT_ONCE), Buffer.alloc(COMPARED_AT_ONCE)];
    for (;;) {
      const { bytesRead } = await expected.read(a);
      if (bytesRead === 0) return true;
      await found.read(b, 0, bytesRead);
      if (!a.subarray(0, bytesRead).equals(b.subarray(0, bytesRead))) return false;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code && ["ENOENT", "ENOTDIR", "EISDIR", "EIO", "EACCES"].includes(code)) return false;
    throw error;
  }
}
