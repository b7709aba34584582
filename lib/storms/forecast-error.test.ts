import { destination, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { aheadPoint, BASE, stormOf, trackPoint } from "../../test/storms.ts";
import { errorsByLead, errorsByStandardLead, type ForecastError, forecastErrors } from "./forecast-error.ts";

const start: Place = { latitude: 20, longitude: 179 };
/** The storm moved north-east at 20 km/h, across 180°. */
const was = (hour: number) => destination(start, 45, 20 * hour);
const observed = (hours: readonly number[]) =>
  hours.map((hour) => trackPoint(hour, was(hour), { vmax_kt: 60 + hour }));
const every6h = observed([0, 6, 12, 18, 24]);

/** A bulletin whose forecasts all miss the observed positions by the same bearing and distance. */
function bulletin(issued: number, hours: readonly number[], bearing: number, miles: number, kt = 0) {
  const points = hours.map((fhr) => ({
    ...aheadPoint(issued + fhr, destination(was(issued + fhr), bearing, miles * MILE_KM), {
      vmax_kt: 60 + issued + fhr + kt,
    }),
    fhr,
  }));
  const issuedAt = BASE + 3600 * issued;
  const forecast = { issued_at: issuedAt, cone_source: "nhc" as const, points };
  const entry = stormOf(points, { tracks: { observed: every6h, forecast } });
  return { issued_at: issuedAt, entry };
}

describe("the error of a forecast", () => {
  const errorOf = (bearing: number) => forecastErrors([bulletin(0, [12], bearing, 50)])[0]!;

  it("is the great-circle distance at the valid time, also across 180°", () => {
    for (const bearing of [0, 100, 200, 300]) expect(errorOf(bearing).miles).toBeCloseTo(50, 6);
  });

  it("is positive along the track where the forecast was too fast, and across it where it was to the right", () => {
    const { alongMiles: ahead } = errorOf(45);
    const { alongMiles: behind, crossMiles: neither } = errorOf(225);
    expect(ahead).toBeCloseTo(50, 1);
    expect(behind).toBeCloseTo(-50, 1);
    expect(neither).toBeCloseTo(0, 0);
    expect(errorOf(135).crossMiles).toBeCloseTo(50, 1);
    expect(errorOf(315).crossMiles).toBeCloseTo(-50, 1);
    const { miles, alongMiles, crossMiles } = errorOf(80);
    expect(Math.hypot(alongMiles!, crossMiles!)).toBeCloseTo(miles, 9);
  });

  it("has no direction where the storm did not move", () => {
    const { entry, issued_at } = bulletin(0, [12], 45, 50);
    entry.tracks.observed = [0, 6, 12, 18, 24].map((hour) => trackPoint(hour, start));
    expect(forecastErrors([{ issued_at, entry }])).toMatchObject([{ alongMiles: null, crossMiles: null }]);
  });

  it("is forecast minus observed wind, null where one is missing", () => {
    expect(forecastErrors([bulletin(0, [12], 0, 0, -15)])[0]!.windKt).toBe(-15);
    const missing = bulletin(0, [12], 0, 0);
    missing.entry.tracks.forecast!.points[0]!.vmax_kt = null;
    expect(forecastErrors([missing])[0]!.windKt).toBeNull();
  });

  it("needs a fix at that time or within 3 h on both sides", () => {
    const times = (fixes: readonly number[]) => {
      const given = bulletin(0, [0, 3, 9, 12, 24, 36], 90, 10);
      given.entry.tracks.observed = observed(fixes);
      return forecastErrors([given]).map(({ fhr }) => fhr);
    };
    expect(times([0, 6, 12, 18, 24])).toEqual([0, 3, 9, 12, 24]);
    expect(times([0, 12, 24])).toEqual([0, 12, 24]);
    expect(times([0, 5.5, 13, 18])).toEqual([0, 3]);
    expect(times([])).toEqual([]);
  });

  it("is measured against the last bulletin's track, once for each forecast", () => {
    const [first, again] = [bulletin(0, [12], 0, 30), bulletin(0, [12], 0, 40)];
    const last = bulletin(6, [12], 0, 20);
    const errors = forecastErrors([first, again, last]);
    expect(errors.map(({ issuedAt }) => (issuedAt - BASE) / 3600)).toEqual([0, 6]);
    expect(errors[0]!.miles).toBeCloseTo(40, 6);
    expect(forecastErrors([])).toEqual([]);
  });
});

describe("the errors of a lead", () => {
  it("are summarised by mean, median and number, with what they have in common", () => {
    const history = [
      bulletin(0, [6, 12], 45, 10, 10),
      bulletin(6, [6, 12], 45, 20, -20),
      bulletin(12, [6, 12], 225, 90, 1),
    ];
    const [six, twelve] = errorsByLead(forecastErrors(history));
    expect(six).toMatchObject({ fhr: 6, count: 3, windCount: 3 });
    expect(twelve).toMatchObject({ fhr: 12, count: 3 });
    expect(six!.meanMiles).toBeCloseTo(40, 6);
    expect(six!.medianMiles).toBeCloseTo(20, 6);
    expect(six!.alongMiles).toBeCloseTo(-20, 1);
    expect(Math.abs(six!.crossMiles!)).toBeLessThan(0.5);
    expect(six!.meanWindKt).toBeCloseTo(31 / 3, 9);
    expect(six!.windBiasKt).toBeCloseTo(-3, 9);
    const two = errorsByLead(forecastErrors(history.slice(1)));
    expect(two[0]!.medianMiles).toBeCloseTo(55, 6);
  });
});

const HOUR = 3600;
const place = { latitude: 20, longitude: 180 };

/** A forecast error of `miles`. @param issued Hours after the base time. */
const errorOf = (issued: number, fhr: number, miles: number): ForecastError => ({
  issuedAt: BASE + issued * HOUR,
  fhr,
  time: BASE + (issued + fhr) * HOUR,
  forecast: place,
  observed: place,
  miles,
  alongMiles: miles,
  crossMiles: 0,
  windKt: -5,
});

it("counts leads of 45, 69, 93 and 117 h under 48, 72, 96 and 120 h, and states them", () => {
  const { summaries } = errorsByStandardLead([45, 69, 93, 117].map((fhr) => errorOf(3, fhr, fhr)));
  expect(summaries.map(({ fhr, leads, count, meanMiles }) => [fhr, leads, count, meanMiles])).toEqual([
    [48, [45, 45], 1, 45],
    [72, [69, 69], 1, 69],
    [96, [93, 93], 1, 93],
    [120, [117, 117], 1, 117],
  ]);
});

it("counts a forecast that is issued again three hours later once, with its standard lead", () => {
  const { summaries } = errorsByStandardLead([
    errorOf(3, 45, 70),
    errorOf(0, 48, 80),
    errorOf(6, 48, 40),
    errorOf(9, 45, 10),
  ]);
  expect(summaries).toMatchObject([{ fhr: 48, leads: [48, 48], count: 2, meanMiles: 60 }]);
});

it("leaves out leads between the standard ones and counts them; the analysis is no forecast", () => {
  const errors = [0, 1, 6, 8, 9, 15, 18, 21, 30, 84].map((fhr) => errorOf(0, fhr, 10));
  const { summaries, uncounted } = errorsByStandardLead(errors);
  expect(summaries.map(({ fhr, leads }) => [fhr, leads])).toEqual([
    [12, [9, 15]],
    [24, [21, 21]],
  ]);
  // Six leads are not counted: 1, 6, 8, 18, 30 and 84 h.
  expect(uncounted).toBe(6);
  expect(errorsByStandardLead([])).toEqual({ summaries: [], uncounted: 0 });
});
