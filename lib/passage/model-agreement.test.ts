import { expect, it } from "vitest";
import type { ModelVerdict } from "#lib/contract/passage-reply.ts";
import { verdictOf } from "#test/model-verdict.ts";
import { seeded } from "#test/seeded.ts";
import { agreementText, compareModels, joinComparisons } from "./model-agreement.ts";
import { sayings } from "./verdict.ts";

const departure = "2026-01-01T00:00:00Z";

const saying = (model: string, says: ModelVerdict["says"]) =>
  verdictOf(model, says, {
    text: `the cause of ${model}`,
    leg: 1,
    at: { latitude: 48, longitude: -5, timestamp: departure },
    ...(says === "cannot_say" && {
      by: null,
      unknown: [{ variable: "wave", limits: [], why: "lacks", from: null }],
    }),
  });

it("the sentence counts as a plain count does, names everybody once, and agrees only where all say the same", () => {
  const random = seeded(53);
  const seen = new Set<string>();
  for (let round = 0; round < 2000; round++) {
    const count = 1 + Math.floor(8 * random());
    // Few different verdicts, so that all of them are the same often enough.
    const kinds = 1 + Math.floor(4 * random());
    const first = Math.floor(4 * random());
    const models = Array.from({ length: count }, (_, at) =>
      saying(`m${at}`, sayings[(first + Math.floor(kinds * random())) % 4]!),
    );
    const { agreed, text } = compareModels(departure, models);
    const go = models.filter(({ says }) => says === "GO").length;
    const same = models.every(({ says }) => says === models[0]!.says);
    const all = same && models[0]!.says !== "cannot_say";
    expect(agreed).toBe(all ? models[0]!.says : null);
    seen.add(`${agreed} ${count > 1}`);
    expect(/^All/.test(text)).toBe(all && count > 1);
    expect(/^All \d models agree: GO$/.test(text)).toBe(go === count && count > 1);
    if (all) {
      expect(text).toBe(
        count === 1 ? `m0 says ${models[0]!.says}` : `All ${count} models agree: ${models[0]!.says}`,
      );
      continue;
    }
    const counted = /(\d) of (\d) models says? GO: ([^.]*)/.exec(text);
    expect(counted ? [counted[1], counted[2]] : undefined).toEqual(
      go > 0 ? [String(go), String(count)] : undefined,
    );
    for (const { model, says } of models) {
      expect(text.match(new RegExp(`\\b${model}\\b(?! ?of)`, "g"))!.length).toBeGreaterThan(0);
      expect(counted?.[3]?.split(", ").includes(model) ?? false).toBe(says === "GO");
      expect(text.includes(`${model} cannot say: it has no waves`)).toBe(says === "cannot_say");
      const isOther = says === "NO" || says === "CAUTION";
      expect(
        text.includes(`${model} says ${says}: the cause of ${model}, on leg 2 at 48, -5, ${departure}`),
      ).toBe(isOther);
    }
  }
  expect(seen.size).toBe(8);
});

it("a leg is named once, and a forecast ends before the first time that it does not know", () => {
  const coast = "Leg 2 passes 0.8 n mi off the coast";
  const near: ModelVerdict = { ...saying("a", "CAUTION"), by: "near_coast", text: coast };
  const short: ModelVerdict = {
    ...saying("b", "cannot_say"),
    unknown: [
      { variable: "wind", limits: [], why: "ends", from: departure },
      { variable: "current", limits: [], why: "outside", from: departure },
    ],
  };
  expect(agreementText([near, short])).toBe(
    `a says CAUTION: ${coast}, at 48, -5, ${departure}. ` +
      `b cannot say: the forecast of wind ends before ${departure}, the forecast of currents does not reach the place at ${departure}`,
  );
});

it("comparisons of parts join to that of all models, in their order", () => {
  const later = "2026-01-01T03:00:00Z";
  const [a, b, c] = [saying("a", "GO"), saying("b", "GO"), saying("c", "NO")];
  const parts = [
    [compareModels(departure, [a]), compareModels(later, [a])],
    [compareModels(departure, [b])],
    [compareModels(later, [b])],
    [compareModels(departure, [c]), compareModels(later, [saying("c", "GO")])],
  ];
  const joined = parts.reduce(joinComparisons);
  expect(joined).toEqual([
    compareModels(departure, [a, b, c]),
    compareModels(later, [a, b, saying("c", "GO")]),
  ]);
  expect(joined.map(({ agreed }) => agreed)).toEqual([null, "GO"]);
  expect(agreementText([])).toBe("");
});
