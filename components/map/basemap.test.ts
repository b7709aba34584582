import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { describe, expect, it } from "vitest";
import { coastOf } from "./basemap.ts";

describe.each(["110m", "50m"])("the coast of land-%s", (resolution) => {
  const file = new URL(`../../public/basemap/land-${resolution}.json`, import.meta.url);
  const coast = coastOf(JSON.parse(readFileSync(file, "utf8")) as MultiPolygon);

  it("never crosses the map, and does not follow the antimeridian or the pole", () => {
    // One expectation for all: half a million of them take as many seconds as the test has.
    const wrong = coast.coordinates.flatMap((line) =>
      line.filter(([x = 0, y = 0], index) => {
        const [lastX = x, lastY = y] = line[index - 1] ?? [];
        const follows = Math.abs(x) === 180 && Math.abs(lastX) === 180 && y !== lastY;
        return Math.abs(x - lastX) >= 180 || follows || Math.min(y, lastY) <= -90;
      }),
    );
    expect(wrong).toEqual([]);
    expect(coast.coordinates.length).toBeGreaterThan(100);
    expect(Math.max(...coast.coordinates.map((line) => line.length))).toBeLessThanOrEqual(2000);
  });
});
