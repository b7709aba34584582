import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { distanceKm, EARTH_KM } from "@open-metocean/geo/sphere";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { groupOf } from "#server/demo/field-groups.ts";
import { cellAt, worldGrid } from "#server/demo/math/grid.ts";
import { demoWorld } from "#test/demo-world.ts";
import { type StaticWorld, staticWorld } from "./world.ts";

let made: StaticWorld;
beforeAll(() => {
  made = demoWorld().static;
});

describe("the file of the static world", () => {
  let folder: string;
  let builds: number;
  const start = () =>
    staticWorld(join(folder, "cache"), () => {
      builds++;
      return made;
    });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "static-world-"));
    builds = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is derived once and read back unchanged, and leaves nothing else in the folder", () => {
    mkdirSync(join(folder, "cache"));
    for (const other of ["static-world.bin", "static-world-3.bin"])
      writeFileSync(join(folder, "cache", other), "");
    start();
    const again = start();
    expect(builds).toBe(1);
    for (const name of Object.keys(made) as (keyof StaticWorld)[]) {
      expect(again[name].constructor).toBe(made[name].constructor);
      expect(Buffer.compare(bytes(again[name]), bytes(made[name])), name).toBe(0);
    }
    expect(readdirSync(join(folder, "cache"))).toEqual(["static-world-4.bin"]);
  });

  it("is derived again where it was cut short", () => {
    start();
    const [name] = readdirSync(join(folder, "cache"));
    truncateSync(join(folder, "cache", name!), 7_000_000);
    expect(start().depth[cellAt(0, -30)]).toBe(made.depth[cellAt(0, -30)]);
    start();
    expect(builds).toBe(2);
  });
});

it.each([
  ["the South Pole", -90, 0, 1],
  ["Antarctica at the antimeridian", -87, 180, 1],
  ["Chukotka, west of the antimeridian", 68, 179, 1],
  ["Chukotka, east of the antimeridian", 67.5, -179, 1],
  ["Kansas", 38.5, -98, 1],
  ["the North Pole", 90, 0, 0],
  ["the Chukchi Sea", 70, -170, 0],
  ["the East Siberian Sea, where an even-odd fill draws a bar", 71.6, 170, 0],
  ["the Pacific at the antimeridian", 0, 180, 0],
])("knows %s", (_, latitude, longitude, expected) => {
  expect(made.land[cellAt(latitude, longitude)]).toBe(expected);
});

describe("distance to the coast", () => {
  it.each([
    [0, -140],
    [-48.9, -123.4],
    [85, 179.9],
    [-65, -179.9],
  ])("is the great-circle distance to the nearest land from %d, %d", (latitude, longitude) => {
    const centre = (cell: number) => ({
      latitude: -89.875 + 0.25 * Math.floor(cell / 1440),
      longitude: -179.875 + 0.25 * (cell % 1440),
    });
    const here = cellAt(latitude, longitude);
    let nearest = EARTH_KM * Math.PI;
    for (let cell = 0; cell < made.land.length; cell++) {
      if (made.land[cell] === 1) nearest = Math.min(nearest, distanceKm(centre(here), centre(cell)));
    }
    // The coast lies half a cell before the centre of the first cell of land.
    expect(made.coastDistance[here]! + 13.9).toBeGreaterThan(nearest - 1);
    expect(made.coastDistance[here]! + 13.9).toBeLessThan(nearest + 8);
  });
});

describe("depth", () => {
  const field = "sea_floor_depth_below_sea_surface";
  const depth = (grid: Grid) => groupOf(field).compute({ seed: 1, static: made }, { grid, time: 0 })[field]!;

  it("is missing on land and positive at sea", () => {
    const globe = depth(worldGrid);
    let wrong = 0;
    for (let cell = 0; cell < globe.length; cell++) {
      const value = globe[cell]!;
      if (made.land[cell] === 1 ? !Number.isNaN(value) : !(value >= 3 && value < 11_000)) wrong++;
    }
    expect(wrong).toBe(0);
  });
});

function bytes(array: StaticWorld[keyof StaticWorld]): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
