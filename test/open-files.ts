import { readdirSync, readlinkSync } from "node:fs";

/** Files below a folder that this process has open. It works on Linux only; elsewhere the list is empty. */
export function openFilesBelow(folder: string): string[] {
  const files: string[] = [];
  for (const descriptor of process.platform === "linux" ? readdirSync("/proc/self/fd") : []) {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      if (file.startsWith(folder)) files.push(file);
    } catch (error) {
      // The file was closed meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return files;
}
