import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { link, mkdir, open, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import path, { dirname, join } from "node:path";
import type { z } from "zod";
import { realClock } from "./clock.ts";
import { processTag, stateOfProcess } from "./process-identity.ts";

// Everything that must survive a loss of power is written here: a file gets a draft name, is synced and renamed, and
// its folder is synced; for a new folder the parent is synced. docs/decisions/0021-durability.md names what is written
// elsewhere, and why.

/** Bytes of a file, complete or as they are produced. */
type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

interface WriteOptions {
  signal?: AbortSignal;
  /** Permissions of the file. */
  mode?: number;
}

/** Writes a new file and waits until its bytes are on disk. Its name is durable when its folder is synced. */
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
  // Windows can neither open nor sync a folder.
  if (process.platform === "win32") return;
  await using folder = await open(path, "r");
  await folder.sync();
}

/** Makes the names in a folder and in all folders below it durable. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await syncTree(join(path, entry.name));
  await syncFolder(path);
}

/** Creates a folder and its missing parents, and waits until their names are on disk. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const first = await makeFolders(path, mode);
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    await syncFolder(dirname(folder));
}

/**
 * Creates a folder and its missing parents. `mkdir` with `recursive` is not used: it never returns where an existing
 * parent accepts no folders, such as /proc, and it cannot be aborted.
 *
 * @returns The first folder that was created, if any.
 */
async function makeFolders(path: string, mode: number | undefined): Promise<string | undefined> {
  if (await makeOne(path, mode, ["ENOENT"])) return path;
  if (await isFolder(path)) return undefined;
  const first = await makeFolders(dirname(path), mode);
  // Another process may create it meanwhile.
  return (await makeOne(path, mode, [])) ? (first ?? path) : first;
}

/** @returns Whether this call created the folder; false where it exists or for one of the given error codes. */
async function makeOne(
  path: string,
  mode: number | undefined,
  expected: readonly string[],
): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? "") || (await isFolder(path)))
      return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Size of the trial file, bytes: too large to be stored inside the directory entry. */
const TRIAL_BYTES = 16_384;

/** Checks that a folder allows what the service does with files: writing, syncing, linking, renaming and removing. */
export async function tryFolder(folder: string): Promise<void> {
  const draft = draftOf(join(folder, "trial"));
  const linked = draftOf(join(folder, "trial"));
  try {
    await writeSynced(draft, new Uint8Array(TRIAL_BYTES));
    await link(draft, linked);
    await rename(linked, draft);
  } finally {
    for (const file of [draft, linked]) await rm(file, { force: true }).catch(() => {});
  }
}

/**
 * Replaces a file in one step: a reader, or a machine that loses power, sees the old or the new content. A failed write
 * leaves nothing behind.
 */
export async function replaceFile(path: string, content: Content, options?: WriteOptions): Promise<void> {
  const draft = draftOf(path);
  try {
    await writeSynced(draft, content, options);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Does the same as `replaceFile` synchronously. */
export function replaceFileSync(path: string, pieces: Iterable<Uint8Array>): void {
  const draft = draftOf(path);
  try {
    writePieces(draft, pieces);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (process.platform !== "win32") withDescriptor(dirname(path), "r", fsyncSync);
}

/**
 * Creates a file in one step unless it exists. When several processes call this at the same time, one creates it.
 *
 * @returns Whether this call created it.
 */
export async function createFile(path: string, content: string, options?: WriteOptions): Promise<boolean> {
  const draft = draftOf(path);
  try {
    await writeSynced(draft, content, options);
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
    // The folder is synced even if another process created the file, because that process may not have synced it yet.
    await syncFolder(dirname(path));
  }
}

/** A new name for an incomplete file. `sweepDrafts` removes the file if its writer was killed. */
function draftOf(path: string): string {
  return `${path}.${processTag()}-${randomBytes(4).toString("hex")}.draft`;
}

function writePieces(path: string, pieces: Iterable<Uint8Array>): void {
  withDescriptor(path, "wx", (file) => {
    for (const bytes of pieces) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  });
}

function withDescriptor(path: string, flags: string, use: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}

/** Free bytes for this process on the disk of an existing folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Returns a handler that replaces the error of a missing file by a value; another process may delete files at any time.
 */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}

/** Names in a folder, which is created if absent. */
export async function namesIn(path: string): Promise<string[]> {
  await makeFolder(path);
  return readdir(path);
}

/**
 * Whether a folder contains every file of another with the same bytes. A missing or unreadable file counts as
 * different.
 */
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

/** A draft of another container, machine or boot is abandoned when nothing was written to it for this long, seconds. */
const ABANDONED_S = 3600;

const DRAFT = /\.([^.]+)-[0-9a-f]{8}\.draft$/;

/** Whether a file name is that of an incomplete file. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name);
}

/**
 * Removes the drafts of processes that were killed while writing. Drafts of running processes stay.
 *
 * @param folder Need not exist.
 * @param recursive Whether folders below it are swept too.
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

/** Reads and validates a JSON file. Returns `instead` where it is missing, damaged or written by another version. */
export async function readJson<T, Other>(
  path: string,
  schema: z.ZodType<T>,
  instead: Other,
): Promise<T | Other> {
  const text = await readFile(path, "utf8").catch(ifMissing(undefined));
  if (text === undefined) return instead;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return instead;
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : instead;
}

/** Replaces a JSON file durably; its folder is created if absent. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await makeFolder(dirname(path));
  await replaceFile(path, `${JSON.stringify(value)}\n`);
}
