import { afterEach, expect, it, vi } from "vitest";
import { shownTab, tabParameter, takeStormsFragment } from "./details-tab.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  [{ tab: null, storm: null, tide: null }, "point"],
  [{ tab: null, storm: "AL012026", tide: null }, "storms"],
  [{ tab: "storms", storm: null, tide: null }, "storms"],
  [{ tab: "point", storm: "AL012026", tide: null }, "point"],
  [{ tab: null, storm: "AL012026", tide: "noaa:9414290" }, "tide"],
  [{ tab: "storms", storm: "AL012026", tide: "noaa:9414290" }, "storms"],
] as const)("shows for %j the tab %s", (view, tab) => {
  expect([shownTab(view), tabParameter(tab, view)]).toEqual([tab, view.tab]);
});

it("shows the point for a link to the tab of a station that names none", () => {
  expect(shownTab({ tab: "tide", storm: null, tide: null })).toBe("point");
});

it.each([
  ["/?l=wave#storms", [true, false], "/?l=wave"],
  ["/#values", [false, false], "/#values"],
])("%s asks for the list of storms once; every other fragment stays", (address, taken, left) => {
  const location = new URL(address, "http://localhost");
  const replaceState = (_state: unknown, _unused: string, path: string) => {
    location.href = new URL(path, location).href;
  };
  vi.stubGlobal("window", { location, history: { state: null, replaceState } });
  expect([takeStormsFragment(), takeStormsFragment()]).toEqual(taken);
  expect(location.href).toBe(`http://localhost${left}`);
});
