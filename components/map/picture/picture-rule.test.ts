import { describe, expect, it } from "vitest";
import { readView } from "#components/view-state/view-url.ts";
import { isPictured } from "./picture-rule.ts";

const device = { hasShip: false, hasPlan: false };

describe("The first view", () => {
  it.each([
    "",
    "?c=45,-30&z=3&p=45,-30",
    "?z=3.5&l=wave",
    "?l=none",
    "?l=current&t=2026-01-01T00:00:00Z",
    "?o=&th=night",
    "?tab=storms",
  ])("is a picture where one field and its symbols are shown: %s", (search) => {
    expect(isPictured(readView(search), device)).toBe(true);
  });

  it.each([
    ["is nearer than coarse frames allow", "?z=3.6"],
    ["is a globe", "?proj=globe"],
    ["compares two pictures", "?cmp=wind.24"],
    ["has particles, which move", "?o=particles"],
    ["has lines of another field", "?o=isobars"],
    ["shows a storm closely", "?storm=WP012026"],
    ["is the film of a storm", "?storm=WP012026&film=2026-01-01T00:00:00Z"],
    ["shows the points of a task", "?task=abc"],
    ["edits a passage", "?tab=passage"],
    ["marks the area of a file", "?tab=download"],
  ])("is the map itself where it %s: %s", (_what, search) => {
    expect(isPictured(readView(search), device)).toBe(false);
  });

  it("is the map itself where the device has a ship or a plan to show", () => {
    expect(isPictured(readView(""), { ...device, hasShip: true })).toBe(false);
    expect(isPictured(readView(""), { ...device, hasPlan: true })).toBe(false);
  });
});
