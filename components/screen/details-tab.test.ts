import { expect, it } from "vitest";
import { shownTab, tabParameter } from "./details-tab.ts";

it.each([
  [{ tab: null, storm: null }, "point"],
  [{ tab: null, storm: "AL012026" }, "storms"],
  [{ tab: "storms", storm: null }, "storms"],
  [{ tab: "point", storm: "AL012026" }, "point"],
] as const)("shows for %j the tab %s", (view, tab) => {
  expect(shownTab(view)).toBe(tab);
  expect(tabParameter(tab, view.storm)).toBe(view.tab);
});
