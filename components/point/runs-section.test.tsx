import { expect, it } from "vitest";
import { renderInPage } from "#test/render.tsx";
import type { RunSeries } from "./run-spread.ts";
import { RunsSection } from "./runs-section.tsx";

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
