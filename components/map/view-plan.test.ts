import { expect, it } from "vitest";
import { strided } from "#lib/field/grid.ts";
import { planView } from "./view-plan.ts";

function levels(step: number, strides: number[], chunk: { rows: number; columns: number }) {
  const latitude = { start: -90, step, count: 180 / step + 1 };
  const longitude = { start: -180, step, count: 360 / step };
  return strides.map((stride) => {
    const grid = { latitude: strided(latitude, stride), longitude: strided(longitude, stride) };
    const whole = { rows: grid.latitude.count, columns: grid.longitude.count };
    return { level: String(stride), grid, chunk: stride * step >= 1 ? whole : chunk };
  });
}

const quarter = levels(0.25, [1, 2, 4], { rows: 362, columns: 360 });
const twelfth = levels(1 / 12, [1, 6, 12], { rows: 362, columns: 360 });
const globe = { south: -80, north: 80, west: -180, east: 180 };
const biscay = { south: 43, north: 49, west: -10, east: -1 };

it("reads only the coarsest level while the view is unknown", () => {
  expect(planView(quarter, undefined)).toMatchObject([{ level: "4", names: ["all"], isWhole: true }]);
});

it("reads all of 0.25° for the globe, and the chunks in view for less, on one grid", () => {
  const [, all] = planView(quarter, globe);
  expect(all).toMatchObject({ level: "1", isWhole: true });
  expect(all?.names).toHaveLength(8);
  const [coarse, fine] = planView(quarter, biscay);
  expect(coarse?.level).toBe("4");
  expect(fine).toMatchObject({ level: "1", names: ["1.1"], isWhole: false, grid: quarter[0]?.grid });
});

it("draws a grid that is too fine for the globe as a window, and a coarser level in a wide view", () => {
  const [, wide] = planView(twelfth, globe);
  expect(wide?.level).toBe("6");
  const [, near] = planView(twelfth, biscay);
  expect(near).toMatchObject({ level: "1", isWhole: true });
  const { latitude, longitude } = near!.grid;
  expect(latitude.count * longitude.count).toBeLessThan(1.2e6);
  expect(latitude.start).toBeLessThanOrEqual(43);
  expect(longitude.start + longitude.count / 12).toBeGreaterThanOrEqual(-1);
});

it("stays with the coarsest level where a finer one does not reach", () => {
  const regional = quarter.map(({ level }) => {
    const axis = { start: 40, step: 0.25 * Number(level), count: 80 / Number(level) };
    return { level, grid: { latitude: axis, longitude: axis }, chunk: { rows: 80, columns: 80 } };
  });
  expect(
    planView(regional, { south: -50, north: -40, west: 50, east: 60 }).map(({ level }) => level),
  ).toEqual(["4"]);
});
