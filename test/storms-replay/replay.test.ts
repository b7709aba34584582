import { expect, it } from "vitest";
import { deriveStorms } from "#server/storms/derive.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { describeWithSamples } from "#test/samples.ts";
import { databaseReader } from "./database-reader.ts";
import { readLibrary, syntheticLibrary } from "./library.ts";
import { planOf, replay } from "./replay-run.ts";
import { memoryReader, runSchedule } from "./run-schedule.ts";

// `npm run storms:replay` replays as many seasons as wanted, with other seeds.
const short = { seed: 1, shown: 1, longest: 30, wholeSeasons: false } as const;
const synthetic = syntheticLibrary(Date.UTC(2026, 6, 1) / 1000, 30);

it("holds every invariant in random schedules of written seasons, whatever the mirror does", async () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const report = await replay({ ...short, library: synthetic, schedules: 16, write });
  expect(lines).toEqual([]);
  // The run is worth something only if much went wrong in it.
  expect(report.faults).toBeGreaterThan(20);
});

describeWithSamples("seasons of real decks and bulletins", (samples) => {
  it("hold every invariant in random schedules", async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    await replay({ ...short, library: await readLibrary(samples), schedules: 16, write });
    expect(lines).toEqual([]);
  });
});

it("notices a reader that forgets, one that takes fixes from forecasts, and one that ends a storm", async () => {
  const kinds = async (derive: typeof deriveStorms) => {
    const found = new Set<string>();
    for (let seed = 1; seed <= 12; seed++) {
      const { season, schedule } = planOf(synthetic, seed, undefined, short);
      const { broken } = await runSchedule(season, schedule, { ...memoryReader(), derive });
      for (const { what } of broken) found.add(what.split(":")[0]!);
    }
    return found;
  };
  expect(await kinds((input) => deriveStorms({ ...input, previous: [] }))).toContain("ended");
  const forecastsAsFixes: typeof deriveStorms = (input) => {
    const derived = deriveStorms(input);
    for (const { entry } of derived.storms) {
      const ahead = entry.tracks.forecast?.points.find(({ fhr }) => fhr === 12);
      if (ahead) {
        const { fhr: _, cone_radius_km: __, ...fix } = ahead;
        entry.tracks.observed.push(fix);
      }
    }
    return derived;
  };
  expect(await kinds(forecastsAsFixes)).toContain("given");
  const endsAll: typeof deriveStorms = (input) => {
    const derived = deriveStorms(input);
    for (const { entry } of derived.storms) entry.is_active = false;
    return derived;
  };
  expect(await kinds(endsAll)).toContain("listed");
});

describeWithDatabase("a season read from a directory into PostgreSQL, with restarts", (fresh) => {
  it("holds every invariant", async () => {
    const { season, schedule } = planOf(synthetic, 1, "jtwc", { ...short, longest: 12 });
    const faults = [4, 8].map((from) => ({ kind: "restart", from, until: from + 1 }) as const);
    const { reader, close } = await databaseReader(await fresh());
    try {
      const { broken } = await runSchedule(
        season,
        { ...schedule, faults: [...schedule.faults, ...faults] },
        reader,
      );
      expect(broken).toEqual([]);
    } finally {
      await close();
    }
  });
});
