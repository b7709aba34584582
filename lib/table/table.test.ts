import { expect, it } from "vitest";
import { componentName, componentOf } from "./table.ts";

it("a component of a vector has the unit of its speed, and the CF name of its field", () => {
  expect(componentOf("surface_eastward_sea_water_velocity")).toEqual({
    unit: "m/s",
    title: "eastward surface current",
    decimals: 3,
    standardName: "surface_eastward_sea_water_velocity",
  });
  const name = componentName("northward_wind_10m", 80);
  expect(name).toBe("northward_wind_80m");
  expect(componentOf(name)).toMatchObject({ unit: "m/s", decimals: 2, standardName: "northward_wind" });
  expect(componentOf(name)?.title).toContain("80 m");
});

it("nothing else is a component", () => {
  for (const name of ["Pressure", "Winds_10m_Intensity", "sea_surface_wave_from_direction_x", ""])
    expect(componentOf(name)).toBeUndefined();
});
