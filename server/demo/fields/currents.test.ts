import { beforeAll, expect, it } from "vitest";
import type { Grid } from "#lib/field/grid.ts";
import { DEGREE_KM } from "#lib/geo/sphere.ts";
import { nodesOf } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { demoWorld, fingerprint } from "#test/demo-world.ts";
import { circulation, currents } from "./currents.ts";

let world: World;
beforeAll(() => {
  world = demoWorld();
});

const time = Date.parse("2026-09-15T12:00:00Z") / 1000;
const DAY = 86_400;

function box(south: number, west: number, step: number, rows: number, columns: number): Grid {
  return { latitude: { start: south, step, count: rows }, longitude: { start: west, step, count: columns } };
}

const names = ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"] as const;

/** East and north at one place. */
function flow(latitude: number, longitude: number, when = time): [number, number] {
  const here = currents(world, { grid: box(latitude, longitude, 1, 1, 1), time: when });
  return [here[names[0]][0]!, here[names[1]][0]!];
}

it("has the same numbers in every chunk, across ±180 and in every convention of longitude", () => {
  const whole = currents(world, { grid: box(-60, 150, 1.25, 100, 60), time });
  for (const [row, column, rows, columns, turn] of [
    [0, 0, 100, 60, 360],
    [7, 11, 5, 13, 0],
    [41, 24, 9, 30, -360],
    [99, 59, 1, 1, -360],
    [12, 3, 20, 40, 360],
  ] as const) {
    const grid = box(-60 + 1.25 * row, 150 + 1.25 * column + turn, 1.25, rows, columns);
    const part = currents(world, { grid, time });
    for (const name of names) {
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          expect(part[name][r * columns + c]).toBe(whole[name][(row + r) * 60 + column + c]);
        }
      }
    }
  }
});

it("is missing on land and nowhere else, the North Pole included", () => {
  const grid = box(-90, -180, 1, 181, 360);
  const globe = currents(world, { grid, time });
  const land = landAt(world.static.land, nodesOf(grid));
  for (const name of names) {
    expect(Array.from(globe[name], Number.isNaN)).toEqual(Array.from(land, (dry) => dry === 1));
  }
});

it.each([
  ["the Gulf Stream", 30, -75],
  ["the Kuroshio", 32, 145],
  ["the equatorial Pacific", -2, -150],
  ["the Drake Passage", -60, -70],
  ["the antimeridian", -20, 178],
])("conserves water in %s", (_, south, west) => {
  const step = 0.02;
  const [rows, columns] = [150, 150];
  const grid = box(south, west, step, rows, columns);
  const { cosLatitude } = nodesOf(grid);
  const { [names[0]]: u, [names[1]]: v } = circulation(world, { grid, time });
  const metres = 2 * step * DEGREE_KM * 1000;
  let divergence = 0;
  let vorticity = 0;
  for (let row = 1; row < rows - 1; row++) {
    const cos = cosLatitude[row]!;
    for (let column = 1; column < columns - 1; column++) {
      const at = row * columns + column;
      const north = at + columns;
      const south = at - columns;
      const uEast = (u[at + 1]! - u[at - 1]!) / (metres * cos);
      const vEast = (v[at + 1]! - v[at - 1]!) / (metres * cos);
      const uNorth = (u[north]! * cosLatitude[row + 1]! - u[south]! * cosLatitude[row - 1]!) / (metres * cos);
      const vNorth = (v[north]! * cosLatitude[row + 1]! - v[south]! * cosLatitude[row - 1]!) / (metres * cos);
      divergence = Math.max(divergence, Math.abs(uEast + vNorth));
      vorticity = Math.max(vorticity, Math.abs(vEast - uNorth));
    }
  }
  expect(divergence / vorticity).toBeLessThan(1e-3);
});

it("flows along coasts rather than into them", () => {
  // Just off long, straight coasts: how much of the circulation crosses them, of all there is.
  const grid = box(-60, -180, 0.25, 480, 1440);
  const { [names[0]]: u, [names[1]]: v } = circulation(world, { grid, time });
  const coast = world.static.coastDistance;
  let across = 0;
  let all = 0;
  for (let row = 2; row < 478; row++) {
    for (let column = 2; column < 1438; column++) {
      const cell = (row + 120) * 1440 + column;
      if (!(coast[cell]! > 0 && coast[cell]! < 30)) continue;
      const east = coast[cell + 2]! - coast[cell - 2]!;
      const north = coast[cell + 2880]! - coast[cell - 2880]!;
      const length = Math.hypot(east, north);
      if (length < 60) continue;
      const at = row * 1440 + column;
      across += Math.abs(u[at]! * east + v[at]! * north) / length;
      all += Math.hypot(u[at]!, v[at]!);
    }
  }
  expect(across / all).toBeLessThan(0.45);
});

it("has the world's mean speed, and no current faster than any sea has", () => {
  const grid = box(-89, -180, 1, 180, 360);
  const { cosLatitude, columns } = nodesOf(grid);
  const globe = currents(world, { grid, time });
  let sum = 0;
  let area = 0;
  let fastest = 0;
  for (let at = 0; at < 180 * 360; at++) {
    const speed = Math.hypot(globe[names[0]][at]!, globe[names[1]][at]!);
    if (Number.isNaN(speed)) continue;
    const share = cosLatitude[Math.floor(at / columns)]!;
    sum += share * speed;
    area += share;
    fastest = Math.max(fastest, speed);
  }
  expect(sum / area).toBeGreaterThan(0.08);
  expect(sum / area).toBeLessThan(0.3);
  expect(fastest).toBeLessThan(4);
});

it.each([
  ["Gulf Stream", 35, 43, -62],
  ["Kuroshio extension", 32, 40, 150],
  ["Agulhas Return Current", -44, -36, 32],
  ["Circumpolar Current", -62, -46, -130],
])("the %s flows east", (_, south, north, longitude) => {
  const rows = Math.round((north - south) / 0.25) + 1;
  const line = currents(world, { grid: box(south, longitude, 0.25, rows, 1), time })[names[0]];
  expect(Math.max(...line)).toBeGreaterThan(0.45);
  expect(line.reduce((sum, u) => sum + u, 0)).toBeGreaterThan(0);
});

it("flows west along the equator and east in the counter current north of it", () => {
  const mean = (latitude: number) => {
    const row = currents(world, { grid: box(latitude, -170, 1, 1, 50), time })[names[0]];
    return row.reduce((sum, u) => sum + u, 0) / row.length;
  };
  for (const latitude of [-2, 0, 2.5]) expect(mean(latitude)).toBeLessThan(-0.08);
  expect(mean(7)).toBeGreaterThan(0.12);
});

it("has spring tides after new moon and neaps a week later", () => {
  // New moon on 11 September 2026.
  const strongest = (day: number) => {
    let most = 0;
    for (let hour = 0; hour < 25; hour += 0.5) {
      const when = Date.parse("2026-09-11T00:00:00Z") / 1000 + day * DAY + hour * 3600;
      const [u, v] = flow(51, 1.5, when);
      most = Math.max(most, Math.hypot(u, v));
    }
    return most;
  };
  expect(strongest(1.5)).toBeGreaterThan(0.8);
  expect(strongest(1.5)).toBeGreaterThan(1.6 * strongest(9));
});

it("turns the tide about every six hours", () => {
  const turns: number[] = [];
  let before = flow(51, 1.5, time)[0];
  for (let minute = 10; minute < 3 * 1440; minute += 10) {
    const now = flow(51, 1.5, time + 60 * minute)[0];
    if (Math.sign(now) !== Math.sign(before)) turns.push(minute);
    before = now;
  }
  expect(turns.length).toBeGreaterThanOrEqual(10);
  expect(turns.length).toBeLessThanOrEqual(12);
});

it("changes smoothly with time", () => {
  const grid = box(20, -80, 2, 20, 40);
  let hour = currents(world, { grid, time })[names[0]];
  for (let step = 1; step <= 6; step++) {
    const next = currents(world, { grid, time: time + 600 * step })[names[0]];
    for (let at = 0; at < next.length; at++) {
      if (!Number.isNaN(next[at]!)) expect(Math.abs(next[at]! - hour[at]!)).toBeLessThan(0.2);
    }
    hour = next;
  }
});

it("is the same planet on every machine", () => {
  const globe = currents(world, { grid: box(-75, -180, 3, 52, 120), time });
  expect(names.map((name) => fingerprint(globe[name], 0.02))).toMatchInlineSnapshot(`
    [
      "50ca6aba",
      "174fdb20",
    ]
  `);
});

it("has other eddies on another seed", () => {
  const grid = box(30, -70, 1, 5, 5);
  const one = currents(world, { grid, time })[names[0]];
  const other = currents({ ...world, seed: 2 }, { grid, time })[names[0]];
  expect(other).not.toEqual(one);
});
