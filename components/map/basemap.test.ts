import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { describe, expect, it } from "vitest";
import { coastOf } from "#components/map/basemap.ts";

describe.each(["110m", "50m"])("the coast of land-%s", (resolution) => {
  const file = new URL(`../../public/basemap/land-${resolution}.json`, import.meta.url);
  const coast = coastOf(JSON.parse(readFileSync(file, "utf8")) as MultiPolygon);

  it("never crosses the map, and does not follow the antimeridian or the pole", () => {
    for (const line of coast.coordinates) {
      line.forEach(([x = 0, y = 0], index) => {
        const [lastX = x, lastY = y] = line[index - 1] ?? [];
        expect(Math.abs(x - lastX)).toBeLessThan(180);
        if (Math.abs(x) === 180 && Math.abs(lastX) === 180) expect(y).toBe(lastY);
        expect(Math.min(y, lastY)).toBeGreaterThan(-90);
      });
    }
    expect(coast.coordinates.length).toBeGreaterThan(100);
    expect(Math.max(...coast.coordinates.map((line) => line.length))).toBeLessThanOrEqual(2000);
  });
});
