import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ifMissing } from "./files.ts";
import { commandLine, processSpace, processStart, processTag, stateOfProcess } from "./process-identity.ts";

const RETRY_MS = 100;
/** Heartbeats per `silenceMs`, after which a holder that cannot be looked up counts as dead. */
const BEATS = 6;

const holderSchema = z.object({
  token: z.string(),
  pid: z.int(),
  host: z.string(),
  /** The process space in which `pid` is valid; see processSpace. */
  space: z.string(),
  /** Start time, which distinguishes the process from a later one with the same number. */
  started: z.string(),
  command: z.string(),
});

type Holder = z.infer<typeof holderSchema>;

/** Another process has the lock. */
export class LockedError extends Error {
  override readonly name = "LockedError";
  /** Description of the process that has the lock, for people. */
  readonly holder: string;
  constructor(file: string, holder: string) {
    super(`${file} is held by ${holder}. Stop that process first.`);
    this.holder = holder;
  }
}

export interface Lock {
  /** @throws LockedError when another process has taken over, which is possible after a long suspension. */
  verify(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** Whether to wait for the holder to end, until `signal` aborts, instead of throwing LockedError. */
  wait?: boolean;
  signal?: AbortSignal;
  /** A holder in another container or on another machine counts as dead after this long without a heartbeat. */
  silenceMs: number;
}

/**
 * Takes a lock file for this process alone.
 *
 * The lock is a hard link to a file that is complete before it is linked, so exactly one of several processes gets it.
 * A holder in this process space is looked up by number and start time. Any other holder is judged by its heartbeat,
 * measured by the clock of the file system, which all machines that share it have in common.
 *
 * @throws LockedError
 */
export async function acquireLock(file: string, options: LockOptions): Promise<Lock> {
  const holder: Holder = {
    // The token names the process, because a process that is killed before it writes its claim leaves an empty file.
    token: `${processTag()}-${randomUUID()}`,
    pid: process.pid,
    host: os.hostname(),
    space: processSpace(),
    started: processStart(process.pid) ?? "",
    command: commandLine(),
  };
  const claim = `${file}.${holder.token}`;
  const handle = await open(claim, "wx", 0o600);
  try {
    await beat(handle, holder);
    while (!(await linkNew(claim, file))) {
      options.signal?.throwIfAborted();
      const outcome = await takeOver(file, claim, options.silenceMs);
      if (outcome === "taken") break;
      if (outcome === "retry") continue;
      if (!options.wait) throw new LockedError(file, describe(await readHolder(file)));
      await delay(RETRY_MS, undefined, { signal: options.signal });
      await beat(handle, holder);
    }
    await removeDeadClaims(file, claim, options.silenceMs);
  } catch (error) {
    await handle.close();
    throw error;
  } finally {
    await rm(claim, { force: true });
  }
  return heldLock(file, holder, handle, options.silenceMs);
}

function describe(holder: Partial<Holder> | undefined): string {
  if (holder?.pid === undefined) return "another process";
  return `process ${holder.pid} on ${holder.host} (${holder.command})`;
}

/** @param handle Open file of the lock itself: if another process takes over, its lock is another file. */
function heldLock(file: string, holder: Holder, handle: FileHandle, silenceMs: number): Lock {
  let beating = Promise.resolve();
  let released: Promise<void> | undefined;
  const heartbeat = setInterval(() => {
    // A failed write costs one heartbeat, since the disk may recover.
    beating = beating.then(() => beat(handle, holder)).catch(() => {});
  }, silenceMs / BEATS).unref();
  const release = async () => {
    clearInterval(heartbeat);
    await beating;
    await handle.close();
    if ((await readHolder(file))?.token === holder.token) await rm(file, { force: true });
  };
  return {
    async verify() {
      const now = await readHolder(file);
      if (now?.token !== holder.token) throw new LockedError(file, describe(now));
    },
    release() {
      released ??= release();
      return released;
    },
  };
}

/** Writes the same bytes again, so that the file system sets the modification time by its own clock. */
async function beat(handle: FileHandle, holder: Holder): Promise<void> {
  await handle.write(JSON.stringify(holder), 0);
}

/** Links a file to a new name and never replaces an existing one. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** @returns undefined when there is no lock; an empty object when the file is unreadable, as after a loss of power. */
async function readHolder(file: string): Promise<Partial<Holder> | undefined> {
  const text = await readFile(file, "utf8").catch(ifMissing(undefined));
  if (text === undefined) return undefined;
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Replaces the lock of a dead holder by the claim of this process. The lock file always exists meanwhile. Exactly one
 * process replaces it: the one that links its claim to a name made of the holder's token. If that process dies before
 * it finishes, it is succeeded in the same way.
 */
async function takeOver(
  file: string,
  claim: string,
  silenceMs: number,
): Promise<"taken" | "retry" | "locked"> {
  const found = await readHolder(file);
  let [dead, deadFile] = [found, file];
  while (dead !== undefined) {
    if (!(await isDead(dead, deadFile, claim, silenceMs))) return "locked";
    const succession = `${file}.${dead.token ?? "damaged"}.next`;
    if (await linkNew(claim, succession)) {
      try {
        // A faster process replaced the lock and then removed its succession file, so the holder has changed.
        const current = await readHolder(file);
        if (current === undefined || current.token !== found?.token) return "retry";
        await link(claim, `${claim}.new`);
        await rename(`${claim}.new`, file);
        return "taken";
      } finally {
        await rm(succession, { force: true });
      }
    }
    [dead, deadFile] = [await readHolder(succession), succession];
  }
  return "retry";
}

/** Removes claims of processes that were killed while they tried to take the lock. */
async function removeDeadClaims(file: string, claim: string, silenceMs: number): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder)) {
    const other = path.join(folder, name);
    if (!name.startsWith(`${path.basename(file)}.`) || other === claim) continue;
    const holder = await readHolder(other);
    if (!holder) continue;
    const isUnwritten = holder.pid === undefined;
    const hasEnded = isUnwritten && stateOfProcess(name.slice(path.basename(file).length + 1)) === "ended";
    if (hasEnded || (await isDead(holder, other, claim, silenceMs))) await rm(other, { force: true });
  }
}

async function isDead(
  holder: Partial<Holder>,
  file: string,
  claim: string,
  silenceMs: number,
): Promise<boolean> {
  if (holder.pid !== undefined && holder.space === processSpace()) {
    return processStart(holder.pid) !== holder.started;
  }
  const stats = await Promise.all([stat(file), stat(claim)]).catch(ifMissing(undefined));
  // The file was removed since it was read; the next attempt decides.
  if (!stats) return false;
  const [theirs, ours] = stats;
  return ours.mtimeMs - theirs.mtimeMs > silenceMs;
}
