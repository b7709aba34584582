import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { monotonicMs } from "./clock.ts";
import {
  type DirectoryLock,
  DirectoryLockedError,
  findHolder,
  type Holder,
  isVisible,
  lockDirectory,
  SILENCE_S,
} from "./directory-lock.ts";
import type { Migratable } from "./migrate.ts";
import { listenForClients } from "./pglite-bridge.ts";

/** The server stays and answers other processes; a command is short and works through the server where one runs. */
export type EmbeddedRole = "server" | "command";

export interface Embedded {
  migratable: Migratable;
  /** A server's: from now on other processes may use the database through this one. */
  share(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the PostgreSQL inside this process that keeps its files in `<dataDir>/db`.
 *
 * @returns The database; or, for a command, the folder of the socket at which the server answers.
 * @throws DirectoryLockedError when another process has it and does not share it.
 */
export async function openEmbedded(
  dataDir: string,
  role: EmbeddedRole,
): Promise<Embedded | { socketFolder: string }> {
  const directory = path.join(dataDir, "db");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const socketFolder = shortFolder(path.join(dataDir, "socket"));
  const begun = monotonicMs();
  for (;;) {
    try {
      const lock = lockDirectory(directory, { role, command: commandLine(), socket: socketFolder });
      return await open(directory, socketFolder, lock);
    } catch (error) {
      if (!(error instanceof DirectoryLockedError)) throw error;
      const shared = role === "command" ? error.holder.socket : undefined;
      if (shared !== undefined && error.holder.role === "server" && (await answers(shared))) {
        return { socketFolder: shared };
      }
      if (monotonicMs() - begun > patience(role, error.holder) * 1000) throw error;
    }
    await wait(100);
  }
}

/** The live process that has the embedded database, if any. */
export function embeddedHolder(dataDir: string): Holder | undefined {
  return findHolder(path.join(dataDir, "db"));
}

/** A server of its own would take 128 MiB for its pages; our rows are few, and the system caches their files too. */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];

/** PostgreSQL clients look for this name in the folder that they are given as host. */
const SOCKET_NAME = ".s.PGSQL.5432";

async function open(directory: string, socketFolder: string, lock: DirectoryLock): Promise<Embedded> {
  let bridge: { close(): Promise<void> } | undefined;
  try {
    const db = await openFiles(directory);
    return {
      migratable: {
        adapter: new PrismaPGlite(db),
        runScript: async (sql) => void (await db.exec(sql)),
        rows: async (sql) => (await db.query(sql)).rows,
      },
      async share() {
        bridge = await listen(db, socketFolder);
      },
      async close() {
        await bridge?.close();
        await db.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A database that was not whole when its process was killed would be taken for one for ever: it is made anew. */
async function openFiles(directory: string): Promise<PGlite> {
  const unfinished = `${directory}.unfinished`;
  if (existsSync(unfinished)) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { mode: 0o700 });
  } else if (!existsSync(path.join(directory, "PG_VERSION"))) writeFileSync(unfinished, "", { mode: 0o600 });
  const db = await PGlite.create({ dataDir: directory, startParams });
  if (existsSync(unfinished)) {
    rmSync(unfinished);
    // Or a loss of power could bring the marker back, and the next start would throw the database away.
    const folder = openSync(path.dirname(unfinished), "r");
    fsyncSync(folder);
    closeSync(folder);
  }
  return db;
}

async function listen(db: PGlite, folder: string): Promise<{ close(): Promise<void> }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    throw new Error(`${folder} must belong to this user alone, since it gives access to the database`);
  }
  const socket = path.join(folder, SOCKET_NAME);
  // Left by a server that was killed: the lock says that nobody listens there any more.
  rmSync(socket, { force: true });
  const bridge = await listenForClients(db, socket);
  chmodSync(socket, 0o600);
  return bridge;
}

/** Seconds to wait for a holder that is about to go: a command ends soon, one out of sight may be dead already. */
function patience(role: EmbeddedRole, holder: Holder): number {
  if (!isVisible(holder)) return SILENCE_S + 2;
  // A server that starts does not answer at once.
  return holder.role === "command" || role === "command" ? 10 : 0;
}

function answers(folder: string): Promise<boolean> {
  const file = path.join(folder, SOCKET_NAME);
  if (!existsSync(file)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(file);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** The path of a socket has at most 103 bytes on some systems, so a deep data directory has it in the temporary one. */
function shortFolder(folder: string): string {
  if (Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= 100) return folder;
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return path.join(os.tmpdir(), `metocean-${process.getuid?.() ?? "user"}-${name}`);
}

/** What runs, without its options: they may be personal. */
function commandLine(): string {
  const words = process.argv.slice(2).filter((word) => /^[a-z]+$/.test(word));
  return [path.basename(process.argv[1] ?? "node"), ...words.slice(0, 2)].join(" ");
}
