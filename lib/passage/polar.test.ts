import { describe, expect, it } from "vitest";
import { RADIANS } from "#lib/geo/sphere.ts";
import { seeded } from "#test/seeded.ts";
import {
  genericPolar,
  genericPolars,
  type Polar,
  PolarError,
  polarSpeed,
  readPolar,
  sailed,
} from "./polar.ts";

/** Best speed made good to windward (1) or to leeward (−1), by trying every quarter of a degree. */
function bestMadeGood(polar: Polar, wind: number, sign: 1 | -1): number {
  let best = 0;
  for (let angle = 0; angle <= 180; angle += 0.25)
    best = Math.max(best, sign * polarSpeed(polar, angle, wind) * Math.cos(angle * RADIANS));
  return best;
}

function expectBestProgress(polar: Polar, winds: readonly number[]): void {
  for (const wind of winds)
    for (const sign of [1, -1] as const) {
      const best = bestMadeGood(polar, wind, sign);
      expect(sailed(polar, sign > 0 ? 0 : 180, wind).madeGood, `${wind} kn`).toBeGreaterThanOrEqual(
        0.98 * best,
      );
    }
}

describe("light wind is sailed within 2 % of the best progress", () => {
  const winds = [0.5, 1, 2, 3, 4, 5];

  it("where the table begins with a wind of zeros", () => {
    const zeros =
      "TWA\\TWS;0;4;8\n0;0;0;0\n35;0;1.5;4\n45;0;2.5;5\n60;0;3.4;5.6\n120;0;3.5;6\n150;0;2;5\n180;0;1;4";
    expectBestProgress(readPolar(zeros), winds);
  });

  it("where the boat makes no way to windward in the first wind", () => {
    const polar = readPolar(
      "TWA\\TWS;2;4;6\n0;0;0;0\n45;0;2;4\n60;0;3;4.5\n90;1;3;5\n140;0.5;2;4\n180;0;1;3",
    );
    expectBestProgress(polar, winds);
    expect(sailed(polar, 0, 3).by).toBe("tacking");
  });

  it("by our own polars, and by ones at random", () => {
    for (const name of genericPolars) expectBestProgress(readPolar(genericPolar(name)), winds);
    const random = seeded(11);
    for (let round = 0; round < 30; round++) {
      const first = Math.floor(4 * random());
      const row = (angle: number) => {
        const fast = Math.sin((angle * Math.PI) / 240) * (0.7 + 0.3 * random());
        return [0, 4, 8, 12].map((wind, at) => (at < first - 1 ? 0 : wind * fast * random())).join(";");
      };
      const angles = [0, 20, 30, 40, 50, 60, 75, 90, 110, 130, 150, 165, 180];
      const rows = angles.map((angle) => `${angle};${angle < 30 ? "0;0;0;0" : row(angle)}`);
      expectBestProgress(readPolar(["TWA;0;4;8;12", ...rows].join("\n")), [...winds, 7, 9, 11]);
    }
  });
});

describe("a polar is read", () => {
  const plain = readPolar("TWA\\TWS;6;8\n40;5;6\n90;0.5;7.5\n180;4;5");

  it.each([
    ["commas", "TWA\\TWS,6,8\n40,5,6\n90,.5,7.5\n180,4,5\n"],
    ["commas and spaces", "twa/tws, 6, 8\n40, 5, 6\n90, .5, 7.5\n180, 4, 5\n"],
    ["spaces", "  TWA/TWS   6   8\n   40  5   6\n  90   ,5  7,5\n 180  4.  5\n"],
    [
      "a title, and separators at the ends",
      "A boat; 40 feet\nTWA\\TWS;6;8;\n40;5;6;\n90;.5;7.5;\n180;4;5;\n",
    ],
    ["angles in another order", "TWA\t6\t8\n90\t0.5\t7.5\n40\t5\t6\n180\t4\t5\n"],
    ["Expedition's form", "!Expedition polar\n! mine\n6\t40\t5\t90\t.5\t180\t4\n8\t40\t6\t90\t7.5\t180\t5\n"],
    [
      "Expedition's form, decimal commas",
      "!Expedition polar\n6 40 5 90 0,5 180 4\n8; 40; 6; 90; 7,5; 180; 5\n",
    ],
    ["Expedition's form, commas alone", "!Expedition polar\n6,40,5,90,.5,180,4\n8, 40, 6, 90, 7.5, 180, 5\n"],
    [
      "Expedition's form, the stronger wind first",
      "!Expedition polar - b\nTWS TWA BSP\n8 180 5 90 7.5 40 6\n6 40 5 90 0.5 180 4\n",
    ],
  ])("with %s", (_, text) => expect(readPolar(text)).toEqual(plain));

  it("with the rows of ORC, which have the best angles of single winds", () => {
    const { angles, winds, speeds } = readPolar(
      "twa/tws;6;8\n0;0;0\n43;3;0\n41;0;4\n53;5;6\n150;4;5\n145;4.5;0\n155;0;4.6\n145;0;5.4\n",
    );
    expect(winds).toEqual([6, 8]);
    expect(angles).toEqual([0, 41, 43, 53, 145, 150, 155]);
    // Nearer to the wind than its best angle a boat does not sail; between two speeds there is no 0.
    expect(speeds.map(([six]) => six)).toEqual([0, 0, 3, 5, 4.5, 4, 0]);
    const [, eight] = [0, speeds.map((row) => row[1]!)];
    expect(eight[2]).toBeCloseTo(4 + (2 * 2) / 12, 9);
    expect([eight[1], ...eight.slice(3)]).toEqual([4, 6, 5.4, 5, 4.6]);
  });

  it("with empty cells, and rows of different angles, as if they had been left out", () => {
    const polar = readPolar("TWA;4;6;8\n40;;4;\n50;;;6\n60;;5;7\n90;;;8\n120;;6;\n");
    expect(polar.winds).toEqual([6, 8]);
    expect(polarSpeed(polar, 50, 6)).toBeCloseTo(4.5, 9);
    expect(polarSpeed(polar, 90, 6)).toBeCloseTo(5.5, 9);
    expect(polarSpeed(polar, 40, 8)).toBeCloseTo((6 * 40) / 50, 9);
    expect(polarSpeed(polar, 120, 8)).toBe(8);
  });

  it("with tabs, where the last cell of a row is empty", () => {
    expect(readPolar("TWA\t6\t8\n40\t4\t\n90\t5\t6\n").speeds[0]![1]).toBeCloseTo((6 * 40) / 90, 9);
  });

  it("without a wind of zeros between others, but with weaker ones", () => {
    expect(readPolar("TWA;0;4;6;8\n40;0;2;0;6\n90;0;3;0;7").winds).toEqual([0, 4, 8]);
  });

  it.each([
    ["TWA;6;8\n40;5;5\n90;5;6\n40;4;6", "Line 4 of the polar has another speed for the angle 40"],
    ["TWA;6;8\n40;5\n90;5;6", "Line 2 of the polar has 1 speeds for 2 winds"],
    ["TWA;6;x\n40;5;6", "“x” where a number should be"],
    ["TWA;6;8\n40;0x5;5\n90;5;6", "“0x5”"],
    ["TWA;6;8\n;5;5\n90;5;6", "“” where a number should be"],
    ["!Expedition polar\n6 40 5 90\n", "Line 2 of the polar should have a wind of its own"],
    ["!Expedition polar\n6 40 5\n6 90 6\n", "Line 3 of the polar should have a wind of its own"],
    ["!Expedition polar\n6 40 5 90 x\n", "“x”"],
    ["!Expedition polar\n", "at least one wind"],
    [
      `!Expedition polar\n${Array.from({ length: 9000 }, (_, at) => `${at} 1.${at} 1`).join("\n")}`,
      "at most 200 winds",
    ],
  ])("or it says what is wrong: %j", (wrong, message) => {
    expect(() => readPolar(wrong)).toThrow(PolarError);
    expect(() => readPolar(wrong)).toThrow(message);
  });
});
