import type { Provider } from "#server/storms/bulletin.ts";
import { chance } from "./chance.ts";
import { instant } from "./invariants.ts";
import { jmaSeason } from "./jma-season.ts";
import { jtwcSeason } from "./jtwc-season.ts";
import type { Library } from "./library.ts";
import { type Broken, runSchedule } from "./run-schedule.ts";
import { type Length, pollTime, randomSchedule, type Schedule } from "./schedule.ts";
import type { Season } from "./season.ts";

export interface ReplayOptions extends Partial<Length> {
  library: Library;
  schedules: number;
  seed: number;
  /** Both in turn without one. */
  provider?: Provider;
}

/** Replays random schedules. @returns What was done, and each schedule that breaks an invariant in words. */
export async function replay({
  library,
  schedules,
  seed,
  provider,
  longest = 72,
  wholeSeasons = true,
}: ReplayOptions) {
  const report = { polls: 0, faults: 0, broken: [] as string[] };
  for (let own = seed; own < seed + schedules; own++) {
    const { season, schedule } = planOf(library, own, provider, { longest, wholeSeasons });
    const { polls, broken } = await runSchedule(season, schedule);
    report.polls += polls;
    report.faults += schedule.faults.length;
    if (broken.length > 0) report.broken.push(described(own, season, schedule, broken));
  }
  return report;
}

export function planOf(library: Library, seed: number, provider: Provider | undefined, length: Length) {
  const luck = chance(seed);
  const of = provider ?? (seed % 2 === 0 ? "jma" : "jtwc");
  const decks = library.decks
    .map(({ deck }) => deck)
    .filter(({ basin, number }) => basin === "WP" && number < 90);
  const season = of === "jma" ? jmaSeason(luck, library.archives, decks) : jtwcSeason(luck, library.decks);
  return { season, schedule: randomSchedule(luck, season, length) };
}

function described(seed: number, season: Season, schedule: Schedule, broken: readonly Broken[]): string {
  const polled = (poll: number) => instant(pollTime(schedule, poll));
  return [
    `seed ${seed}, ${season.provider}, ${season.storms.map(({ ids, code }) => [code, ...ids].join(" ")).join("; ")}: ${schedule.polls} polls from ${polled(0)}`,
    ...schedule.faults.map(
      ({ from, until, kind, ...more }) =>
        `    ${polled(from)} to ${polled(until)}: ${kind} ${JSON.stringify(more)}`,
    ),
    ...broken.slice(0, 6).map(({ index, time, what }) => `  poll ${index}, ${instant(time)}: ${what}`),
  ].join("\n");
}
