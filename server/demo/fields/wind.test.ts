import { describe, expect, it } from "vitest";
import { normaliseLongitude } from "#lib/field/grid.ts";
import { destination } from "#lib/geo/sphere.ts";
import { cyclones, KNOT } from "#server/demo/cyclones/vortex.ts";
import { windRadii } from "#server/demo/cyclones/wind-radii.ts";
import { nodesOf } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import { landMask } from "#server/demo/static/land.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { box } from "#test/demo-world.ts";
import { movingSystems } from "./systems.ts";
import { atmosphere, smoothWind } from "./wind.ts";

const land = landMask();
const world: World = {
  seed: 1,
  static: { land, coastDistance: Float32Array.from(land, (dry) => (dry ? -100 : 100)) },
} as World;
/** The same air over a planet of water: where a rule speaks of the open sea. */
const water: World = {
  seed: 1,
  static: { land: land.map(() => 0), coastDistance: new Float32Array(land.length).fill(1000) },
} as World;

const time = Date.parse("2026-09-15T12:00:00Z") / 1000;
const HOUR = 3600;

const globe = box(-89, -180, 2, 90, 180);

it("has the same numbers in every chunk, across ±180 and in every convention of longitude", () => {
  const whole = atmosphere(world, { grid: box(-60, 150, 1.5, 60, 50), time });
  const parts = [
    { row: 0, column: 0, grid: box(-60, 150, 1.5, 60, 50) },
    { row: 7, column: 11, grid: box(-60 + 10.5, 150 + 16.5, 1.5, 5, 13) },
    { row: 31, column: 20, grid: box(-60 + 46.5, -180, 1.5, 3, 30) },
    { row: 59, column: 49, grid: box(-60 + 88.5, 150 + 73.5 - 360, 1.5, 1, 1) },
    { row: 12, column: 3, grid: box(-60 + 18, 154.5 + 360, 1.5, 20, 40) },
  ];
  for (const { row, column, grid } of parts) {
    const part = atmosphere(world, { grid, time });
    for (const name of ["pressure", "eastward", "northward"] as const) {
      for (let r = 0; r < grid.latitude.count; r++) {
        for (let c = 0; c < grid.longitude.count; c++) {
          expect(part[name][r * grid.longitude.count + c]).toBe(whole[name][(row + r) * 50 + column + c]);
        }
      }
    }
  }
});

it("is finite and calm enough at the poles, whichever meridian leads there", () => {
  for (const pole of [-90, 90]) {
    const { pressure, eastward, northward } = atmosphere(world, { grid: box(pole, -180, 30, 1, 12), time });
    for (let column = 0; column < 12; column++) {
      expect(Math.abs(pressure[column]! - pressure[0]!)).toBeLessThan(0.01);
      expect(Math.hypot(eastward[column]!, northward[column]!)).toBeLessThan(20);
    }
  }
});

it("turns anticlockwise around northern lows and clockwise around southern ones, and the other way around highs", () => {
  let seen = 0;
  for (const system of movingSystems(1, time)) {
    if (Math.abs(system.amplitude) < 8) continue;
    const ring = 8;
    let circulation = 0;
    for (const [dy, dx, along] of [
      [-ring, 0, "eastward"],
      [0, ring, "northward"],
      [ring, 0, "westward"],
      [0, -ring, "southward"],
    ] as const) {
      const wide = dx / Math.cos((system.latitude * Math.PI) / 180);
      const wind = smoothWind(water, {
        grid: box(system.latitude + dy, system.longitude + wide, 1, 1, 1),
        time,
      });
      circulation +=
        along === "eastward" || along === "westward"
          ? (along === "eastward" ? 1 : -1) * wind.eastward[0]!
          : (along === "northward" ? 1 : -1) * wind.northward[0]!;
    }
    const cyclonic = system.hemisphere * (system.kind === "low" ? 1 : -1);
    expect(Math.sign(circulation), `${system.kind} at ${system.latitude}, ${system.longitude}`).toBe(
      cyclonic,
    );
    seen++;
  }
  expect(seen).toBeGreaterThan(10);
});

describe("tropical cyclones", () => {
  const days = [0, 2, 4, 6, 8, 10].map((day) => time + day * 24 * HOUR);
  const strong = days.flatMap((at) => cyclones(1, at).filter((one) => one.windKnots > 40));

  it("blow around their centres the way of their hemisphere", () => {
    expect(strong.some((one) => one.latitude < 0)).toBe(true);
    for (const one of strong) {
      const east = smoothWind(water, {
        grid: box(one.latitude, one.longitude + (1.2 * one.coreRadius) / 105, 1, 1, 1),
        time: one.time,
      });
      const west = smoothWind(water, {
        grid: box(one.latitude, one.longitude - (1.2 * one.coreRadius) / 105, 1, 1, 1),
        time: one.time,
      });
      expect(Math.sign(east.northward[0]! - west.northward[0]!)).toBe(Math.sign(one.latitude));
    }
  });

  it("have the wind that their track says, within 3 kt", () => {
    for (const one of strong) {
      const grid = box(one.latitude - 1.5, one.longitude - 2, 0.025, 121, 161);
      const { eastward, northward } = atmosphere(water, { grid, time: one.time });
      let greatest = 0;
      for (let at = 0; at < eastward.length; at++) {
        greatest = Math.max(greatest, Math.hypot(eastward[at]!, northward[at]!));
      }
      expect(Math.abs(greatest / KNOT - one.windKnots)).toBeLessThan(3);
    }
  });

  it("have gales as far out as the radii of their track, within 5 nautical miles", () => {
    for (const one of strong) {
      const [gales] = windRadii(1, one, [34]);
      const step = 0.05;
      const half = 180;
      const grid = box(
        one.latitude - half * step,
        one.longitude - half * step,
        step,
        2 * half + 1,
        2 * half + 1,
      );
      const { eastward, northward } = atmosphere(water, { grid, time: one.time });
      const far = { ne: 0, se: 0, sw: 0, nw: 0 };
      for (let towards = 1; towards < 360; towards += 2) {
        const quadrant = (["ne", "se", "sw", "nw"] as const)[Math.floor(towards / 90)]!;
        let gale = 0;
        for (let miles = 10; miles < 500; miles++) {
          const place = destination(one, towards, miles * 1.852);
          const row = Math.round((place.latitude - grid.latitude.start) / step);
          const column = Math.round(normaliseLongitude(place.longitude - grid.longitude.start) / step);
          const at = row * grid.longitude.count + column;
          if (Math.hypot(eastward[at]!, northward[at]!) >= 34 * KNOT) gale = miles;
          else if (gale > 0 || miles > 100) break;
        }
        far[quadrant] = Math.max(far[quadrant], gale);
      }
      for (const quadrant of ["ne", "se", "sw", "nw"] as const) {
        const expected = (gales?.[quadrant] ?? 0) / 1.852;
        expect(
          Math.abs(expected - far[quadrant]),
          `${one.storm.slot} ${quadrant} ${one.windKnots}`,
        ).toBeLessThan(5);
      }
    }
  });
});

it("has realistic global means in both seasons", () => {
  const nodes = nodesOf(globe);
  const dry = landAt(land, nodes);
  for (const month of ["01", "04", "07", "10"]) {
    const air = atmosphere(world, { grid: globe, time: Date.parse(`2026-${month}-15T00:00:00Z`) / 1000 });
    let sum = 0;
    let weight = 0;
    for (let at = 0; at < dry.length; at++) {
      expect(air.pressure[at]).toBeGreaterThan(920);
      expect(air.pressure[at]).toBeLessThan(1060);
      if (dry[at]) continue;
      const area = nodes.cosLatitude[Math.floor(at / nodes.columns)]!;
      sum += area * Math.hypot(air.eastward[at]!, air.northward[at]!);
      weight += area;
    }
    expect(sum / weight).toBeGreaterThan(5.5);
    expect(sum / weight).toBeLessThan(8);
  }
});
