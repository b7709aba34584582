import { beforeAll, describe, expect, it } from "vitest";
import type { Grid } from "#lib/field/grid.ts";
import { cyclones } from "#server/demo/cyclones/vortex.ts";
import { nodesOf } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { demoWorld, fingerprint } from "#test/demo-world.ts";
import { iceCover } from "./sst.ts";
import { type Waves, waves } from "./waves.ts";
import { windSea } from "./wind-sea.ts";

let world: World;
beforeAll(() => {
  world = demoWorld();
});

const time = Date.parse("2026-09-15T12:00:00Z") / 1000;
const systems = ["sea_surface_wave", "sea_surface_wind_wave", "sea_surface_swell_wave"] as const;

function box(south: number, west: number, step: number, rows: number, columns: number): Grid {
  return { latitude: { start: south, step, count: rows }, longitude: { start: west, step, count: columns } };
}

const at = (latitude: number, longitude: number, when = time) =>
  waves(world, { grid: box(latitude, longitude, 1, 1, 1), time: when });
const height = (seas: Waves) => seas.sea_surface_wave_significant_height[0]!;

it("has the same numbers in every chunk, across ±180 and in every convention of longitude", () => {
  const whole = waves(world, { grid: box(-60, 150, 0.5, 100, 140), time });
  for (const [row, column, rows, columns, turn] of [
    [0, 0, 100, 140, 360],
    [17, 31, 5, 13, 0],
    [41, 59, 9, 80, -360],
    [99, 139, 1, 1, -360],
    [12, 3, 20, 40, 360],
  ] as const) {
    const grid = box(-60 + 0.5 * row, 150 + 0.5 * column + turn, 0.5, rows, columns);
    const part = waves(world, { grid, time });
    for (const name of Object.keys(whole) as (keyof Waves)[]) {
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          expect(part[name][r * columns + c]).toBe(whole[name][(row + r) * 140 + column + c]);
        }
      }
    }
  }
});

it("has the same numbers in a chunk as around the whole globe", () => {
  const globe = waves(world, { grid: box(-90, -180, 2.5, 73, 144), time });
  const part = waves(world, { grid: box(-60, 100, 2.5, 30, 50), time });
  for (const name of Object.keys(globe) as (keyof Waves)[]) {
    for (let row = 0; row < 30; row++) {
      for (let column = 0; column < 50; column++) {
        expect(part[name][row * 50 + column]).toBe(globe[name][(row + 12) * 144 + ((column + 112) % 144)]);
      }
    }
  }
});

describe.each(["2026-01-15T00:00:00Z", "2026-07-03T09:00:00Z", "2026-09-15T12:00:00Z"])(
  "around the globe at %s",
  (when) => {
    const grid = box(-90, -180, 1, 181, 360);
    let seas: Waves;
    /** 1 on land and within the ice. */
    let shut: Uint8Array;
    beforeAll(() => {
      const patch = { grid, time: Date.parse(when) / 1000 };
      seas = waves(world, patch);
      // The swell's lattice smooths the edge of the ice: what lies near it may be either.
      const ice = iceCover(world, patch);
      const missing = seas.sea_surface_wave_significant_height;
      shut = landAt(world.static.land, nodesOf(grid));
      for (let node = 0; node < shut.length; node++) {
        if (ice[node]! > 0.5 && Number.isNaN(missing[node])) shut[node] = 1;
      }
    });

    it("is missing on land and within the ice, and nowhere else", () => {
      for (const values of Object.values(seas)) {
        expect(Array.from(values, Number.isNaN)).toEqual(Array.from(shut, (dry) => dry === 1));
      }
    });

    it("adds up the squares of the heights", () => {
      let worst = 0;
      for (let node = 0; node < shut.length; node++) {
        if (shut[node] === 1) continue;
        const total = seas.sea_surface_wave_significant_height[node]!;
        const sum = Math.hypot(
          seas.sea_surface_wind_wave_significant_height[node]!,
          seas.sea_surface_swell_wave_significant_height[node]!,
        );
        worst = Math.max(worst, Math.abs(total - sum));
      }
      expect(worst).toBeLessThan(1e-5);
    });

    it.each(systems)("has no %s steeper than 1 in 14", (system) => {
      let steepest = 0;
      let longest = 0;
      for (let node = 0; node < shut.length; node++) {
        if (shut[node] === 1) continue;
        const period = seas[`${system}_mean_period`][node]!;
        steepest = Math.max(steepest, seas[`${system}_significant_height`][node]! / (1.56 * period * period));
        longest = Math.max(longest, period);
      }
      expect(steepest).toBeLessThan(1 / 14);
      expect(longest).toBeLessThan(18);
    });

    it.each(systems)("gives the direction of %s as a unit vector", (system) => {
      let worst = 0;
      for (let node = 0; node < shut.length; node++) {
        if (shut[node] === 1) continue;
        const length = Math.hypot(
          seas[`${system}_from_direction_x`][node]!,
          seas[`${system}_from_direction_y`][node]!,
        );
        worst = Math.max(worst, Math.abs(length - 1));
      }
      expect(worst).toBeLessThan(1e-5);
    });

    it("has the world's mean height", () => {
      const { cosLatitude } = nodesOf(grid);
      let sum = 0;
      let area = 0;
      for (let node = 0; node < shut.length; node++) {
        if (shut[node] === 1) continue;
        const share = cosLatitude[Math.floor(node / 360)]!;
        sum += share * seas.sea_surface_wave_significant_height[node]!;
        area += share;
      }
      expect(sum / area).toBeGreaterThan(1.5);
      expect(sum / area).toBeLessThan(3);
    });
  },
);

it("is highest near a strong cyclone", () => {
  const strongest = cyclones(1, time).reduce((one, other) => (other.windKnots > one.windKnots ? other : one));
  const near = waves(world, {
    grid: box(strongest.latitude - 2, strongest.longitude - 2, 0.125, 33, 33),
    time,
  });
  const highest = Math.max(...near.sea_surface_wave_significant_height);
  expect(strongest.windKnots).toBeGreaterThan(90);
  expect(highest).toBeGreaterThan(10);
  expect(highest).toBeLessThan(25);
});

it("is sheltered from the swell by land", () => {
  // Westerly swell of the south on the two coasts of the South Island and of Tasmania, over a month.
  let exposed = 0;
  let sheltered = 0;
  for (let day = 0; day < 30; day += 3) {
    const swell = (latitude: number, longitude: number) =>
      at(latitude, longitude, time + day * 86_400).sea_surface_swell_wave_significant_height[0]!;
    exposed += swell(-43.5, 168) + swell(-42, 143.5);
    sheltered += swell(-43.2, 174) + swell(-42, 149.5);
  }
  expect(sheltered).toBeLessThan(0.75 * exposed);
});

it("has little swell in closed seas", () => {
  for (const [latitude, longitude] of [
    [42, 51],
    [43.5, 34],
    [58, 20],
  ] as const) {
    expect(at(latitude, longitude).sea_surface_swell_wave_significant_height[0]).toBeLessThan(0.5);
  }
});

it("has no seas within the ice of the Pole", () => {
  expect(height(at(89, 30, Date.parse("2026-02-01") / 1000))).toBeNaN();
  for (const longitude of [-180, 0, 120]) expect(height(at(90, longitude))).toBeNaN();
});

it("changes smoothly with time", () => {
  const grid = box(-60, -180, 5, 24, 72);
  let greatest = 0;
  let before = waves(world, { grid, time });
  for (let step = 1; step <= 6; step++) {
    const after = waves(world, { grid, time: time + 3600 * step });
    for (let node = 0; node < 24 * 72; node++) {
      const change =
        after.sea_surface_wave_significant_height[node]! - before.sea_surface_wave_significant_height[node]!;
      if (!Number.isNaN(change)) greatest = Math.max(greatest, Math.abs(change));
    }
    before = after;
  }
  expect(greatest).toBeLessThan(2.5);
});

it("is the same planet on every machine", () => {
  const globe = waves(world, { grid: box(-75, -180, 3, 52, 120), time });
  expect(
    Object.entries(globe).map(([name, values]) => {
      const step = name.endsWith("height") ? 0.04 : name.endsWith("period") ? 0.2 : 0.02;
      return `${name} ${fingerprint(values, step)}`;
    }),
  ).toMatchInlineSnapshot(`
    [
      "sea_surface_wave_significant_height c5806e0c",
      "sea_surface_wave_mean_period 953886ff",
      "sea_surface_wave_from_direction_x 7824e7e3",
      "sea_surface_wave_from_direction_y b7c178c3",
      "sea_surface_wind_wave_significant_height 9cac64dd",
      "sea_surface_wind_wave_mean_period 0cedd352",
      "sea_surface_wind_wave_from_direction_x d8ad1633",
      "sea_surface_wind_wave_from_direction_y abdd63a5",
      "sea_surface_swell_wave_significant_height 10932146",
      "sea_surface_swell_wave_mean_period 951f2bda",
      "sea_surface_swell_wave_from_direction_x 95835428",
      "sea_surface_swell_wave_from_direction_y ca40daaf",
    ]
  `);
});

describe("a wind sea", () => {
  const sea = (speed: number, fetch: number) => {
    const out = new Float64Array(2);
    windSea(speed, fetch, out);
    return { height: out[0]!, period: out[1]! };
  };

  it("grows with the wind and with the fetch", () => {
    for (let speed = 2; speed < 40; speed += 2) {
      expect(sea(speed + 2, 300).height).toBeGreaterThan(sea(speed, 300).height);
      expect(sea(speed, 200).height).toBeGreaterThan(sea(speed, 50).height);
      expect(sea(speed, 200).period).toBeGreaterThanOrEqual(sea(speed, 50).period);
    }
  });

  it("has the heights of Wilson's formula and of the Beaufort scale", () => {
    // Force 8 over 500 km.
    expect(sea(19, 500).height).toBeGreaterThan(4.5);
    expect(sea(19, 500).height).toBeLessThan(6.5);
    // Force 4 over a bay of 20 km.
    expect(sea(7, 20).height).toBeGreaterThan(0.3);
    expect(sea(7, 20).height).toBeLessThan(0.9);
  });

  it("is flat in a calm", () => {
    expect(sea(0, 500)).toEqual({ height: 0, period: 1 });
  });
});
