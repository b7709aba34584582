import { describe, expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import type { ModelVerdict } from "#lib/contract/passage-reply.ts";
import { passage } from "#lib/messages/generated/en/passage.ts";
import { compareModels } from "#lib/passage/model-agreement.ts";
import { sayings } from "#lib/passage/verdict.ts";
import { defaultUnits } from "#lib/units.ts";
import { verdictOf } from "#test/model-verdict.ts";
import { seeded } from "#test/seeded.ts";
import { byWorst, nearestToGo } from "./model-departures.tsx";
import { agreementSentence, differenceLines } from "./model-words.ts";
import type { PassageStyle } from "./passage-format.tsx";
import type { PassageAnswer } from "./passage-queries.ts";

const style: PassageStyle = { units: defaultUnits, zone: utc, words: passage.outlook };
const departure = "2026-09-15T12:00:00Z";

const words = { GO: "GO", CAUTION: "CAUTION", NO: "NO", cannot_say: "cannot say" };

it("the sentence about models is a plain count in words, and agrees only where all say the same", () => {
  const random = seeded(5);
  for (let round = 0; round < 2000; round++) {
    const count = 2 + Math.floor(7 * random());
    const [first, kinds] = [Math.floor(4 * random()), 1 + Math.floor(4 * random())];
    const models = Array.from({ length: count }, (_, at) =>
      verdictOf(`m${at}`, sayings[(first + Math.floor(kinds * random())) % 4]!),
    );
    const sentence = agreementSentence(compareModels(departure, models), style);
    const counts = new Map(
      sayings.map((says) => [says, models.filter((one) => one.says === says).length] as const),
    );
    const all = sayings.find((says) => counts.get(says) === count);
    if (all && all !== "cannot_say") {
      expect(sentence).toBe(`All ${count} models agree: ${all}`);
      continue;
    }
    const read = [
      ...sentence.matchAll(
        /(\d)(?: of (\d) models)? (says?) ?([A-Z]+)|(\d)(?: of (\d) models)? (cannot say)/g,
      ),
    ];
    const written = new Map(
      read.map(([, n, , , verdict, other]) => [verdict ?? "cannot say", Number(n ?? other)]),
    );
    const wanted = sayings.filter((says) => counts.get(says)! > 0);
    expect(written).toEqual(new Map(wanted.map((says) => [words[says], counts.get(says)!])));
    expect(sentence.startsWith(`${counts.get(wanted[0]!)} of ${count} models `)).toBe(true);
    for (const [, n, , says] of read) if (n) expect(says).toBe(n === "1" ? "says" : "say");
  }
});

it("whoever does not say GO is named with the reason, the leg, the place and the time", () => {
  const at = { latitude: 47, longitude: -5.5, timestamp: "2026-09-17T18:00:00Z" };
  const ends = "2026-09-18T06:00:00Z";
  const models = [
    verdictOf("a", "GO"),
    verdictOf("b", "NO", { by: "gust_kt", leg: 1, at }),
    verdictOf("c", "cannot_say", {
      unknown: [
        { variable: "wave", limits: ["head_sea_m"], why: "lacks", from: null },
        { variable: "gust", limits: ["gust_kt"], why: "ends", from: ends },
      ],
    }),
  ];
  const all = models.map((says) => ({ says, plan: undefined, title: says.model.toUpperCase() }));
  expect(differenceLines(all, style)).toEqual([
    "B: NO, Gusts, leg 2 (Thu 17 Sep 18:00, 47°00.0′N 005°30.0′W)",
    "C cannot say: Waves: not in this model, Gusts: forecast ends before Fri 18 Sep 06:00",
  ]);
});

describe("departures by model", () => {
  const departures = ["a", "b", "c"];
  const plans = ["x", "y"].flatMap((model) => departures.map((one) => ({ model, departure: one })));
  const order = (balanced: number[]) => ({ order: { balanced } });
  const rows = departures.map((one) => compareModels(one, [verdictOf("x", "GO"), verdictOf("y", "GO")]));

  it("come by the model in which they stand worst", () => {
    // x prefers a, b, c; y prefers c, b, a: b is second in both.
    const answer = { plans, meta: order([0, 1, 2, 5, 4, 3]) } as unknown as PassageAnswer;
    expect(byWorst(answer, rows, "balanced").map(({ departure: one }) => one)).toEqual(["b", "a", "c"]);
    expect(byWorst(answer, rows.slice(2), "balanced")).toEqual([rows[2]]);
  });

  it("without agreement, that with most GO is the nearest, or most CAUTION, and none where nobody says either", () => {
    const of = (one: string, ...all: ModelVerdict["says"][]) =>
      compareModels(
        one,
        all.map((says, at) => verdictOf(`m${at}`, says)),
      );
    const go = of("b", "GO", "GO", "cannot_say");
    expect(nearestToGo([of("a", "GO", "NO", "NO"), of("c", "GO", "GO", "NO"), go])).toBe(go);
    const cautious = of("b", "NO", "CAUTION", "cannot_say");
    expect(nearestToGo([of("a", "NO", "CAUTION", "NO"), cautious])).toBe(cautious);
    expect(nearestToGo([of("a", "NO", "cannot_say")])).toBeUndefined();
  });
});
