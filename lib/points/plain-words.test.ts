import { expect, it } from "vitest";
import { plainWords } from "./plain-words.ts";

const coordinates = { latitude: 48.5, longitude: -5.2, timestamp: "2026-11-23T06:00:00Z" };

it("tells directions by where wind comes from and currents go to, speeds in knots", () => {
  const conditions = {
    Winds_10m_Direction: 293.1,
    Winds_10m_Intensity: 11.32,
    Gust_10m: 13.9,
    Currents_Direction: 90,
    Currents_Intensity: 0.62,
    Waves_Mean_Direction: 280,
    Waves_Significant_Height: 2.1,
    Waves_Mean_Period: 8.4,
    MUCAPE: 120,
  };
  expect(plainWords({ coordinates, conditions }, ["wind", "gust", "current", "wave", "mucape"])).toBe(
    "48.50N 005.20W, Mon 23 Nov 2026 06:00 UTC: wind from WNW (293°) 22 kn, gusts 27 kn, current to E (090°) 1.2 kn, " +
      "waves from W (280°) 2.1 m 8.4 s, CAPE 120 J/kg",
  );
});

it("says that there is no value, and gives a calm no direction", () => {
  const conditions = { Winds_10m_Direction: null, Winds_10m_Intensity: 0, Gust_10m: null };
  expect(plainWords({ coordinates, conditions }, ["wind", "gust"])).toMatch(/: wind 0 kn, gusts: no value$/);
});

it("writes places south and east, and around the date line", () => {
  const at = { latitude: -0.004, longitude: 179.996, timestamp: "2026-02-01T23:30:00Z" };
  expect(plainWords({ coordinates: at, conditions: {} }, [])).toMatch(
    /^00\.00S 180\.00E, Sun 01 Feb 2026 23:30 UTC/,
  );
});
