import { errorsByStandardLead } from "@open-metocean/storms/forecast-error";
import { expect, it } from "vitest";
import { renderInPage } from "#test/render.tsx";
import { BASE } from "#test/storms.ts";
import { ErrorTable } from "./storm-tables.tsx";

const place = { latitude: 20, longitude: 140 };

/** Errors of forecasts with one lead, six hours apart. */
const errorsOf = (fhr: number, count: number, miles: number, windKt: number | null) =>
  Array.from({ length: count }, (_, index) => ({
    issuedAt: BASE + index * 6 * 3600,
    fhr,
    time: BASE + (index * 6 + fhr) * 3600,
    forecast: place,
    observed: place,
    miles,
    alongMiles: miles,
    crossMiles: 0,
    windKt,
  }));
const table = (errors: ReturnType<typeof errorsOf>, bulletins = 9) =>
  renderInPage(<ErrorTable errors={errorsByStandardLead(errors)} bulletins={bulletins} provider="jma" />);
const rows = (html: string) =>
  [...html.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/tr>/g)].map(([, row = ""]) =>
    row
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );

it("shows the mean error of each lead with its number of forecasts, and of the wind with its sign", () => {
  const html = table([
    ...errorsOf(12, 6, 24.6, 8),
    ...errorsOf(24, 5, 60, -10),
    ...errorsOf(48, 5, 90, null),
  ]);
  expect(rows(html)).toEqual(["12 6 25 8 (+8)", "24 5 60 10 (−10)", "48 5 90 —"]);
  expect(html).toContain("10-minute means");
  expect(html).not.toContain("too few");
});

it("names the leads that are counted under a standard lead", () => {
  expect(
    rows(table([...errorsOf(45, 5, 80, 0), ...errorsOf(69, 5, 80, 0), ...errorsOf(72, 1, 9, 0)])),
  ).toEqual(["48 (45) 5 80 0 (±0)", "72 (69–72) 6 68 0 (±0)"]);
});

it("marks leads with too few forecasts, and says so when none can be compared yet", () => {
  const html = table(errorsOf(12, 2, 20, 5));
  expect(rows(html)).toEqual(["12 2 (few) 20 5 (+5)"]);
  expect(html).toContain("Fewer than 5 forecasts of a lead are too few");
  expect(table([], 1)).toContain("Too early: one bulletin is stored here");
  expect(table(errorsOf(0, 1, 0, 0))).toContain("Too early");
});
