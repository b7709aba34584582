import { strided } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { globeGrid } from "#test/map.ts";
import { planView } from "./view-plan.ts";

function levels(step: number, strides: number[]) {
  const { latitude, longitude } = globeGrid(step);
  return strides.map((stride) => {
    const grid = { latitude: strided(latitude, stride), longitude: strided(longitude, stride) };
    const whole = { rows: grid.latitude.count, columns: grid.longitude.count };
    return { level: String(stride), grid, chunk: stride * step >= 1 ? whole : { rows: 362, columns: 360 } };
  });
}
const quarter = levels(0.25, [1, 2, 4]);
const twelfth = levels(1 / 12, [1, 6, 12]);
const globe = { south: -80, north: 80, west: -180, east: 180 };
const biscay = { south: 43, north: 49, west: -10, east: -1 };

it("reads only the coarsest level while the view is unknown, or where a finer one does not reach", () => {
  expect(planView(quarter, undefined)).toMatchObject([{ level: "4", names: ["all"], isWhole: true }]);
  const regional = quarter.map(({ level }) => {
    const axis = { start: 40, step: 0.25 * Number(level), count: 80 / Number(level) };
    return { level, grid: { latitude: axis, longitude: axis }, chunk: { rows: 80, columns: 80 } };
  });
  const elsewhere = { south: -50, north: -40, west: 50, east: 60 };
  expect(planView(regional, elsewhere)).toMatchObject([{ level: "4" }]);
});

it("reads all of 0.25° for the globe, and the chunks in view for less, on one grid", () => {
  const [, all] = planView(quarter, globe);
  expect(all).toMatchObject({ level: "1", isWhole: true });
  expect(all?.names).toHaveLength(8);
  const fine = { level: "1", names: ["1.1"], isWhole: false, grid: quarter[0]?.grid };
  expect(planView(quarter, biscay)).toMatchObject([{ level: "4" }, fine]);
});

it("draws a grid that is too fine for the globe as a window, and a coarser level in a wide view", () => {
  expect(planView(twelfth, globe)[1]?.level).toBe("6");
  const [, near] = planView(twelfth, biscay);
  expect(near).toMatchObject({ level: "1", isWhole: true });
  const { latitude, longitude } = near!.grid;
  expect(latitude.count * longitude.count).toBeLessThan(1.2e6);
  expect(latitude.start).toBeLessThanOrEqual(43);
  expect(longitude.start + longitude.count / 12).toBeGreaterThanOrEqual(-1);
});
