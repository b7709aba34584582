import { expect, it } from "vitest";
import { describeWithSamples } from "#test/samples.ts";
import { demoLibrary, readLibrary, replay } from "./run.ts";

// `npm run lab -- storms` replays any number of seasons, with other seeds.
const short = { seed: 1, schedules: 6, longest: 30 };

it("holds every invariant in random schedules of the demo's seasons, whatever the mirror does", async () => {
  const report = await replay({ ...short, library: demoLibrary(Date.UTC(2026, 6, 1) / 1000, 30) });
  expect(report.broken).toEqual([]);
  // The run is meaningful only if many faults occurred in it.
  expect(report.faults).toBeGreaterThan(8);
});

describeWithSamples("seasons of real decks and bulletins", (samples) => {
  it("hold every invariant in random schedules", async () => {
    const report = await replay({ ...short, library: await readLibrary(samples) });
    expect(report.broken).toEqual([]);
  });
});
