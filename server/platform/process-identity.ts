import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * When a process of this machine began, in a form of the machine's own: two processes that get the same number one
 * after the other differ in it, also across a restart of the machine.
 *
 * @returns undefined when there is no such process.
 */
export function processStart(pid: number): string | undefined {
  return process.platform === "linux" ? startFromProc(pid) : startFromPs(pid);
}

/** Names the space in which process numbers are unique: containers of one machine may share its name, not this. */
export function processSpace(): string {
  return process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "machine";
}

function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, second, is in parentheses and may hold any character; state is third, the start twenty-second.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const dead = fields[0] === "Z" || fields[0] === "X";
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return dead ? undefined : `${boot}:${fields[19]}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch (error) {
    // ps exits with 1 when it finds none.
    if ((error as { status?: number }).status === 1) return undefined;
    throw error;
  }
}

/** ESRCH: the process ended between opening and reading its file. */
function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ESRCH";
}
