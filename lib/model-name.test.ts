import { expect, it } from "vitest";
import { shortModelName } from "./model-name.ts";

it.each([
  ["GFS 0.25°", "GFS"],
  ["ECMWF AIFS 0.25°", "ECMWF AIFS"],
  ["DEMO-LATE v1 (synthetic)", "DEMO-LATE"],
  ["My model 3 km", "My model"],
  ["OISST v2.1", "OISST v2.1"],
  ["0.25°", "0.25°"],
  ["(mine)", "(mine)"],
])("of %s it is %s", (title, name) => {
  expect(shortModelName(title)).toBe(name);
});
