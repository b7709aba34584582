import { expect, it } from "vitest";
import { fileName } from "./file-name.ts";

const named = {
  variables: ["wind", "wave"] as ("wind" | "wave")[],
  from: "2026-11-23T06:00:00Z",
  to: "2026-11-25T06:00:00Z",
};

it("names a file by its variables, first time, length and area", () => {
  expect(fileName({ ...named, area: { type: "box", latitude: [40, 60], longitude: [-30, -0.2] } })).toBe(
    "open-metocean_wind-wave_20261123T06Z_48h_N40N60W030E000.grb2",
  );
  expect(fileName({ ...named, area: { type: "storm", id: "AL072026" }, format: "csv" })).toBe(
    "open-metocean_wind-wave_20261123T06Z_48h_AL072026.csv",
  );
  const at80 = { ...named, area: { type: "route" }, wind_height: 80 } as const;
  expect(fileName(at80)).toContain("_wind80m-");
  expect(fileName({ ...at80, variables: ["wave", "wind", "gust", "temp", "rain"] })).toContain(
    "_5variables-wind80m_",
  );
  expect(fileName({ ...named, area: { type: "route" }, format: "netcdf" })).toBe(
    "open-metocean_wind-wave_20261123T06Z_48h_passage.nc",
  );
});
