import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import {
  defaultOverlays,
  drawsLines,
  isOffered,
  layerNames,
  linesOverlay,
  overlayNames,
  overlayTitle,
  toggled,
} from "./overlays.ts";

it("offers isobars and lines of wave height once over every layer", () => {
  for (const layer of layerNames) {
    const titles = overlayNames
      .filter((name) => isOffered(name, layer))
      .map((name) => overlayTitle(name, layer, en));
    expect(
      titles.filter((title) => title === "Isobars"),
      layer,
    ).toHaveLength(1);
    expect(
      titles.filter((title) => title === "Lines of wave height"),
      layer,
    ).toHaveLength(1);
    for (const lined of ["pressure", "wave"] as const) {
      expect(isOffered(linesOverlay(lined, layer)!, layer)).toBe(true);
    }
  }
});

it("draws a layer's own lines by default, and those of other variables only when switched on", () => {
  expect(defaultOverlays).toContain(linesOverlay("pressure", "pressure"));
  expect(defaultOverlays).not.toContain(linesOverlay("pressure", "wind"));
});

it("switches an overlay on and off, keeping the order of the menu", () => {
  expect(toggled(["storms"], "barbs")).toEqual(["barbs", "storms"]);
  expect(toggled(["barbs", "storms"], "barbs")).toEqual(["storms"]);
});

it("draws the lines of wind over its own colours only", () => {
  expect(drawsLines("wind", "wind", defaultOverlays)).toBe(true);
  expect(drawsLines("gust", "wind", overlayNames)).toBe(false);
  for (const layer of layerNames.filter((name) => name !== "wind")) {
    expect(drawsLines("wind", layer, overlayNames)).toBe(false);
  }
});
