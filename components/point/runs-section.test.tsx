import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { fromKnots } from "#lib/knots.ts";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { defaultUnits } from "#lib/units.ts";
import { renderInPage } from "#test/render.tsx";
import type { RunSeries } from "./point-queries.ts";
import { RunsSection, spreadOf, spreadText } from "./runs-section.tsx";

const START = Date.UTC(2026, 8, 15) / 1000;
const HOUR = 3600;

const run = (age: number, more: number): RunSeries => ({
  run: START - age * HOUR,
  rows: [0, 3, 6].map((hour) => ({
    time: START + hour * HOUR,
    // The older run ends early.
    conditions: { Winds_10m_Intensity: age > 0 && hour > 3 ? null : 10 + more },
  })),
});

const render = (runs: RunSeries[], isSynthetic = false) =>
  renderInPage(<RunsSection last={{ runs, isSynthetic }} time={START} />, {
    clock: { now: START, time: START },
  });

it("has the runs in words and in a table, with a dash where a run does not reach", () => {
  const page = render([run(0, 0), run(6, 1)]);
  expect(page).toContain("Wind: the last 2 runs agree within 2 kn.");
  expect(page).toContain("2 of 5 runs are in the archive");
  expect(page).toContain("Tue 15 Sep 00:00 (newest)");
  expect(page).toContain("Mon 14 Sep 18:00");
  expect(page).toMatch(/06:00<\/th><td>19<\/td><td>—<\/td>/);
  expect(page).not.toContain("invented");
});

it("says that one run has nothing to be compared with, and that none is there", () => {
  expect(render([run(0, 0)])).toContain("Only one run is in the archive for this place");
  expect(render([])).toContain("No run is in the archive for these times");
});

it("says of the demo's runs that their differences are invented", () => {
  expect(render([run(0, 0), run(6, 1)], true)).toContain("how earlier runs differ is invented");
});

/** A run whose wind is 20 kn and so much more at each hour. */
const windRun = (age: number, more: (hour: number) => number, hours = 72): RunSeries => ({
  run: START - age * HOUR,
  rows: Array.from({ length: hours }, (_, hour) => ({
    time: START + hour * HOUR,
    conditions: { Winds_10m_Intensity: fromKnots(20 + more(hour)), Waves_Significant_Height: null },
  })),
});

const say = (runs: readonly RunSeries[], words = en) =>
  spreadText(runs, "wind", defaultUnits, { ...utc, words });

it("runs agree until the first time that two of them differ by more than changes a plan", () => {
  const runs = [
    windRun(0, () => 0),
    windRun(6, (hour) => (hour < 30 ? 2.4 : 5)),
    windRun(12, (hour) => (hour === 50 ? -7 : 0)),
  ];
  const spread = spreadOf(runs, "wind")!;
  expect(spread.count).toBe(3);
  expect(spread.until).toBe(START + 29 * HOUR);
  expect(spread.within).toBeCloseTo(fromKnots(2.4));
  expect(spread.most).toBeCloseTo(fromKnots(12));
  expect(spread.at).toBe(START + 50 * HOUR);
  // Never less than the numbers say.
  expect(say(runs)).toBe(
    "Wind: the last 3 runs agree within 3 kn until Wed 16 Sep 05:00, then differ by up to 12 kn (Thu 17 Sep 02:00).",
  );
  expect(say(runs, de)).toContain("weichen bis");
});

it("says that they agree to the end, that they say the same, and that they differ from the start", () => {
  expect(say([windRun(0, () => 0), windRun(6, () => 1.2)])).toBe("Wind: the last 2 runs agree within 2 kn.");
  expect(say([windRun(0, () => 0), windRun(6, () => 0)])).toBe("Wind: the last 2 runs say the same.");
  expect(say([windRun(0, () => 0), windRun(6, () => 9)])).toContain("differ from the start, by up to 9 kn");
});

it("says nothing of one run, nor of what none has", () => {
  expect(say([windRun(0, () => 0)])).toBeUndefined();
  expect(spreadOf([windRun(0, () => 0), windRun(6, () => 0)], "wave")).toBeUndefined();
});

it("compares only times that two runs have", () => {
  const spread = spreadOf([windRun(0, () => 0), windRun(6, (hour) => (hour < 24 ? 1 : 40), 24)], "wind")!;
  expect(spread.most).toBeCloseTo(fromKnots(1));
  expect(spread.isWhole).toBe(true);
});

it("writes differences in knots where winds are in Beaufort, whose steps are not equal", () => {
  const runs = [windRun(0, () => 0), windRun(6, () => 9)];
  expect(spreadText(runs, "wind", { ...defaultUnits, speed: "Bft" }, { ...utc, words: en })).toContain(
    "9 kn",
  );
});
