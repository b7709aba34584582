import { expect, it } from "vitest";
import type { WatchCondition } from "#lib/contract/watch.ts";
import { HOUR_S } from "#lib/time.ts";
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

it("any: the first hour of the condition that is met first, the greatest value, and the end of the spell", () => {
  const samples = samplesOf(0, [20, 31, 35, 33, 10, 45]);
  const { state, deciding } = judgeHours({ conditions: [sea, gust], join: "any" }, samples, undefined, false);
  expect([state, deciding!.quantity, Math.round(deciding!.value), hours(deciding)]).toEqual([
    "true",
    "gust_kt",
    45,
    [1, 5, 3],
  ]);
});

it("all: only hours at which all conditions are met", () => {
  const samples = [...samplesOf(0, [40, 40], 1), ...samplesOf(2 * HOUR_S, [10, 32], 4)];
  const judged = judgeHours({ conditions: [gust, sea], join: "all" }, samples, undefined, false);
  expect([judged.state, Math.round(judged.deciding!.value), hours(judged.deciding)]).toEqual([
    "true",
    32,
    [3, 3, 3],
  ]);
  const never = judgeHours({ conditions: [gust, sea], join: "all" }, samples.slice(0, 3), undefined, false);
  expect(never.state).toBe("false");
});

it("a limit is exceeded by more than itself; one that fired clears by its margin", () => {
  const judged = (value: number, firing: boolean) =>
    judgeHours(
      { conditions: [{ quantity: "sea_m", over: 3 }], join: "any" },
      samplesOf(0, [1], value),
      undefined,
      firing,
    ).state;
  expect([judged(3, false), judged(3.1, false), judged(2.8, true), judged(2.6, true)]).toEqual([
    "false",
    "true",
    "true",
    "false",
  ]);
  const low = (value: number, firing: boolean) =>
    judgeHours(
      { conditions: [{ quantity: "sea_m", under: 1 }], join: "any" },
      samplesOf(0, [1], value),
      undefined,
      firing,
    ).state;
  expect([low(1, false), low(0.9, false), low(1.2, true), low(1.4, true)]).toEqual([
    "false",
    "true",
    "true",
    "false",
  ]);
});

it("over land the sea is unknown, and gusts are judged alone; where all must hold nothing is known", () => {
  const samples = samplesOf(0, [20, 24], null);
  expect(judgeHours({ conditions: [gust, sea], join: "any" }, samples, undefined, false).state).toBe("false");
  expect(judgeHours({ conditions: [gust, sea], join: "all" }, samples, undefined, false).state).toBe(
    "unknown",
  );
  expect(judgeHours({ conditions: [sea], join: "any" }, samples, undefined, false)).toMatchObject({
    state: "unknown",
    knownShare: 0,
  });
});

it("a forecast of less than half of the hours does not clear, and still fires", () => {
  const judged = (gusts: (number | null)[]) =>
    judgeHours({ conditions: [gust], join: "any" }, samplesOf(0, gusts), undefined, true);
  expect(judged([10, null, null]).state).toBe("unknown");
  expect(judged([40, null, null]).state).toBe("true");
  expect(judged([10, 10, null]).state).toBe("false");
});

it("a quiet watch says what is nearest to a limit", () => {
  const { deciding } = judgeHours(
    { conditions: [sea, gust], join: "any" },
    samplesOf(0, [10, 27, 12]),
    undefined,
    false,
  );
  expect([deciding!.quantity, hours(deciding)![0]]).toEqual(["gust_kt", 1]);
});

it("storms: within the distance, with a margin, unknown where none were ever received", () => {
  const judged = (at: NearStorm | null | undefined, firing = false) =>
    judgeHours({ conditions: [storm], join: "any" }, [], at, firing);
  expect(judged(near(150))).toMatchObject({
    state: "true",
    deciding: { value: 150, limit: 200, from: 5 * HOUR_S },
  });
  expect([judged(near(210)).state, judged(near(210), true).state, judged(near(230), true).state]).toEqual([
    "false",
    "true",
    "false",
  ]);
  expect([judged(null).state, judged(undefined).state]).toEqual(["false", "unknown"]);
});

it("storms and hours: the earlier decides where one is enough; all needs both", () => {
  const samples = samplesOf(0, [10, 10, 40]);
  const any = judgeHours(
    { conditions: [gust, storm], join: "any" },
    samples,
    { ...near(0), time: HOUR_S },
    false,
  );
  expect(any.deciding!.quantity).toBe("storm_nm");
  const all = (nm: number) =>
    judgeHours({ conditions: [gust, storm], join: "all" }, samples, near(nm), false).state;
  expect([all(100), all(500)]).toEqual(["true", "false"]);
});

const fair: WatchCondition[] = [
  { quantity: "gust_kt", under: 20 },
  { quantity: "sea_m", under: 1.5 },
];

it("a weather window lasts long enough, and all windows are listed", () => {
  const samples = samplesOf(0, [25, 10, 10, 10, 25, 10, 12, 14, 18, 10]);
  const judged = judgeWindow(fair, 2, samples, false);
  expect(judged.windows.map(({ from, to }) => [from / HOUR_S, to / HOUR_S])).toEqual([
    [1, 3],
    [5, 9],
  ]);
  expect([judged.state, hours(judged.deciding)]).toEqual(["true", [1, 1, 3]]);
  expect(judgeWindow(fair, 4, samples, false).windows.length).toBe(1);
  expect(judgeWindow(fair, 5, samples, false)).toMatchObject({ state: "false", windows: [] });
});

it("a window that was told stays within the margin; unknown hours are none of it", () => {
  const samples = samplesOf(0, [10, 21, 22, 10]);
  expect([judgeWindow(fair, 3, samples, false).state, judgeWindow(fair, 3, samples, true).state]).toEqual([
    "false",
    "true",
  ]);
  expect(judgeWindow(fair, 1, samplesOf(0, [10, null, 10, null]), false).state).toBe("false");
  expect(judgeWindow(fair, 1, samplesOf(0, [10, null, null, null]), false).state).toBe("unknown");
});
