import { afterEach, expect, it, vi } from "vitest";
import { shownTab, tabParameter, takeStormsFragment } from "./details-tab.ts";

it.each([
  [{ tab: null, storm: null, tide: null }, "point"],
  [{ tab: null, storm: "AL012026", tide: null }, "storms"],
  [{ tab: "storms", storm: null, tide: null }, "storms"],
  [{ tab: "point", storm: "AL012026", tide: null }, "point"],
  [{ tab: null, storm: "AL012026", tide: "noaa:9414290" }, "tide"],
  [{ tab: "storms", storm: "AL012026", tide: "noaa:9414290" }, "storms"],
] as const)("shows for %j the tab %s", (view, tab) => {
  expect(shownTab(view)).toBe(tab);
  expect(tabParameter(tab, view)).toBe(view.tab);
});

it("shows the point for a link to the tab of a station that names none", () => {
  expect(shownTab({ tab: "tide", storm: null, tide: null })).toBe("point");
});

afterEach(() => vi.unstubAllGlobals());

/** A window at an address, whose history writes it. */
function openAt(address: string): URL {
  const location = new URL(address, "http://localhost");
  const replaceState = (_state: unknown, _unused: string, path: string) => {
    location.href = new URL(path, location).href;
  };
  vi.stubGlobal("window", { location, history: { state: null, replaceState } });
  return location;
}

it("asks for the list of storms once: the tab that is chosen afterwards stays", () => {
  const location = openAt("/?l=wave#storms");
  expect(takeStormsFragment()).toBe(true);
  expect(location.pathname + location.search + location.hash).toBe("/?l=wave");
  expect(takeStormsFragment()).toBe(false);
});

it("leaves every other fragment alone", () => {
  const location = openAt("/#values");
  expect(takeStormsFragment()).toBe(false);
  expect(location.hash).toBe("#values");
});
