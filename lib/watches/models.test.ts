import { expect, it } from "vitest";
import type { WatchCondition } from "#lib/contract/watch.ts";
import { HOUR_S } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import { samplesOf } from "#test/watches.ts";
import { judgeHours, judgeWindow, mayBeTrue, type NearStorm } from "./judge.ts";
import { agreements, modelSayings } from "./message.ts";
import { agreedState, type ModelAnswer, modelAnswer } from "./models.ts";

const NOW = 1_800_000_000;

const answerOf = (says: ModelAnswer["says"], reachedAt?: number): ModelAnswer => ({
  model: "m",
  title: "M",
  says,
  runAt: NOW,
  reachedAt,
  judged: { state: "unknown", deciding: undefined, windows: [], knownShare: 1 },
  run: undefined,
});

it("any, most and all count those that can say, as a plain count does", () => {
  const random = seeded(6);
  for (let round = 0; round < 3000; round++) {
    const says = Array.from(
      { length: 1 + Math.floor(8 * random()) },
      () => modelSayings[Math.floor(3 * random())]!,
    );
    const [yes, no] = ["reached", "not_reached"].map((one) => says.filter((said) => said === one).length);
    const expected = {
      any: yes! > 0,
      most: yes! / (yes! + no!) > 0.5,
      all: no === 0,
    };
    for (const agreement of agreements) {
      const state = agreedState(
        agreement,
        says.map((one) => answerOf(one)),
        false,
        NOW,
      );
      expect(state).toBe(yes! + no! === 0 ? "unknown" : String(expected[agreement]));
    }
  }
});

it("a watch does not clear while a model that reached it within 36 hours cannot say", () => {
  const now = NOW;
  const silent = (hours: number) => answerOf("cannot_say", now - hours * HOUR_S);
  const no = answerOf("not_reached");
  expect(agreedState("any", [silent(36), no], true, now)).toBe("unknown");
  expect(agreedState("any", [silent(37), no], true, now)).toBe("false");
  expect(agreedState("any", [answerOf("cannot_say"), no], true, now)).toBe("false");
  expect(agreedState("any", [silent(6), no], false, now)).toBe("false");
  expect(agreedState("most", [silent(6), silent(6), no], true, now)).toBe("unknown");
  expect(agreedState("most", [silent(6), no, no], true, now)).toBe("false");
  expect(agreedState("all", [silent(6), no], true, now)).toBe("false");
});

const over = [{ quantity: "gust_kt" as const, over: 30 }];

/** The answer of a model whose run has this age. */
function saidOf(
  gusts: readonly (number | null)[],
  age = 3,
  conditions: readonly WatchCondition[] = over,
  known: { storm: NearStorm | null | undefined } = { storm: null },
) {
  const { storm } = known;
  const samples = samplesOf(NOW, gusts, null);
  const question = { conditions, join: "any" as const };
  const judged = judgeHours(question, samples, storm, false);
  const run = { model: "M", source: "m", at: NOW - age * HOUR_S, rhythm: { every: 6, delay: 6 } };
  const { says, why, until } = modelAnswer(
    {
      model: "m",
      title: "M",
      judged,
      mayBeTrue: mayBeTrue(question, undefined, samples, storm, false),
      samples,
      quantities: conditions.map(({ quantity }) => quantity),
      runs: [run],
      run: judged.deciding?.storm ? { model: "JTWC", at: NOW - 60 * HOUR_S } : run,
      now: NOW,
    },
    undefined,
  );
  return [says, why, until && (until - NOW) / HOUR_S];
}

it("a model says no only if it knows every hour; a gale that it knows of is a yes, however little it knows", () => {
  expect(saidOf([10, 20, 10])).toEqual(["not_reached", undefined, undefined]);
  expect(saidOf([10, 40, null])).toEqual(["reached", undefined, undefined]);
  expect(saidOf([10, 20, null])).toEqual(["cannot_say", "ends", 2]);
  expect(saidOf([10, null, 10])).toEqual(["cannot_say", "gaps", undefined]);
  expect(saidOf([null, null, null])).toEqual(["cannot_say", "absent", undefined]);
  expect(saidOf([])).toEqual(["cannot_say", "absent", undefined]);
  for (const gusts of [[10], [40]]) {
    expect(saidOf(gusts, 18)[0]).not.toBe("cannot_say");
    expect(saidOf(gusts, 19)).toEqual(["cannot_say", "late", undefined]);
  }
});

it("a storm that is near is a yes however old its bulletin is, and unknown storms are no reason to say no", () => {
  const near = [...over, { quantity: "storm_nm" as const, under: 100 }];
  const storm = { id: "AL01", name: null, nm: 20, time: NOW, issuedAt: NOW - 60 * HOUR_S };
  expect(saidOf([10, 20, 10], 3, near, { storm })[0]).toBe("reached");
  expect(saidOf([10, 20, 10], 3, near, { storm: null })[0]).toBe("not_reached");
  expect(saidOf([10, 20, 10], 3, near, { storm: undefined })).toEqual(["cannot_say", "gaps", undefined]);
});

it("what is unknown matters only where it could change the answer", () => {
  const samples = samplesOf(NOW, [10, 20, null], 2);
  const may = (join: "any" | "all", sea: number) =>
    mayBeTrue(
      { conditions: [...over, { quantity: "sea_m", over: sea }], join },
      undefined,
      samples,
      null,
      false,
    );
  // The sea is known, and never as high: with all, the missing gust cannot make it true.
  expect([may("all", 3), may("all", 1), may("any", 3)]).toEqual([false, true, true]);
  const calm = [{ quantity: "gust_kt" as const, under: 15 }];
  const window = (gusts: (number | null)[], hours: number) =>
    mayBeTrue({ conditions: calm, join: "all" }, hours, samplesOf(NOW, gusts, 1), null, false);
  expect(window([10, null, 10], 2)).toBe(true);
  expect(window([10, 20, null], 2)).toBe(false);
  expect(judgeWindow(calm, 2, samplesOf(NOW, [10, null, 10], 1), false).state).not.toBe("true");
});
