import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { Catalog } from "./catalog.ts";
import { predictTide } from "./tide.ts";

const catalog = new Catalog(false);
const BREST = "ticon:brest-822-fra-uhslc_fd";
const now = parseInstant("2015-03-19T00:00:00Z");
const tide = (id: string, day: string, coefficient?: number) =>
  predictTide(catalog, catalog.station(id), { from: `${day}T00:00:00Z`, days: 1, now, coefficient });
const coefficients = (id: string, day: string) =>
  tide(id, day).extremes.flatMap((one) => (one.coefficient === undefined ? [] : [one.coefficient]));

it.each([
  ["2012-10-16", 109],
  ["2014-03-02", 115],
  ["2015-03-20", 115],
  ["2015-03-21", 119],
  ["2015-03-28", 38],
])("the largest coefficient of %s at Brest is %i", (day, most) => {
  expect(Math.max(...coefficients(BREST, day))).toBe(most);
});

it("the morning and the evening of 21 March 2015 have 118 and 119, at Brest and in the Channel", () => {
  expect(coefficients(BREST, "2015-03-21")).toEqual([118, 119]);
  const dunkirk = catalog.named("Dunkerque").find(({ country }) => country === "France")!;
  const waters = predictTide(catalog, dunkirk, { from: "2015-03-21T06:00:00Z", days: 1, now }).extremes;
  expect(waters.filter(({ type }) => type === "high").map(({ coefficient }) => coefficient)).toEqual([
    118, 119,
  ]);
});

it("the next great tide is the first with at least the requested coefficient", () => {
  expect(tide(BREST, "2015-03-10", 119).next_great_tide).toEqual({
    time: expect.stringMatching(/^2015-03-21T1[67]/),
    coefficient: 119,
  });
  const usual = tide(BREST, "2015-03-10").next_great_tide!;
  expect([usual.time.slice(0, 10), usual.coefficient >= 100]).toEqual(["2015-03-19", true]);
  expect(tide(BREST, "2015-04-01", 120).next_great_tide).toBeNull();
});

/** Every third of the nineteen years; `THOROUGH=1` takes all. */
const STEP_YEARS = process.env.THOROUGH === "1" ? 1 : 3;

it("low waters and stations elsewhere have no coefficient, and in years of a whole nodal cycle all are between 20 and 120", () => {
  expect(
    tide(BREST, "2026-09-14").extremes.every(
      ({ type, coefficient }) => (type === "high") === (coefficient !== undefined),
    ),
  ).toBe(true);
  const newlyn = tide("ticon:newlyn-new-gbr-bodc", "2026-09-14");
  expect([
    newlyn.next_great_tide,
    newlyn.extremes.some(({ coefficient }) => coefficient !== undefined),
  ]).toEqual([undefined, false]);
  for (let year = 2008; year < 2027; year += STEP_YEARS) {
    const all = predictTide(catalog, catalog.station(BREST), {
      from: `${year}-01-01T00:00:00Z`,
      days: 365,
      now,
    }).extremes;
    const values = all.flatMap(({ coefficient }) => coefficient ?? []);
    expect([Math.min(...values) >= 20, Math.max(...values) <= 120]).toEqual([true, true]);
  }
});
