import { fromKnots } from "@open-metocean/geo/knots";
import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { defaultUnits } from "#lib/units.ts";
import { de, en } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import type { RunSeries } from "./point-queries.ts";
import { RunsSection, spreadText } from "./runs-section.tsx";

const START = Date.UTC(2026, 8, 15) / 1000;
const HOUR = 3600;

/** A run with a wind of 20 kn plus an offset for each hour. */
const run = (age: number, more: (hour: number) => number = () => 0, hours = 72): RunSeries => ({
  run: START - age * HOUR,
  rows: Array.from({ length: hours }, (_, hour) => ({
    time: START + hour * HOUR,
    conditions: { Winds_10m_Intensity: fromKnots(20 + more(hour)), Waves_Significant_Height: null },
  })),
});

const two = [run(0, undefined, 7), run(6, () => 1.9, 4)];

it.each([
  [
    "the runs in words and in a table, with a dash where one does not reach",
    two,
    false,
    [
      "Wind: the last 2 runs agree within 2 kn.",
      "2 of 5 runs are in the archive",
      "Tue 15 Sep 00:00 (newest)",
      "Mon 14 Sep 18:00",
      /06:00<\/th><td>20<\/td><td>—<\/td>/,
      /^(?!.*invented)/,
    ],
  ],
  [
    "that one run has nothing to be compared with",
    [run(0)],
    false,
    ["Only one run is in the archive for this place"],
  ],
  ["that none is there", [], false, ["No run is in the archive for these times"]],
  ["that the demo's differences are invented", two, true, ["how earlier runs differ is invented"]],
] as const)("shows %s", (_, runs, isSynthetic, texts) => {
  const page = renderInPage(<RunsSection last={{ runs: [...runs], isSynthetic }} time={START} />, {
    clock: { now: START, time: START },
  });
  for (const text of texts) expect(page).toMatch(text);
});

const three = [run(0), run(6, (hour) => (hour < 30 ? 2.4 : 5)), run(12, (hour) => (hour === 50 ? -7 : 0))];

it.each<[string, readonly RunSeries[], string | RegExp | undefined]>([
  [
    "until the first time that two differ by more than changes a plan, never less than the numbers say",
    three,
    "Wind: the last 3 runs agree within 3 kn until Wed 16 Sep 05:00, then differ by up to 12 kn (Thu 17 Sep 02:00).",
  ],
  ["to the end", [run(0), run(6, () => 1.2)], "Wind: the last 2 runs agree within 2 kn."],
  ["wholly", [run(0), run(6)], "Wind: the last 2 runs say the same."],
  ["never", [run(0), run(6, () => 9)], /differ from the start, by up to 9 kn/],
  [
    "at the times that both have",
    [run(0), run(6, (hour) => (hour < 24 ? 1 : 40), 24)],
    /agree within 1 kn\./,
  ],
  ["not, where there is one", [run(0)], undefined],
])("runs agree %s", (_, runs, text) => {
  const said = spreadText(runs, "wind", defaultUnits, { ...utc, words: en });
  if (text === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(text);
});

it("says nothing of what no run has, and differences of Beaufort in knots: its steps are not equal", () => {
  const say = (name: "wind" | "wave", speed: "Bft" | "kn", words = en) =>
    spreadText(three, name, { ...defaultUnits, speed }, { ...utc, words });
  expect(say("wave", "kn")).toBeUndefined();
  expect(say("wind", "Bft")).toContain("12 kn");
  expect(say("wind", "kn", de)).toContain("weichen bis");
});
