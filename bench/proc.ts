import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

// Values from Linux's /proc about a process; NaN on other systems.

/** A process: this one if there is no `pid`, otherwise another. */
interface Process {
  readonly pid?: number | undefined;
}

/** Times of a thread since its start, milliseconds. */
export interface ThreadTimes {
  /** Processor time. */
  cpu: number;
  /** Time in which it could have run but had no processor. */
  waited: number;
}

/** Times of the main thread of a process (schedstat). */
export function mainThreadTimes(pid: number): ThreadTimes {
  try {
    const [cpu = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8")
      .split(" ")
      .map(Number);
    return { cpu: cpu / 1e6, waited: waited / 1e6 };
  } catch {
    return { cpu: Number.NaN, waited: Number.NaN };
  }
}

/** Processor time of a process so far. */
export async function cpuSeconds({ pid }: Process): Promise<number> {
  return usedSeconds(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""));
}

/** Processor time so far of a process and of its living descendants. */
export async function cpuSecondsOfTree(process: Process): Promise<number> {
  const { pid } = process;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const pids = children.split(" ").filter(Boolean).map(Number);
  const all = await Promise.all([
    cpuSeconds(process),
    ...pids.map((child) => cpuSecondsOfTree({ pid: child })),
  ]);
  return all.reduce((sum, seconds) => sum + seconds, 0);
}

/** Processor time of this process so far, by name of the threads. */
export function cpuSecondsByThread(): Record<string, number> {
  const seconds: Record<string, number> = {};
  for (const id of readdirSync("/proc/self/task")) {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    seconds[name] = (seconds[name] ?? 0) + usedSeconds(stat);
  }
  return seconds;
}

/** Resident memory of a process now, and its peak. */
export async function memoryMiB({ pid }: Process): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { now: of("VmRSS"), peak: of("VmHWM") };
}

/** After the name in parentheses, user and system time are the 12th and 13th field, in hundredths of a second. */
function usedSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
