import { expect, it } from "vitest";
import { coordinate, type Grid } from "#lib/field/grid.ts";
import { checkStep, statisticsOf } from "./check-step.ts";

const globe: Grid = {
  latitude: { start: -90, step: 5, count: 37 },
  longitude: { start: 0, step: 5, count: 72 },
};
const part: Grid = { ...globe, latitude: { start: -60, step: 5, count: 25 } };
const name = "northward_wind_10m";

/** A wind without a mean over the globe, somewhat stronger than usual, shifted by a constant. */
function wind({ latitude, longitude }: Grid, shift = 0): Float32Array {
  const columns = longitude.count;
  return Float32Array.from({ length: latitude.count * columns }, (_, i) => {
    const row = coordinate(latitude, Math.floor(i / columns));
    const column = coordinate(longitude, i % columns);
    return shift + 6 * Math.sin((column * Math.PI) / 30) + 3 * Math.cos((row * Math.PI) / 20);
  });
}

it("finds nothing in a step like the one before, and tells its statistics", () => {
  const values = wind(globe);
  const statistics = statisticsOf(values, globe.longitude.count);
  expect(checkStep(name, values, globe, undefined)).toEqual({
    statistics,
    fault: undefined,
    isDisputed: false,
  });
  expect(checkStep(name, values, globe, statistics)).toMatchObject({ fault: undefined, isDisputed: false });
});

it("disputes a step of which nothing is wrong but that it differs from the one before", () => {
  const before = statisticsOf(wind(part), part.longitude.count);
  expect(checkStep(name, wind(part, 20), part, before)).toMatchObject({
    fault: expect.stringMatching(/^the mean of northward_wind_10m jumps/),
    isDisputed: true,
  });
});

it("refuses without a dispute what is impossible, or missing where it never is, whatever was before it", () => {
  const before = statisticsOf(wind(globe), globe.longitude.count);
  expect(checkStep(name, wind(globe, 500), globe, before)).toMatchObject({
    fault: expect.stringMatching(/cannot be outside/),
    isDisputed: false,
  });
  const holed = wind(globe).map((value, i) => (i % 3 === 0 ? Number.NaN : value));
  const fault = expect.stringMatching(/^northward_wind_10m is missing at/);
  expect(checkStep(name, holed, globe, before)).toMatchObject({ fault, isDisputed: false });
  expect(checkStep(name, holed, globe, undefined)).toMatchObject({ fault, isDisputed: false });
  // Such a place is known of the globe only.
  expect(checkStep(name, wind(part), part, undefined).fault).toBeUndefined();
});

it("lets the mean of a region go where its weather goes, but not its missing values", () => {
  const region = { ...part, longitude: { ...part.longitude, count: 20 } };
  const before = statisticsOf(wind(region), region.longitude.count);
  expect(checkStep(name, wind(region, 20), region, before).fault).toBeUndefined();
  const holed = wind(region).map((value, i) => (i % 3 === 0 ? Number.NaN : value));
  expect(checkStep(name, holed, region, before).fault).toMatch(/is missing at/);
});
