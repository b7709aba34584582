import { expect, it } from "vitest";
import { map2dVariables, type Output, variable, variableNames } from "./variables.ts";

/** The published names, by variable. */
const pointFields = {
  current: ["Currents_Direction", "Currents_Intensity"],
  wind: ["Winds_10m_Direction", "Winds_10m_Intensity"],
  gust: ["Gust_10m"],
  wave: ["Waves_Mean_Direction", "Waves_Significant_Height", "Waves_Mean_Period"],
  bathy: ["Bathymetry"],
  sst: ["Sea_Surface_Temperature"],
  extra_wave: [
    "Swell_Mean_Direction",
    "Swell_Significant_Height",
    "Swell_Mean_Period",
    "Windwaves_Mean_Direction",
    "Windwaves_Significant_Height",
    "Windwaves_Mean_Period",
  ],
  rain: ["Precipitation"],
  mucape: ["MUCAPE"],
  temp: ["Temperature_2m"],
  cloud: ["Cloud_Cover"],
  pressure: ["Pressure"],
};
const map2dFields = {
  wind: ["Winds_10m_Direction", "Winds_10m_Intensity"],
  wave: ["Waves_Mean_Direction", "Waves_Significant_Height", "Waves_Mean_Period"],
  current: ["Currents_Direction", "Currents_Speed"],
};

const outputs = (name: (typeof variableNames)[number]): readonly Output[] => variable(name).outputs;

it("has the twelve published variables with exactly their response fields; others may be added", () => {
  expect(
    Object.fromEntries(variableNames.map((name) => [name, outputs(name).map(({ point }) => point)])),
  ).toMatchObject(pointFields);
});

it("has the published fields of the 2D endpoint", () => {
  expect(
    Object.fromEntries(map2dVariables.map((name) => [name, outputs(name).map(({ map2d }) => map2d)])),
  ).toEqual(map2dFields);
});

it("gives wind and waves the direction they come from, and currents the direction they go to", () => {
  const sense = (name: (typeof variableNames)[number]) =>
    outputs(name)
      .filter(({ unit }) => unit === "°")
      .map(({ is }) => is);
  expect(sense("wind")).toEqual(["bearingFrom"]);
  expect(sense("current")).toEqual(["bearingTo"]);
  expect([...sense("wave"), ...sense("extra_wave")]).toEqual(["bearing", "bearing", "bearing"]);
});
