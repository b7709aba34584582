import { lstat, readlink, stat } from "node:fs/promises";
import path from "node:path";
import { ConfigError } from "./env.ts";
import { makeFolder, tryFolder } from "./files.ts";

/**
 * Creates the folder of a setting and tries there what the service does with files, so that a problem is reported at
 * the start and precisely.
 *
 * @param setting Name of the setting with its value, as the operator can change it.
 * @throws ConfigError
 */
export async function prepareFolder(folder: string, setting: string, mode?: number): Promise<void> {
  try {
    await makeFolder(folder, mode);
    await tryFolder(folder);
  } catch (error) {
    throw await cannotBeUsed(folder, setting, error as NodeJS.ErrnoException);
  }
}

/**
 * Creates an error that says why a folder cannot be used. It has no cause, because its sentence is all that an operator
 * needs.
 */
export async function cannotBeUsed(
  folder: string,
  setting: string,
  error: NodeJS.ErrnoException,
): Promise<ConfigError> {
  return new ConfigError(`${setting} cannot be used: ${await reasonOf(error, folder)}.`);
}

/** @param error Error of a file system call. @returns A sentence without its full stop. */
async function reasonOf(error: NodeJS.ErrnoException, folder: string): Promise<string> {
  const at = error.path ?? folder;
  switch (error.code) {
    case "EROFS":
      return `the file system of ${folder} is read-only`;
    case "ENOSPC":
      return `the disk of ${folder} is full`;
    case "EDQUOT":
      return `the quota of the disk of ${folder} is used up`;
    case "ENAMETOOLONG":
      return "its path is longer than this system allows";
    case "ELOOP":
      return `${at} leads through a link that leads back to itself`;
    case "ENOTSUP":
    case "ENOSYS":
      return `the file system of ${folder} has no hard links, which locks are made of`;
    case "EACCES":
    case "EPERM":
      return ownerOf(at);
    case "EEXIST":
    case "ENOTDIR":
    case "ENOENT":
      return obstacleIn(at);
    default:
      return error.message;
  }
}

/** Names the obstacle on a path: a broken link, a file, or a folder in which no folder can be created. */
async function obstacleIn(at: string): Promise<string> {
  for (let part = at; ; part = path.dirname(part)) {
    const found = await lstat(part).catch(() => undefined);
    if (found === undefined) continue;
    if (found.isSymbolicLink()) {
      const target = await stat(part).catch((error: NodeJS.ErrnoException) => error);
      if (target instanceof Error && target.code === "ELOOP")
        return `${part} is a link that leads back to itself`;
      if (target instanceof Error)
        return `${part} is a link to ${await readlink(part)}, which does not exist`;
      if (!target.isDirectory()) return `${part} is a link to ${await readlink(part)}, which is not a folder`;
    } else if (!found.isDirectory()) return `${part} is not a folder`;
    return `the system creates nothing in ${part}`;
  }
}

/** Names the owner and mode of the nearest existing folder of a path, and the user of this process. */
async function ownerOf(at: string): Promise<string> {
  for (let part = at; ; part = path.dirname(part)) {
    const found = await stat(part).catch(() => undefined);
    if (!found?.isDirectory()) {
      if (part !== path.dirname(part)) continue;
      return `the system refuses access to ${at}`;
    }
    const own = process.getuid?.();
    if (own === undefined || own === found.uid || own === 0) return `the system refuses to write in ${part}`;
    const mode = (found.mode & 0o777).toString(8);
    return `${part} belongs to user ${found.uid} (mode ${mode}), and the service runs as user ${own}`;
  }
}
