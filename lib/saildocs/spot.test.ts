import { expect, it } from "vitest";
import { spotTable } from "./spot.ts";

const row = (hour: string, conditions: Record<string, number | null>) => ({
  timestamp: `2026-11-29T${hour}:00:00Z`,
  conditions,
});

it("writes knots, degrees and metres, a dash for a missing value, and nothing after the end of the forecast", () => {
  const lines = spotTable(
    ["wind", "pressure", "wave"],
    [
      row("00", {
        Winds_10m_Direction: 359.6,
        Winds_10m_Intensity: 10.288888,
        Pressure: 1012.6,
        Waves_Significant_Height: 2.25,
        Waves_Mean_Period: 8.4,
        Waves_Mean_Direction: 7,
      }),
      row("06", { Winds_10m_Direction: null, Winds_10m_Intensity: 0, Pressure: 998.2 }),
      row("12", { Pressure: null }),
    ],
  );
  expect(lines).toEqual([
    "DAY UTC FROM KN  HPA FROM WAVE-M SEC",
    " 29 00Z  000 20 1013  007    2.3   8",
    " 29 06Z    -  0  998    -      -   -",
  ]);
});
