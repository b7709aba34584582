import { expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { orderShownBy, readTime, readTimeOfDay } from "./read-time.ts";

const noon = Date.parse("2026-09-14T12:00:00Z") / 1000;

const spellings = `
  2026-09-14T12:00:00Z | 2026-09-14 12:00 | 2026-09-14T14:00+02:00 | 2026-09-14T14:00+02 | 2026-09-14T10:30:00.2-0130
  2026/09/14 12:00 | 14/09/2026 12:00 | 14/09/2026, 12:00 UTC | 14/09/2026 12:00 PM | 14/09/2026 14:00 +0200
  14.09.2026 12:00 | 14. 9. 2026 12.00 | 14.09.2026 12:00 Uhr | 14/09/2026 12h00
  20260914 1200 | 20260914T120000Z | 202609141200 | 2026091412
  14 Sep 2026 12:00 | Mon, 14 Sep 2026 12:00:00 GMT | September 14, 2026 12:00 | Sep 14, 2026, 12:00 pm
  14. September 2026 12:00 | 14 septembre 2026 12:00 | 14 de septiembre de 2026 12:00 | 14 de setembro de 2026 12:00
  2026年9月14日12時00分 | 2026年09月14日 12时 | ２０２６/０９/１４ １２:００
  ${noon} | ${noon}.2 | ${1000 * noon} | ${noon / 86_400 + 25_569}`;

it.each(spellings.trim().split(/\s*[|\n]\s*/))("the time %s", (text) => {
  expect(readTime(text, "day-month")).toBe(noon);
});

it.each([
  ["1 März 2026", "2026-03-01"],
  ["1er août 2026", "2026-08-01"],
  ["15 déc. 2026", "2026-12-15"],
  ["3 ene 2026", "2026-01-03"],
  ["5 mai 2026", "2026-05-05"],
  ["5 juin 2026", "2026-06-05"],
  ["5 juillet 2026", "2026-07-05"],
  ["5 out 2026", "2026-10-05"],
  ["20260914", "2026-09-14"],
  ["14/09/2026 24:00", "2026-09-15"],
])("the day %s", (text, day) => {
  expect(readTime(text, "day-month")).toBe(Date.parse(`${day}T00:00:00Z`) / 1000);
});

it("has the month first only where that is the order", () => {
  expect(readTime("03/04/2026", "month-day")).toBe(Date.parse("2026-03-04T00:00:00Z") / 1000);
  expect(readTime("03/04/2026", "day-month")).toBe(Date.parse("2026-04-03T00:00:00Z") / 1000);
  expect(readTime("03.04.2026", "month-day")).toBe(Date.parse("2026-04-03T00:00:00Z") / 1000);
  expect(
    ["14/09/2026", "09/14/2026", "03/04/2026", "04/04/2026", "2026-09-14", "03.04.2026"].map(orderShownBy),
  ).toEqual(["day-month", "month-day", "either", undefined, undefined, undefined]);
});

it("takes the offset of a column off times without a zone only", () => {
  for (const text of ["14/09/2026 14:00", "2026-09-14 14:00", "2026-09-14T12:00Z"])
    expect(readTime(text, "day-month", 7200)).toBe(noon);
});

const wrong =
  " | 12:00 | soon | 2026-02-30 | 31/11/2026 | 14/13/2026 | 14/09/26 | 14/09/2026 25:00 | 14/09/2026 12 | " +
  "14/09/2026 12:60 | 14/09/2026 12:00 CEST | 14 Foo 2026 | 20261332 | 12 | 99999999999999999999";

it.each(wrong.split("|"))("is no time: %j", (text) => {
  expect(readTime(text, "day-month")).toBeNaN();
});

it.each([
  ["12:00", 43_200],
  ["1200", 43_200],
  ["12h30", 45_000],
  ["12.30", 45_000],
  ["7:05:09", 25_509],
  ["7 pm", 68_400],
  ["12:00 am", 0],
  ["1200Z", 43_200],
  ["0.5", 43_200],
])("the time of day %s", (text, seconds) => {
  expect(readTimeOfDay(text)).toBe(seconds);
});

it("never takes long, and gives a number whatever is written", () => {
  const random = seeded(3);
  const signs = [..."0123456789 /-.:TZ+年月日時amp,", "sep", "  "];
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: 30 * random() }, () => signs[Math.floor(random() * signs.length)]).join(
      "",
    );
    expect(typeof readTime(text, "day-month")).toBe("number");
  }
  expect(readTime(`${"1 ".repeat(50_000)}x`, "day-month")).toBeNaN();
});
