import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Bytes of a file, whole or as they are made. */
type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

interface WriteOptions {
  signal?: AbortSignal;
  /** Permissions of the file. */
  mode?: number;
}

/** Writes a new file and waits until the disk has it. */
export async function writeSynced(
  path: string,
  content: Content,
  { signal, mode }: WriteOptions = {},
): Promise<void> {
  await using file = await open(path, "wx", mode);
  await file.writeFile(content, { signal });
  await file.sync();
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}

/** Makes the names in a folder and in all below it durable. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await syncTree(join(path, entry.name));
  await syncFolder(path);
}

/**
 * Writes a file in one step, in place of the one before it: a reader, and a machine that loses power, sees the old or the
 * new.
 *
 * @param draft Name in the same folder that the new one has until it is complete. Removed when writing fails.
 */
export async function replaceFile(
  path: string,
  draft: string,
  content: Content,
  options?: WriteOptions,
): Promise<void> {
  await rm(draft, { force: true });
  try {
    await writeSynced(draft, content, options);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Handles a rejected call where the file does not exist, or no longer: another process may delete it. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}

/** Names in a folder, which is created if absent. */
export async function namesIn(path: string): Promise<string[]> {
  await mkdir(path, { recursive: true });
  return readdir(path);
}

/** Whether a folder has every file of another with the same bytes. A file that is missing or unreadable is not the same. */
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
