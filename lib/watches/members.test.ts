import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import { FIRST_RUN, samplesOf } from "#test/watches.ts";
import { judgeHours, mayBeTrue, type Question } from "./judge.ts";
import { judgedByMembers, type MemberAnswer, stateOfMembers } from "./members.ts";
import { type ModelAnswer, modelAnswer } from "./models.ts";

const now = FIRST_RUN + 4 * HOUR_S;
const run = { model: "ENS", at: FIRST_RUN, source: "ens", rhythm: { every: 6, delay: 6 } };

/** The answers of members with these gusts to gusts over a limit. */
function answersTo(gusts: readonly (readonly (number | null)[])[], limit: number): MemberAnswer[] {
  const question: Question = { conditions: [{ quantity: "gust_kt", over: limit }], join: "any" };
  return gusts.map((hours, member) => {
    const samples = samplesOf(now, hours);
    const said = (held: boolean): ModelAnswer => {
      const judged = judgeHours(question, samples, null, held);
      const about = {
        model: String(member),
        title: "",
        samples,
        quantities: ["gust_kt" as const],
        runs: [run],
        run,
        now,
      };
      return modelAnswer(
        { ...about, judged, mayBeTrue: mayBeTrue(question, undefined, samples, null, held) },
        undefined,
      );
    };
    return { strict: said(false), held: said(true) };
  });
}

it("the state is that of plain counts, unknown members decide nothing, and more members are over 22 kn than over 34", () => {
  const random = seeded(11);
  for (let round = 0; round < 500; round++) {
    const members = 1 + Math.floor(40 * random());
    const gusts = Array.from({ length: members }, () => {
      const ends = random() < 0.2 ? 1 + Math.floor(5 * random()) : 6;
      return Array.from({ length: 6 }, (_, hour) => (hour < ends ? 45 * random() ** 2 : null));
    });
    const percent = 1 + Math.floor(100 * random());
    const over = (limit: number) =>
      gusts.filter((hours) => hours.some((gust) => gust !== null && gust > limit + 1e-9)).length;
    const unknown = (limit: number) =>
      gusts.filter((hours) => hours.includes(null) && !hours.some((gust) => gust !== null && gust > limit))
        .length;
    const [low, high] = [22, 34].map((limit) => {
      const answers = answersTo(gusts, limit);
      const { judged, counts } = judgedByMembers(answers, percent, false);
      expect(counts).toEqual({
        reached: over(limit),
        cannotSay: unknown(limit),
        notReached: members - over(limit) - unknown(limit),
      });
      const least = (100 * over(limit)) / members;
      const most = (100 * (over(limit) + unknown(limit))) / members;
      expect(judged.state).toBe(least >= percent ? "true" : most < percent ? "false" : "unknown");
      return counts.reached;
    });
    expect(low).toBeGreaterThanOrEqual(high!);
  }
});

it("a watch that fired is held by the margin, and its counts stay those of the limit", () => {
  const gusts = [...Array(13).fill([36]), ...Array(18).fill([20])];
  expect(judgedByMembers(answersTo(gusts, 34), 40, true)).toMatchObject({
    judged: { state: "true" },
    counts: { reached: 13 },
  });
  const calmer = [...Array(12).fill([36]), [32], ...Array(18).fill([20])];
  const held = judgedByMembers(answersTo(calmer, 34), 40, true);
  expect(held).toMatchObject({ judged: { state: "true" }, counts: { reached: 12, notReached: 19 } });
  expect(judgedByMembers(answersTo(calmer, 34), 40, false).judged.state).toBe("false");
  const gone = [...Array(12).fill([36]), ...Array(19).fill([20])];
  expect(judgedByMembers(answersTo(gone, 34), 40, true).judged.state).toBe("false");
});

it("the values are those of a member in the middle of those that decided", () => {
  const gusts = [
    [10, 40],
    [50, 10],
    [10, 10, 45],
    [10, 10, 10],
  ];
  const { judged } = judgedByMembers(answersTo(gusts, 34), 50, false);
  expect(judged.deciding).toMatchObject({ from: now + HOUR_S });
  expect(judged.deciding!.value).toBeCloseTo(40, 6);
  expect(stateOfMembers([], 1)).toBe("unknown");
});
