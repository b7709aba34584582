import { type Bulletin, type Report, stormId } from "@open-metocean/storms/bulletin";
import { jtwcBulletins } from "@open-metocean/storms/from-jtwc";
import { expect, it } from "vitest";
import { BASE, fix, parsed, report } from "#test/storm-feed.ts";

const HOUR = 3600;

const newYear = Date.parse("2027-01-01T00:00:00Z") / 1000;

it("keeps one storm over New Year, at once and one text after the other", () => {
  const hour = (newYear - BASE) / HOUR;
  const deck = report({ number: 30, observed: [fix(hour - 12, 10, 140), fix(hour - 6, 10.5, 139)] });
  const warning = (at: number, more: Partial<Report> = {}) =>
    report({
      source: "warning",
      number: 30,
      season: 2027,
      issued: newYear + (at + 3) * HOUR,
      observed: [fix(hour + at, 11 + at / 12, 138 - at / 6)],
      ...more,
    });
  const now = newYear + 9 * HOUR;
  const at = (...texts: Report[][]) => {
    let known: Bulletin[] = [];
    for (const text of texts) known = jtwcBulletins(parsed(...text), known, now);
    return known;
  };
  const whole = at([deck, warning(0), warning(6)]);
  expect(whole.map(stormId)).toEqual(["WP302026"]);
  expect(whole[0]!.observed).toHaveLength(4);
  expect(at([deck], [warning(0)], [warning(6)])).toEqual(whole);
  // A deck that has gone, and a final warning of the new year.
  expect(at([deck], [warning(6, { isFinal: true })])).toMatchObject([{ season: 2026, isFinal: true }]);
  // A storm of the new season elsewhere.
  expect(
    at([deck, warning(6, { number: 1 })])
      .map(stormId)
      .toSorted(),
  ).toEqual(["WP012027", "WP302026"]);
});

it("keeps one invest over New Year under the id it had first, although an outlook names no year", () => {
  const hour = (newYear - BASE) / HOUR;
  const invest = { number: 91, isInvest: true };
  const deck = report({
    ...invest,
    observed: [-18, -12, -6, 0].map((at) => fix(hour + at, 7, 134 - at / 12)),
  });
  const outlook = report({
    ...invest,
    source: "outlook",
    season: 2027,
    issued: newYear + 6 * HOUR,
    observed: [fix(hour + 6, 7.2, 133.4)],
  });
  const at = (...texts: Report[][]) => {
    let known: Bulletin[] = [];
    for (const text of texts) known = jtwcBulletins(parsed(...text), known, newYear + 7 * HOUR);
    return known.map(({ observed, aliases, ...rest }) => [stormId(rest), aliases, observed.length]);
  };
  expect(at([deck, outlook])).toEqual([["WP912026", ["WP912027"], 5]]);
  expect(at([deck], [outlook])).toEqual([["WP912026", ["WP912027"], 5]]);
  expect(at([deck], [outlook], [deck, outlook])).toEqual([["WP912026", ["WP912027"], 5]]);
  // An invest that is first known from the outlook has the outlook's year; the deck that comes later does not change the id.
  expect(at([outlook])).toEqual([["WP912027", undefined, 1]]);
  expect(at([outlook], [deck, outlook], [deck])).toEqual([["WP912027", ["WP912026"], 5]]);
  // Another invest that has the number some days later is another one, although the deck of the old year stays.
  const old = report({ ...invest, observed: [fix(hour - 78, 7, 140), fix(hour - 72, 7, 139)] });
  expect(at([old, outlook])).toEqual([["WP912027", undefined, 1]]);
});

it("ends an invest over New Year by a text of the new year that has no position", () => {
  const hour = (newYear - BASE) / HOUR;
  const invest = { number: 91, isInvest: true };
  const deck = report({ ...invest, observed: [-12, -6].map((at) => fix(hour + at, 7, 134)) });
  const over = (at: number): Report =>
    report({
      ...invest,
      source: "outlook",
      season: 2027,
      isFinal: true,
      observed: [],
      issued: newYear + at * HOUR,
    });
  const read = (known: Bulletin[], at: number, ...texts: Report[]) =>
    jtwcBulletins(parsed(...texts), known, newYear + at * HOUR);
  const known = read([], 1, deck);
  expect(read(known, 6, deck, over(6))).toMatchObject([{ season: 2026, isFinal: true }]);
  expect(read(known, 6, over(6))).toMatchObject([{ season: 2026, isFinal: true }]);
  expect(read([], 6, deck, over(6))).toMatchObject([{ season: 2026, isFinal: true }]);
  // The text is about another invest that had the number before.
  expect(read(known, 6, deck, over(-72))).toMatchObject([{ season: 2026, isFinal: false }]);
});
