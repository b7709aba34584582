import { describe, expect, it } from "vitest";
import { coneHours, coneRadiusKm, coneRows, coneTable } from "./cone.ts";

const at = (basin: string, season: number) => coneTable(basin, season);

describe("the table of a storm", () => {
  it("is its basin's own, of the newest season not after the storm's, and names the season", () => {
    expect(at("north_atlantic", 2026)).toMatchObject({ source: "nhc", sourceBasin: null, year: 2026 });
    expect(at("north_atlantic", 2031).year).toBe(2026);
    expect(at("east_pacific", 2019).year).toBe(2019);
    expect(at("north_atlantic", 1999).year).toBe(2008);
  });

  it.each(["west_pacific", "north_indian", "south_indian", "south_pacific", "south_atlantic"])(
    "is borrowed from the Atlantic in %s",
    (basin) => {
      expect(at(basin, 2026)).toMatchObject({ source: "borrowed_nhc", sourceBasin: "north_atlantic" });
    },
  );

  it("is borrowed from the East Pacific for seasons missing in the Central Pacific", () => {
    expect(at("central_pacific", 2026)).toMatchObject({ source: "nhc", year: 2026 });
    expect(at("central_pacific", 2024)).toMatchObject({ source: "nhc", year: 2024 });
    for (const season of [2025, 2020]) {
      expect(at("central_pacific", season)).toMatchObject({
        source: "borrowed_nhc",
        sourceBasin: "east_pacific",
        year: season,
      });
    }
  });
});

describe("a radius", () => {
  const km = (basin: string, season: number, hour: number) => coneRadiusKm(at(basin, season), hour);

  it.each([
    ["north_atlantic", 2026, [46.3, 72.2, 90.7, 114.8, 142.6, 175.9, 248.2, 370.4]],
    ["north_atlantic", 2023, [48.2, 72.2, 98.2, 124.1, 150.0, 183.3, 268.5, 379.7]],
    ["east_pacific", 2026, [46.3, 68.5, 88.9, 103.7, 122.2, 144.5, 196.3, 255.6]],
    ["central_pacific", 2023, [63.0, 90.7, 122.2, 150.0, 175.9, 222.2, 253.7, 288.9]],
  ])("of %s in %i is that of its season", (basin, season, expected) => {
    const radii = [12, 24, 36, 48, 60, 72, 96, 120].map((hour) => km(basin, season, hour)!);
    for (const [index, radius] of radii.entries())
      expect(Math.abs(radius - expected[index]!)).toBeLessThan(0.051);
  });

  it("is linear between the hours of the table, also across a missing hour", () => {
    expect(km("north_atlantic", 2026, 18)).toBeCloseTo(((25 + 39) / 2) * 1.852, 9);
    expect(km("north_atlantic", 2019, 60)).toBeCloseTo(((68 + 102) / 2) * 1.852, 9);
    expect(km("north_atlantic", 2026, 84)).toBeCloseTo(((95 + 134) / 2) * 1.852, 9);
  });

  it("is 16 n mi until hour 3, in tables without that entry too, and grows from there", () => {
    for (const [basin, season] of [
      ["north_atlantic", 2026],
      ["central_pacific", 2026],
    ] as const)
      for (const hour of [0, 3]) expect(km(basin, season, hour)).toBeCloseTo(16 * 1.852, 9);
    expect(km("north_atlantic", 2026, 6)).toBeCloseTo(19 * 1.852, 9);
  });

  it("ends with the table, at day 5", () => {
    expect(km("north_atlantic", 2026, 120)).not.toBeNull();
    expect(km("north_atlantic", 2026, 121)).toBeNull();
  });
});

it("has a source and a date for every table, and radii that grow with the hour", () => {
  for (const rows of Object.values(coneRows)) {
    expect(rows.map(({ year }) => year)).toEqual([...rows].map(({ year }) => year).sort((a, b) => b - a));
    for (const { miles, sources, read } of rows) {
      expect(miles).toHaveLength(coneHours.length);
      expect(sources.length).toBeGreaterThan(0);
      expect(read).toMatch(/^\d{4}-\d\d-\d\d$/);
      const given = miles.filter((radius) => radius !== null);
      expect(given).toEqual([...given].sort((a, b) => a - b));
    }
  }
});
