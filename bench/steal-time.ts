import { readFileSync } from "node:fs";

/**
 * Time of all processors since the start, and the part of it in which other guests of the host ran while we wanted to
 * run; ticks.
 */
function ticks(): { all: number; stolen: number } | undefined {
  try {
    const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
    // The fields are user nice system idle iowait irq softirq steal: proc_stat(5).
    const spent = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return { all: spent.reduce((sum, each) => sum + each, 0), stolen: spent[7] ?? 0 };
  } catch {
    // Outside Linux the value is unknown.
    return undefined;
  }
}

/**
 * Measures stolen time, because a measurement during which a virtual machine's host is busy means little.
 *
 * @returns A function to call afterwards: the share of the time of all processors that was stolen, 0–1; undefined where
 *   it is not known.
 */
export function watchStolen(): () => number | undefined {
  const before = ticks();
  return () => {
    const after = ticks();
    if (!before || !after || after.all === before.all) return undefined;
    return (after.stolen - before.stolen) / (after.all - before.all);
  };
}
