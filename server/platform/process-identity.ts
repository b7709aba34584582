import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Start time of a process on this machine, in the system's own form. It distinguishes two processes that get the same
 * number one after the other.
 *
 * @returns undefined when there is no such process.
 */
export function processStart(pid: number): string | undefined {
  return process.platform === "linux" ? startFromProc(pid) : startFromPs(pid);
}

/**
 * Identifies the space in which process numbers are unique: one boot of a machine, and on Linux one PID namespace. Host
 * names do not suffice, because containers and machines that share a disk may have the same one.
 */
export function processSpace(): string {
  if (process.platform !== "linux") return os.hostname();
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
}

let own: string | undefined;

/**
 * Identifies this process in a form that fits into a file name: its number, and digests of its start time and process
 * space.
 */
export function processTag(): string {
  own ??= [process.pid, digest(processStart(process.pid) ?? ""), digest(processSpace())].join("-");
  return own;
}

/** State of the process with a tag; `unknown` for another process space or an invalid tag. */
export function stateOfProcess(tag: string): "living" | "ended" | "unknown" {
  const [pid, started, space] = tag.split("-");
  if (space !== digest(processSpace())) return "unknown";
  const found = processStart(Number(pid));
  return found !== undefined && digest(found) === started ? "living" : "ended";
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** The program and its subcommands. Options and other values are left out, because they may be personal. */
export function commandLine(): string {
  const words = process.argv.slice(2).filter((word) => /^[a-z]+$/.test(word));
  return [path.basename(process.argv[1] ?? "node"), ...words.slice(0, 2)].join(" ");
}

/** @param read Reads a file as text. */
export function startFromProc(
  pid: number,
  read: (file: string) => string = (file) => readFileSync(file, "utf8"),
): string | undefined {
  try {
    const stat = read(`/proc/${pid}/stat`);
    // The second field is the name in parentheses, which may contain any character. State is the third field, the start
    // time the twenty-second.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const dead = fields[0] === "Z" || fields[0] === "X";
    return dead ? undefined : fields[19];
  } catch (error) {
    // ESRCH means that the process ended after its file was opened and before it was read.
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch (error) {
    // ps exits with 1 when there is no such process.
    if ((error as { status?: number }).status === 1) return undefined;
    throw error;
  }
}
