import type { Provider } from "#server/storms/bulletin.ts";
import { chance } from "./chance.ts";
import { instant } from "./invariants.ts";
import { jmaSeason } from "./jma-season.ts";
import { jtwcSeason } from "./jtwc-season.ts";
import type { Library } from "./library.ts";
import { reduced } from "./reduce.ts";
import { type Broken, runSchedule } from "./run-schedule.ts";
import { type Length, pollTime, randomSchedule, type Schedule } from "./schedule.ts";
import type { Season } from "./season.ts";

export interface ReplayOptions extends Partial<Length> {
  library: Library;
  schedules: number;
  seed: number;
  /** Both in turn without one. */
  provider?: Provider;
  /** Broken schedules that are reduced and written. */
  shown: number;
  write(line: string): void;
}

/** Replays random schedules. */
export async function replay({
  library,
  schedules,
  seed,
  provider,
  shown,
  longest = 72,
  wholeSeasons = true,
  write,
}: ReplayOptions) {
  const kinds = new Map<string, number>();
  let broken = 0;
  let polls = 0;
  let faults = 0;
  for (let run = 0; run < schedules; run++) {
    const own = seed + run;
    const { season, schedule } = planOf(library, own, provider, { longest, wholeSeasons });
    const outcome = await runSchedule(season, schedule);
    polls += outcome.polls;
    faults += schedule.faults.length;
    if (outcome.broken.length === 0) continue;
    broken++;
    const seen = new Set(outcome.broken.map(kindOf));
    for (const kind of seen) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (broken > shown) continue;
    const kind = kindOf(outcome.broken[0]!);
    const small = await reduced(schedule, async (candidate) => {
      const found = (await runSchedule(season, candidate)).broken.find((each) => kindOf(each) === kind);
      return found?.index;
    });
    const { broken: what } = await runSchedule(season, small);
    write(described(own, season, small, what));
  }
  return { schedules, polls, faults, broken, kinds };
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

function kindOf({ what }: Broken): string {
  return what.split(":")[0]!;
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
