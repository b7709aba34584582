import { randomUUID } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { realClock } from "./clock.ts";
import { processSpace, processStart } from "./process-identity.ts";

const holderSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** Within which process numbers mean the same: a machine, or one container on it. */
  processes: z.string(),
  /** Tells this process from a later one with the same number. */
  started: z.string(),
  since: z.string(),
  /** What runs, for people. */
  command: z.string(),
  role: z.enum(["server", "command"]),
  /** Where the holder answers other processes. */
  socket: z.string().optional(),
  released: z.boolean(),
});

/** Who has a directory. */
export type Holder = z.infer<typeof holderSchema>;

export class DirectoryLockedError extends Error {
  override readonly name = "DirectoryLockedError";
  readonly holder: Holder;
  constructor(directory: string, holder: Holder) {
    super(
      `${directory} is in use by process ${holder.pid} on ${holder.host} (${holder.command}, since ${holder.since}). ` +
        "Stop it first, or give this one another DATA_DIR.",
    );
    this.holder = holder;
  }
}

/** Thrown from a timer, to end a process that no longer may write. */
export class LockLostError extends Error {
  override readonly name = "LockLostError";
  constructor(file: string, options?: ErrorOptions) {
    super(`${file} was taken away: another process may write where this one does`, options);
  }
}

export interface DirectoryLock {
  release(): void;
}

export interface Claim {
  role: Holder["role"];
  command: string;
  socket?: string;
}

/**
 * Takes a directory for this process alone.
 *
 * Claims are numbered files in `<directory>.lock`; the highest number has the directory, as long as its process lives.
 * A claim is made by creating the next number, which the file system grants to one process only, so of several that
 * find a dead holder exactly one takes over. Numbers are never given back: a released claim stays, marked.
 *
 * @throws DirectoryLockedError naming the process that has it.
 */
export function lockDirectory(directory: string, claim: Claim): DirectoryLock {
  const folder = lockFolder(directory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const last = newest(folder);
    const holder = last > 0 ? readHolder(folder, last) : undefined;
    if (holder && isAlive(folder, last, holder)) throw new DirectoryLockedError(directory, holder);
    const mine = last + 1;
    if (!create(folder, mine, describe(claim))) continue;
    // Somebody may have taken, given back and cleared this very number since it was looked up.
    if (newest(folder) !== mine) {
      rmSync(path.join(folder, String(mine)));
      continue;
    }
    for (const old of numbers(folder))
      if (old < mine) rmSync(path.join(folder, String(old)), { force: true });
    return hold(folder, mine, describe(claim));
  }
}

/** The live process that has a directory, if any. */
export function findHolder(directory: string): Holder | undefined {
  const folder = lockFolder(directory);
  const last = newest(folder);
  const holder = last > 0 ? readHolder(folder, last) : undefined;
  return holder && isAlive(folder, last, holder) ? holder : undefined;
}

/** A claim from another machine, or another container, is judged by its heartbeat alone; seconds. */
const HEARTBEAT_S = 2;
export const SILENCE_S = 15;

/** Whether the holder's process can be looked up from here. */
export function isVisible(holder: Holder): boolean {
  return holder.host === os.hostname() && holder.processes === processSpace();
}

function lockFolder(directory: string): string {
  return `${directory}.lock`;
}

function describe(claim: Claim): Holder {
  const started = processStart(process.pid);
  if (started === undefined) throw new Error(`Process ${process.pid} cannot find itself`);
  return {
    pid: process.pid,
    host: os.hostname(),
    processes: processSpace(),
    started,
    since: new Date(realClock.now() * 1000).toISOString(),
    ...claim,
    released: false,
  };
}

/** Creates a claim whole or not at all. */
function create(folder: string, number: number, holder: Holder): boolean {
  const draft = path.join(folder, `draft-${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(holder, null, 2), { mode: 0o600 });
  try {
    linkSync(draft, path.join(folder, String(number)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

function hold(folder: string, number: number, holder: Holder): DirectoryLock {
  const file = path.join(folder, String(number));
  const heartbeat = setInterval(() => {
    const now = realClock.now();
    try {
      utimesSync(file, now, now);
    } catch (error) {
      throw new LockLostError(file, { cause: error });
    }
  }, HEARTBEAT_S * 1000).unref();
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      clearInterval(heartbeat);
      if (!existsSync(file)) return;
      const draft = path.join(folder, `draft-${randomUUID()}`);
      writeFileSync(draft, JSON.stringify({ ...holder, released: true }, null, 2), { mode: 0o600 });
      renameSync(draft, file);
    },
  };
}

function numbers(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function newest(folder: string): number {
  return Math.max(0, ...numbers(folder));
}

/** @returns undefined when the claim was cleared by a newer one meanwhile. */
function readHolder(folder: string, number: number): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path.join(folder, String(number)), "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${path.join(folder, String(number))} is damaged; remove it when nothing runs here`, {
      cause: error,
    });
  }
}

function isAlive(folder: string, number: number, holder: Holder): boolean {
  if (holder.released) return false;
  if (isVisible(holder)) return processStart(holder.pid) === holder.started;
  const beat = statSync(path.join(folder, String(number)), { throwIfNoEntry: false });
  return beat !== undefined && realClock.now() - beat.mtimeMs / 1000 < SILENCE_S;
}
