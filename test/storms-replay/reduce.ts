import type { Schedule } from "./schedule.ts";

/**
 * The smallest schedule found that still breaks something: faults are left out one by one, then shortened, then polls at the
 * start are left out.
 */
export async function reduced(
  schedule: Schedule,
  breaks: (schedule: Schedule) => Promise<number | undefined>,
): Promise<Schedule> {
  let smallest = schedule;
  const attempt = async (candidate: Schedule) => {
    const at = await breaks(candidate);
    if (at === undefined) return false;
    smallest = { ...candidate, polls: Math.min(candidate.polls, at + 1) };
    return true;
  };
  await attempt(schedule);
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const fault of smallest.faults)
      if (await attempt({ ...smallest, faults: smallest.faults.filter((other) => other !== fault) }))
        isSmaller = true;
  }
  for (let skipped = smallest.polls >> 1; skipped > 0; skipped >>= 1) {
    const faults = smallest.faults.map((fault) => ({
      ...fault,
      from: fault.from - skipped,
      until: fault.until - skipped,
    }));
    const later = { start: smallest.start + skipped * 3600, polls: smallest.polls - skipped, faults };
    if (skipped < smallest.polls) await attempt(later);
  }
  return smallest;
}
