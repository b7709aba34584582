import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path, { join } from "node:path";
import { z } from "zod";
import { formatInstant } from "#lib/time.ts";
import { FetchError, printable, RefusedError } from "#server/platform/fetching/errors.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import type { PartialFile } from "#server/platform/fetching/partial-file.ts";
import { createFile, ifMissing, readJson, replaceFile, syncFolder } from "#server/platform/files.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import type { FieldFeed, Part, Profile } from "./field-feed.ts";

/**
 * The data arrived completely but is not the wanted one: it has another time, does not match the index, or the index
 * lacks it.
 */
export class UnsuitableDataError extends Error {
  override readonly name: string = "UnsuitableDataError";
}

export class DamagedMessagesError extends UnsuitableDataError {
  override readonly name = "DamagedMessagesError";
  /** Wanted messages that are damaged, described in words. */
  readonly lacking: readonly string[];
  constructor(reason: string, lacking: readonly string[]) {
    super(reason);
    this.lacking = lacking;
  }
}

export interface MirrorFailure {
  mirror: string;
  error: Error;
}

/** A mirror has a part, but not all wanted content of it. */
export class LackingError extends Error {
  override readonly name = "LackingError";
  /** Wanted content that it lacks, described in words. */
  readonly lacking: readonly string[];

  /** @param cause Why some of it could not be used, where it is not simply absent. */
  constructor(where: string, lacking: readonly string[], cause?: Error) {
    super(`${where} lacks ${lacking.join(", ")}${cause ? ` (${cause.message})` : ""}`, { cause });
    this.lacking = lacking;
  }
}

/** No mirror provided a part. The message gives the operator the reason for each mirror. */
export class PartFailedError extends Error {
  override readonly name: string = "PartFailedError";
  /** Bytes that arrived nevertheless. */
  readonly bytesFetched: number;

  /** @param absentAt Names of mirrors that do not have the part. */
  constructor(failures: readonly MirrorFailure[], absentAt: readonly string[], bytesFetched: number) {
    const reasons = failures.map(({ mirror, error }) => `${mirror}: ${error.message}`);
    const absences = absentAt.map((mirror) => `${mirror}: not published yet`);
    super(printable([...reasons, ...absences].join("; ")), { cause: failures[0]?.error });
    this.bytesFetched = bytesFetched;
  }
}

/** Every mirror lacks members of a part, some of them because of a fault. The part is awaited like one that is absent. */
export class AwaitedMembersError extends PartFailedError {
  override readonly name = "AwaitedMembersError";
}

/**
 * Whether a failure is the mirror's, so that the next one may succeed. Others, such as a full disk, are this machine's.
 */
export function isOfMirror(error: unknown): error is Error {
  return error instanceof FetchError || error instanceof LackingError || error instanceof UnsuitableDataError;
}

/**
 * Whether a host answered 403, as some do for objects that they do not have. Another refusal, such as 401, says nothing about
 * the object.
 */
export function isForbidden(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 403;
}

/** Dependencies and counters of a fetch of a part from one mirror. */
export interface FetchWork {
  fetcher: Fetcher;
  /** An existing folder for this part alone. */
  folder: string;
  signal: AbortSignal;
  /** Whether a part that lacks some of the wanted content is accepted. */
  takesIncomplete: boolean;
  count: {
    fetched: number;
  };
}

/** A part that is complete and checked. */
export interface Ready {
  /** Final name in the part's folder. */
  name: string;
  /** Path of the file or folder until it gets its final name. */
  path: string;
  /** Wanted content that the part lacks. */
  lacking?: readonly string[];
  /** Waits until the data is on disk, and closes it. */
  settle(): Promise<void>;
}

export function readyFile(file: PartialFile, name: string): Ready {
  return {
    name,
    path: file.path,
    async settle() {
      await using settled = file;
      await settled.sync();
    },
  };
}

/** File name for an address, so that objects of several mirrors do not collide. */
export function nameOf(url: string, folder: string, suffix: string): string {
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return path.join(folder, `${digest}.${suffix}`);
}

/** Records that a part is complete, and where it lies. */
interface Mark {
  key: string;
  mirror: string;
  name: string;
  /** Name of the file before it was marked; absent once it certainly has its final name. */
  before?: string;
  lacking?: readonly string[];
}

const MARK = "fetched.json";

/**
 * Returns the part in a folder, if it is complete.
 *
 * @param key Key of the wanted content. A part with other content is deleted.
 */
export async function completedPart(
  folder: string,
  key: string,
): Promise<(Pick<Mark, "mirror" | "lacking"> & { file: string }) | undefined> {
  const json = await readFile(path.join(folder, MARK), "utf8").catch(ifMissing(undefined));
  if (json === undefined) return undefined;
  const mark: Mark = JSON.parse(json);
  const file = path.join(folder, mark.name);
  if (mark.key !== key) {
    await rm(path.join(folder, MARK));
    await rm(file, { recursive: true, force: true });
    return undefined;
  }
  const { before, ...named } = mark;
  if (before !== undefined) {
    await nameIt(folder, before, mark.name);
    // A later attempt writes under the earlier name, and its incomplete file must not take the place of this one.
    await replaceFile(path.join(folder, MARK), JSON.stringify(named satisfies Mark));
  }
  const found = await stat(file).catch(ifMissing(undefined));
  return found && { ...mark, file };
}

/** Makes a part durable and gives it its final name. Everything else that was fetched for it is deleted. */
export async function markComplete(
  folder: string,
  key: string,
  mirror: string,
  { name, path: readyPath, lacking, settle }: Ready,
): Promise<void> {
  await settle();
  const before = path.basename(readyPath);
  const mark: Mark = { key, mirror, name, before, lacking };
  // The mark comes before the final name, so that it leads to the file after a kill in between.
  await replaceFile(path.join(folder, MARK), JSON.stringify(mark));
  await nameIt(folder, before, name);
  const rest = (await readdir(folder)).filter((entry) => entry !== MARK && entry !== name);
  for (const entry of rest) await rm(path.join(folder, entry), { recursive: true });
}

async function nameIt(folder: string, before: string, name: string): Promise<void> {
  const [from, to] = [path.join(folder, before), path.join(folder, name)];
  const unnamed = await stat(from).catch(ifMissing(undefined));
  // A folder cannot be renamed to one that has files.
  if (unnamed?.isDirectory()) await rm(to, { recursive: true, force: true });
  if (unnamed) await rename(from, to);
  await syncFolder(folder);
}

/** Name of the folder of parts in DATA_DIR/feeds. */
const PARTS = "parts";

/** Folder of the files of one part until its steps are published. */
export function partFolder(folder: string, feed: Pick<FieldFeed, "name">, { cycle, index }: Part): string {
  return join(cycleFolder(folder, feed, cycle), String(index));
}

/** Base time as a folder name, `20260101T06Z`, with minutes only where a cycle does not begin with an hour. */
export function cycleName(cycle: number): string {
  const [day, time] = formatInstant(cycle).replaceAll(/[-:]/g, "").split("T") as [string, string];
  return `${day}T${time.slice(2, 4) === "00" ? time.slice(0, 2) : time.slice(0, 4)}Z`;
}

function cycleFolder(folder: string, feed: Pick<FieldFeed, "name">, cycle: number): string {
  return join(folder, PARTS, feed.name, cycleName(cycle));
}

/** Name of the file in the folder of a cycle that says under which names its parts are fetched; see `claimNames`. */
export const NAMES_FILE = "names.json";

/**
 * Returns under which of a feed's names the parts of a cycle are fetched; undefined before the first one is there.
 *
 * @param folder Folder of one of its parts.
 */
export function claimedNames(folder: string): Promise<number | undefined> {
  return readJson(join(path.dirname(folder), NAMES_FILE), z.int().nonnegative(), undefined);
}

/**
 * Records under which of a feed's names the first part of a cycle has come. Two versions of a model may be published at
 * once, and a forecast must not be a mixture of both.
 *
 * @param folder Folder of the part.
 * @returns The names of the cycle, which are others where a part that came before has those.
 */
export async function claimNames(folder: string, claimed: number): Promise<number> {
  const known = await claimedNames(folder);
  if (known !== undefined) return known;
  await createFile(join(path.dirname(folder), NAMES_FILE), JSON.stringify(claimed));
  return (await claimedNames(folder)) ?? claimed;
}

/**
 * Bytes that the files of some parts will take on the disk besides those that are there already, by the estimate for a
 * part.
 */
export async function bytesToFetch(
  folder: string,
  feed: Pick<FieldFeed, "name" | "partBytes">,
  profile: Profile,
  parts: readonly Part[],
): Promise<number> {
  let left = parts.length * feed.partBytes(profile);
  for (const part of parts)
    for await (const { bytes } of folderBlobStore(partFolder(folder, feed, part)).list()) left -= bytes;
  return Math.max(0, left);
}

/** Removes the parts of a cycle before a position, or all of them without one. Under which names they came is kept. */
export async function removeParts(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  cycle: number,
  before = Number.POSITIVE_INFINITY,
): Promise<void> {
  const parts = cycleFolder(folder, feed, cycle);
  const there = await readdir(parts).catch(ifMissing([] as string[]));
  if (before === Number.POSITIVE_INFINITY && !there.includes(NAMES_FILE))
    return rm(parts, { recursive: true, force: true });
  for (const name of there)
    if (Number(name) < before) await rm(join(parts, name), { recursive: true, force: true });
}

/** Removes parts of cycles that are no longer continued. @param wanted Names of cycles; see `cycleName`. */
export async function removeOtherCycles(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const cycles = join(folder, PARTS, feed.name);
  for (const name of await readdir(cycles).catch(ifMissing([])))
    if (!wanted.has(name)) await rm(join(cycles, name), { recursive: true, force: true });
}
