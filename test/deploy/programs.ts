import { spawnSync } from "node:child_process";

/** Whether a program is installed, even if PATH lacks the folders of root's programs. */
export function hasProgram(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`], { env: environment() }).status === 0;
}

export function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}
