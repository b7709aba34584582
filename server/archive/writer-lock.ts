import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type FileHandle, link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ArchiveBusyError } from "./errors.ts";

const LOCK = "writer.lock";
const RETRY_MS = 200;
const HEARTBEAT_MS = 5_000;
/** A holder on another machine (or in another container) that has not shown itself for so long is gone. */
const SILENT_MS = 60_000;

interface Holder {
  token: string;
  pid: number;
  host: string;
  /** When the process began, in the system's own words: a number may be given to another process. */
  began: string;
}

/** The right to write to an archive. */
export interface WriterLock {
  /** Throws `ArchiveBusyError` when another writer has taken over, which a writer that slept for long may meet. */
  verify(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the right to write to an archive; one process has it at a time. A dead holder does not block: neither one that
 * was killed, nor one whose number a new process has.
 *
 * @param wait Waits for the holder to end, until `signal` aborts, instead of throwing `ArchiveBusyError`.
 */
export async function lockForWriting(root: string, wait: boolean, signal?: AbortSignal): Promise<WriterLock> {
  const path = join(root, LOCK);
  const token = randomUUID();
  const mine = join(root, `${claimPrefix()}${process.pid}.${token}`);
  const began = beginning(process.pid) ?? "";
  const holder: Holder = { token, pid: process.pid, host: hostname(), began };
  const file = await open(mine, "wx");
  try {
    await show(file, holder);
    while (!(await claim(mine, path))) {
      signal?.throwIfAborted();
      const other = await readHolder(path);
      if (!other || (await removeIfDead(other, path, mine))) continue;
      if (!wait) throw new ArchiveBusyError(`process ${other.pid} on ${other.host}`);
      await delay(RETRY_MS, undefined, { signal });
      await show(file, holder);
    }
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    await rm(mine, { force: true });
  }
  return heldLock(path, holder, file);
}

/** Files of this machine's processes that want the lock are named by machine and process. */
const claimPrefix = () => `${LOCK}.${hostname()}.`;

/** Whether a file is what a process of this machine left that died while it took the lock. */
export function isDeadClaim(name: string): boolean {
  if (!name.startsWith(claimPrefix())) return false;
  return beginning(Number.parseInt(name.slice(claimPrefix().length), 10)) === undefined;
}

/** A link is made with its content or not at all, and never over another. */
async function claim(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** @param file The lock, by whatever name it has: another holder's lock is another file. */
function heldLock(path: string, holder: Holder, file: FileHandle): WriterLock {
  let shown = Promise.resolve();
  const heartbeat = setInterval(() => {
    shown = shown.then(() => show(file, holder));
  }, HEARTBEAT_MS).unref();
  return {
    async verify() {
      const now = await readHolder(path);
      if (now?.token !== holder.token)
        throw new ArchiveBusyError(now ? `process ${now.pid} on ${now.host}` : "another process");
    },
    async release() {
      clearInterval(heartbeat);
      await shown;
      await file.close();
      if ((await readHolder(path))?.token === holder.token) await rm(path, { force: true });
    },
  };
}

/** Writes the same words again: the file system's clock then says that the holder lives. */
async function show(file: FileHandle, holder: Holder): Promise<void> {
  await file.write(JSON.stringify(holder), 0);
}

/** undefined where the lock has just been released. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function removeIfDead(holder: Holder, path: string, mine: string): Promise<boolean> {
  if (holder.host === hostname() ? beginning(holder.pid) === holder.began : !(await isSilent(path, mine)))
    return false;
  // Another process may have removed it and locked by now: what is moved away is looked at again.
  const aside = `${mine}.dead`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
  if ((await readHolder(aside))?.token !== holder.token) await claim(aside, path);
  await rm(aside, { force: true });
  return true;
}

/** Both ages are told by the file system's clock, which all machines that share it have in common. */
async function isSilent(path: string, mine: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([stat(path), stat(mine)]);
  return ours.mtimeMs - theirs.mtimeMs > SILENT_MS;
}

/** When a living process began; undefined where there is none of that number. */
function beginning(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return undefined;
  }
  try {
    // Field 22, counted after the name, which may hold spaces and brackets.
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, ...others] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    // A killed child that nobody has waited for yet is dead all the same.
    return state === "Z" ? undefined : others[18];
  } catch (error) {
    // Not Linux, or gone this moment: the number has to do.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
