import { describe, expect, it } from "vitest";
import type { StormEntry } from "#lib/contract/storms.ts";
import { type DeriveInput, deriveStorms } from "#server/storms/derive.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { describeWithSamples } from "#test/samples.ts";
import { databaseReader } from "./database-reader.ts";
import { readLibrary, syntheticLibrary } from "./library.ts";
import { planOf, replay } from "./replay-run.ts";
import { memoryReader, runSchedule } from "./run-schedule.ts";

// `npm run lab -- storms` replays as many seasons as wanted, with other seeds.
const short = { seed: 1, longest: 30, wholeSeasons: false } as const;
const synthetic = syntheticLibrary(Date.UTC(2026, 6, 1) / 1000, 30);

it("holds every invariant in random schedules of written seasons, whatever the mirror does", async () => {
  const report = await replay({ ...short, library: synthetic, schedules: 6 });
  expect(report.broken).toEqual([]);
  // The run is worth something only if much went wrong in it.
  expect(report.faults).toBeGreaterThan(8);
});

describeWithSamples("seasons of real decks and bulletins", (samples) => {
  it("hold every invariant in random schedules", async () => {
    const report = await replay({ ...short, library: await readLibrary(samples), schedules: 6 });
    expect(report.broken).toEqual([]);
  });
});

describe("notices a reader whose entries", () => {
  type Fault = (entry: StormEntry, input: DeriveInput) => void;
  const everyFourthHour = ({ now }: DeriveInput) => Math.floor(now / 3600) % 4 === 0;
  const faults: Record<string, [kind: string, fault: Fault]> = {
    "are not in the order of time": ["order", (entry) => void entry.tracks.observed.reverse()],
    "have a wind that was cut": [
      "wind",
      (entry) => void Object.assign(entry.tracks.observed.at(-1)!, { vmax_kt: 1 }),
    ],
    "have a shorter forecast than was read": [
      "forecast",
      (entry) => void entry.tracks.forecast?.points.splice(3),
    ],
    "vanish after a while": [
      "vanished",
      (entry, input) =>
        void (everyFourthHour(input) && Object.assign(entry.tracks, { observed: [], forecast: undefined })),
    ],
    "have a forecast as a fix": [
      "given",
      (entry) => {
        const ahead = entry.tracks.forecast?.points.find(({ fhr }) => fhr === 12);
        if (!ahead) return;
        const { fhr: _, cone_radius_km: __, ...fix } = ahead;
        entry.tracks.observed.push(fix);
      },
    ],
    "have all ended": ["listed", (entry) => void Object.assign(entry, { is_active: false })],
    forget: ["shortened", (entry, input) => void (everyFourthHour(input) && entry.tracks.observed.splice(1))],
    "depend on what was read before": [
      "at once",
      (entry, { previous }) => void (previous.length > 0 && Object.assign(entry, { name: "DORA" })),
    ],
  };

  it.each(Object.entries(faults))("%s", async (_, [kind, fault]) => {
    const derive: typeof deriveStorms = (input) => {
      const derived = deriveStorms(input);
      // What is stored stays as it is.
      for (const record of derived.storms) {
        record.entry = structuredClone(record.entry);
        fault(record.entry, input);
      }
      return derived;
    };
    const found = new Set<string>();
    for (let seed = 1; seed <= 30 && !found.has(kind); seed++) {
      const { season, schedule } = planOf(synthetic, seed, "jtwc", short);
      const { broken } = await runSchedule(season, schedule, { ...memoryReader(), derive });
      for (const { what } of broken) found.add(what.split(":")[0]!);
    }
    expect([...found]).toContain(kind);
  });
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
