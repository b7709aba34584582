import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSamples } from "#test/samples.ts";
import { demoDecks } from "./atcf.ts";

const HOUR = 3600;
const now = Date.parse("2026-09-15T12:00:00Z") / 1000;

function fieldsOf(deck: string): string[][] {
  return deck
    .trimEnd()
    .split("\n")
    .map((row) => row.split(",").map((field) => field.trim()));
}

/** Degrees of a deck's `1705E`. */
function degrees(text: string): number {
  const size = Number.parseInt(text, 10) / 10;
  return text.endsWith("S") || text.endsWith("W") ? -size : size;
}

it("writes the expected rows of a best track and of forecasts", () => {
  const decks = demoDecks(1, now);
  expect(decks.map(({ id, active }) => `${id} ${active}`)).toEqual([
    "wp212026 true",
    "sh062027 true",
    "al222026 true",
    "ep952026 true",
  ]);
  const [typhoon, southern, hurricane, invest] = decks;
  expect(typhoon!.bDeck.split("\n").slice(-3)).toMatchInlineSnapshot(`
    [
      "WP, 21, 2026091506,   , BEST,   0, 350N, 1656E,  50,  999, TS,  34, NEQ,   90,  105,   95,   35, 1010,  200,  30,  60,   0,   W,   0,    ,  48,  19,   DEMOPIER, M,",
      "WP, 21, 2026091506,   , BEST,   0, 350N, 1656E,  50,  999, TS,  50, NEQ,    0,   35,    0,    0, 1010,  200,  30,  60,   0,   W,   0,    ,  48,  19,   DEMOPIER, M,",
      "",
    ]
  `);
  expect(southern!.bDeck.split("\n").slice(-4)).toMatchInlineSnapshot(`
    [
      "SH, 06, 2026091506,   , BEST,   0, 177S,  708E, 105,  955, TY,  34, NEQ,  115,  160,  155,  105, 1010,  200,  15, 130,   0,   S,   0,    , 242,   9,   DEMOQUAY, D,",
      "SH, 06, 2026091506,   , BEST,   0, 177S,  708E, 105,  955, TY,  50, NEQ,   70,   70,   70,   65, 1010,  200,  15, 130,   0,   S,   0,    , 242,   9,   DEMOQUAY, D,",
      "SH, 06, 2026091506,   , BEST,   0, 177S,  708E, 105,  955, TY,  64, NEQ,   45,   50,   50,   45, 1010,  200,  15, 130,   0,   S,   0,    , 242,   9,   DEMOQUAY, D,",
      "",
    ]
  `);
  expect(southern!.aDeck!.split("\n").slice(-4)).toMatchInlineSnapshot(`
    [
      "SH, 06, 2026091506, 03, JTWC,  96, 282S,  688E,  50,  997, XX,  34, NEQ,   95,   90,   50,   90, 1010,  200,  25,  60,   0,   S,   0,    , 136,  13,           , M,",
      "SH, 06, 2026091506, 03, JTWC,  96, 282S,  688E,  50,  997, XX,  50, NEQ,   30,    0,    0,    0, 1010,  200,  25,  60,   0,   S,   0,    , 136,  13,           , M,",
      "SH, 06, 2026091506, 03, JTWC, 120, 321S,  740E,  40, 1007, XX,  34, NEQ,   60,   45,    0,   50, 1013,  200,  30,  50,   0,   S,   0,    , 131,  15,           , M,",
      "",
    ]
  `);
  expect(hurricane!.aDeck!.split("\n").slice(-8)).toMatchInlineSnapshot(`
    [
      "AL, 22, 2026091506, 03, OFCL,  60, 199N,  564W, 105,    0, HU,  50, NEQ,   70,   70,   65,   70, 1010,  200,  15, 130,   0,   L,   0,    , 308,  11,           , D,",
      "AL, 22, 2026091506, 03, OFCL,  60, 199N,  564W, 105,    0, HU,  64, NEQ,   50,   50,   45,   50, 1010,  200,  15, 130,   0,   L,   0,    , 308,  11,           , D,",
      "AL, 22, 2026091506, 03, OFCL,  72, 213N,  582W, 115,    0, HU,  34, NEQ,  135,  110,  105,  135, 1010,  200,  15, 140,   0,   L,   0,    , 313,  10,           , D,",
      "AL, 22, 2026091506, 03, OFCL,  72, 213N,  582W, 115,    0, HU,  50, NEQ,   75,   70,   65,   70, 1010,  200,  15, 140,   0,   L,   0,    , 313,  10,           , D,",
      "AL, 22, 2026091506, 03, OFCL,  72, 213N,  582W, 115,    0, HU,  64, NEQ,   50,   50,   45,   50, 1010,  200,  15, 140,   0,   L,   0,    , 313,  10,           , D,",
      "AL, 22, 2026091506, 03, OFCL,  96, 243N,  611W, 115,    0, HU,   0,    ,    0,    0,    0,    0, 1010,  200,  15, 140,   0,   L,   0,    , 327,  10,           , D,",
      "AL, 22, 2026091506, 03, OFCL, 120, 279N,  630W, 100,    0, HU,   0,    ,    0,    0,    0,    0, 1010,  200,  20, 120,   0,   L,   0,    ,   0,  10,           , D,",
      "",
    ]
  `);
  expect(invest!.bDeck.split("\n").slice(-2)).toMatchInlineSnapshot(`
    [
      "EP, 95, 2026091506,   , BEST,   0, 129N, 1156W,  25, 1006, DB,   0,    ,    0,    0,    0,    0, 1010,  200,  25,  30,   0,   E,   0,    , 283,   5,     INVEST, S,",
      "",
    ]
  `);
  expect(invest!.aDeck).toBeUndefined();
});

it("always has four active decks, one southern, one invest and one whose track crosses 180°", () => {
  for (let step = 0; step < 30; step++) {
    // Steps of 125 h meet every hour of the day and every phase of a cycle.
    const decks = demoDecks(1, now + step * 125 * HOUR);
    const active = decks.filter((deck) => deck.active);
    expect(active.map((deck) => deck.id.slice(0, 2))).toEqual(["wp", "sh", "al", "ep"]);
    expect(active.map((deck) => deck.aDeck === undefined)).toEqual([false, false, false, true]);
    const typhoon = active[0]!;
    const longitudes = [...fieldsOf(typhoon.bDeck), ...fieldsOf(typhoon.aDeck!)].map((row) =>
      degrees(row[7]!),
    );
    expect(Math.min(...longitudes)).toBeLessThan(-160);
    expect(Math.max(...longitudes)).toBeGreaterThan(170);
    expect(fieldsOf(active[1]!.bDeck).every((row) => row[6]!.endsWith("S"))).toBe(true);
    for (const ended of decks.filter((deck) => !deck.active)) expect(ended.aDeck).toBeUndefined();
  }
});

it("lists the deck of an ended storm for 24 h, without a forecast", () => {
  const ended = Array.from({ length: 50 }, (_, step) => demoDecks(1, now + step * 6 * HOUR))
    .flat()
    .filter((deck) => !deck.active);
  expect(new Set(ended.map((deck) => deck.id)).size).toBeGreaterThanOrEqual(4);
  expect(ended.length / new Set(ended.map((deck) => deck.id)).size).toBeCloseTo(4, 0);
});

it("gives a storm a stable id and name and a deck that grows with time", () => {
  const names = new Map<string, string>();
  for (let step = 0; step < 80; step++) {
    for (const deck of demoDecks(1, now + step * 12 * HOUR)) {
      const name = fieldsOf(deck.bDeck).at(-1)![27]!;
      if (names.has(deck.id)) expect(name).toBe(names.get(deck.id));
      names.set(deck.id, name);
      expect(name === "INVEST" ? deck.id.slice(2, 3) === "9" : /^DEMO[A-Z]{3,6}$/.test(name)).toBe(true);
    }
  }
});

describeWithSamples("against a real deck", (samples) => {
  it("has its columns in the same places", () => {
    const real = readFileSync(join(samples, "atcf/bdeck/bwp022023.dat"), "utf8")
      .split("\n")
      .find((row) => row.includes(" 64, NEQ"))!;
    const demo = demoDecks(1, now)[1]!
      .bDeck.split("\n")
      .find((row) => row.includes(" 64, NEQ"))!;
    const commas = (row: string) => [...row].flatMap((sign, at) => (sign === "," ? [at] : [])).slice(0, 28);
    expect(commas(demo)).toEqual(commas(real));
  });
});

describe("wind radii in the decks", () => {
  it("shrink as the wind rises, and 64 kt of an Atlantic storm ends at day 3", () => {
    for (const deck of demoDecks(1, now)) {
      for (const rows of [fieldsOf(deck.bDeck), fieldsOf(deck.aDeck ?? "")]) {
        const seen = new Map<string, { knots: number; reach: number }>();
        for (const row of rows.filter((fields) => Number(fields[11]) > 0)) {
          const fix = `${row[2]} ${row[5]}`;
          const reach = Math.max(...row.slice(13, 17).map(Number));
          const lower = seen.get(fix);
          if (lower) expect(reach).toBeLessThanOrEqual(lower.reach);
          seen.set(fix, { knots: Number(row[11]), reach });
          if (row[4] === "OFCL") expect(Number(row[5])).toBeLessThanOrEqual(72);
        }
      }
    }
  });
});
