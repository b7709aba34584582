import { expect, it } from "vitest";
import type { WatchCondition } from "#lib/contract/watch.ts";
import { HOUR_S } from "#lib/time.ts";
import { analyseWorkability } from "#lib/workability/analyse.ts";
import { seeded } from "#test/seeded.ts";
import { samplesOf } from "#test/watches.ts";
import { judgeHours, judgeWindow, type NearStorm } from "./judge.ts";

const gust: WatchCondition = { quantity: "gust_kt", over: 30 };
const sea: WatchCondition = { quantity: "sea_m", over: 3 };
const storm: WatchCondition = { quantity: "storm_nm", under: 200 };
const near = (nm: number): NearStorm => ({
  id: "WP262026",
  name: "KROSA",
  nm,
  time: 5 * HOUR_S,
  issuedAt: 0,
});
const hours = (deciding: { from: number; until: number; peak: number } | undefined) =>
  deciding && [deciding.from, deciding.peak, deciding.until].map((time) => time / HOUR_S);
type Samples = ReturnType<typeof samplesOf>;
const any = (conditions: WatchCondition[], samples: Samples, at?: NearStorm | null, firing = false) =>
  judgeHours({ conditions, join: "any" }, samples, at, firing);
const all = (conditions: WatchCondition[], samples: Samples, at?: NearStorm | null) =>
  judgeHours({ conditions, join: "all" }, samples, at, false);
/**
 * The state, and of the deciding value: the value (rounded), its first hour, its own hour and its last hour.
 */
const decided = ({ state, deciding }: ReturnType<typeof judgeHours>) => [
  state,
  deciding?.quantity,
  deciding && Math.round(deciding.value),
  hours(deciding),
];

it("any: the first hour of the condition that is met first, the greatest value, and the end of the spell", () => {
  expect(decided(any([sea, gust], samplesOf(0, [20, 31, 35, 33, 10, 45])))).toEqual([
    "true",
    "gust_kt",
    45,
    [1, 5, 3],
  ]);
});

it("all: only hours at which all conditions are met", () => {
  const samples = [...samplesOf(0, [40, 40], 1), ...samplesOf(2 * HOUR_S, [10, 32], 4)];
  expect(decided(all([gust, sea], samples))).toEqual(["true", "gust_kt", 32, [3, 3, 3]]);
  expect(all([gust, sea], samples.slice(0, 3)).state).toBe("false");
});

it.each<[condition: Partial<WatchCondition>, sea: number, firing: boolean, state: string]>([
  [{ over: 3 }, 3, false, "false"],
  [{ over: 3 }, 3.1, false, "true"],
  [{ over: 3 }, 2.8, true, "true"],
  [{ over: 3 }, 2.6, true, "false"],
  [{ under: 1 }, 1, false, "false"],
  [{ under: 1 }, 0.9, false, "true"],
  [{ under: 1 }, 1.2, true, "true"],
  [{ under: 1 }, 1.4, true, "false"],
])(
  "a limit is passed by more than itself, and one that fired clears by its margin: %j at %d m, %s",
  (limit, metres, firing, state) => {
    expect(any([{ quantity: "sea_m", ...limit }], samplesOf(0, [1], metres), undefined, firing).state).toBe(
      state,
    );
  },
);

it("over land the sea is unknown, and gusts are judged alone; where all must hold nothing is known", () => {
  const samples = samplesOf(0, [20, 24], null);
  expect(any([gust, sea], samples).state).toBe("false");
  expect(all([gust, sea], samples).state).toBe("unknown");
  expect(any([sea], samples)).toMatchObject({ state: "unknown", knownShare: 0 });
});

it("a forecast of less than half of the hours does not clear, and still fires", () => {
  const judged = (...gusts: (number | null)[]) => any([gust], samplesOf(0, gusts), undefined, true).state;
  expect([judged(10, null, null), judged(40, null, null), judged(10, 10, null)]).toEqual([
    "unknown",
    "true",
    "false",
  ]);
});

it("a quiet watch says what is nearest to a limit", () => {
  expect(decided(any([sea, gust], samplesOf(0, [10, 27, 12])))).toEqual(["false", "gust_kt", 27, [1, 1, 2]]);
});

it("storms: within the distance, with a margin, unknown where none were ever received", () => {
  expect(decided(any([storm], [], near(150)))).toEqual(["true", "storm_nm", 150, [5, 5, 5]]);
  const state = (at: NearStorm | null | undefined, firing = false) => any([storm], [], at, firing).state;
  expect([state(near(210)), state(near(210), true), state(near(230), true)]).toEqual([
    "false",
    "true",
    "false",
  ]);
  expect([state(null), state(undefined)]).toEqual(["false", "unknown"]);
});

it("storms and hours: the earlier decides where one is enough; all needs both", () => {
  const samples = samplesOf(0, [10, 10, 40]);
  expect(any([gust, storm], samples, { ...near(0), time: HOUR_S }).deciding!.quantity).toBe("storm_nm");
  expect([100, 500].map((nm) => all([gust, storm], samples, near(nm)).state)).toEqual(["true", "false"]);
});

const fair: WatchCondition[] = [
  { quantity: "gust_kt", under: 20 },
  { quantity: "sea_m", under: 1.5 },
];

it("a weather window lasts long enough, and all windows are listed", () => {
  const samples = samplesOf(0, [25, 10, 10, 10, 25, 10, 12, 14, 18, 10]);
  const judged = judgeWindow(fair, 2, samples, false);
  expect(judged.windows.map(({ from, to }) => [from / HOUR_S, to / HOUR_S])).toEqual([
    [1, 4],
    [5, 9],
  ]);
  expect([judged.state, hours(judged.deciding)]).toEqual(["true", [1, 1, 4]]);
  expect(judgeWindow(fair, 4, samples, false).windows.length).toBe(1);
  expect(judgeWindow(fair, 5, samples, false)).toMatchObject({ state: "false", windows: [] });
});

it("finds the windows that the statistics of workability find in the same hours", () => {
  const random = seeded(11);
  for (let round = 0; round < 300; round++) {
    const count = 2 + Math.floor(random() * 40);
    const lasting = 1 + Math.floor(random() * 6);
    const gusts = Array.from({ length: count }, () => (random() < 0.1 ? null : random() < 0.75 ? 10 : 25));
    // The last sample marks the end of the time; statistics have no step for it.
    const values = Float64Array.from(gusts.slice(0, -1), (gust) => gust ?? Number.NaN);
    const { windows } = analyseWorkability(
      {
        start: 0,
        stepHours: 1,
        count: count - 1,
        quantities: [
          {
            most: values,
            least: values,
            isMissing: Uint8Array.from(values, (one) => Number(Number.isNaN(one))),
            levels: [],
            max: 15,
          },
        ],
      },
      lasting,
    );
    const judged = judgeWindow([{ quantity: "gust_kt", under: 20 }], lasting, samplesOf(0, gusts), false);
    expect(judged.windows).toEqual(windows.map(({ from, to }) => ({ from, to })));
  }
});

it("a window that was told stays within the margin; unknown hours are none of it", () => {
  const samples = samplesOf(0, [10, 21, 22, 10]);
  expect([judgeWindow(fair, 3, samples, false).state, judgeWindow(fair, 3, samples, true).state]).toEqual([
    "false",
    "true",
  ]);
  expect(judgeWindow(fair, 2, samplesOf(0, [10, null, 10, null]), false).state).toBe("false");
  expect(judgeWindow(fair, 2, samplesOf(0, [10, null, null, null]), false).state).toBe("unknown");
});
