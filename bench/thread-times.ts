import { readFileSync } from "node:fs";

/** What a thread used and waited for since its start, milliseconds. */
export interface ThreadTimes {
  /** Processor time. */
  cpu: number;
  /** Time in which it could have run and had no processor. */
  waited: number;
}

/** Of the main thread of a process, from Linux's /proc (schedstat); NaN elsewhere. */
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
