import { afterEach, expect, it, vi } from "vitest";
import { coveredByPanel, menuPlace, overMap } from "./covered.ts";

afterEach(() => void vi.unstubAllGlobals());

/** A page of which only these three boxes are known: left, top, width, height. */
function lay(boxes: Record<"main" | ".panel-sheet" | ".time-bar", [number, number, number, number]>) {
  const rects = Object.entries(boxes).map(([name, [left, top, width, height]]) => [
    name,
    { left, top, width, height, right: left + width, bottom: top + height },
  ]);
  const all = Object.fromEntries(rects);
  const querySelector = (name: string) => ({ getBoundingClientRect: () => all[name] });
  vi.stubGlobal("document", { querySelector });
}

it("what rides on the sheet of a phone covers the map too", () => {
  lay({ main: [0, 44, 390, 664], ".panel-sheet": [0, 422, 390, 374], ".time-bar": [0, 378, 390, 44] });
  expect(coveredByPanel()).toEqual({ right: 0, bottom: 330 });
  expect(overMap()?.top).toBe(378);
});

it("a sheet beside the time bar covers the right, and a panel beside the map nothing", () => {
  lay({ main: [0, 44, 844, 302], ".panel-sheet": [484, 60, 360, 330], ".time-bar": [0, 46, 484, 44] });
  expect(coveredByPanel()).toEqual({ right: 360, bottom: 0 });
  lay({ main: [0, 48, 1080, 800], ".panel-sheet": [1080, 48, 360, 800], ".time-bar": [0, 848, 1440, 52] });
  expect(coveredByPanel()).toEqual({ right: 0, bottom: 0 });
});

it("a menu of the map is whole in the part that nothing covers, and begins in sight where that is too small", () => {
  const [room, menu] = [
    { width: 390, height: 664 },
    { width: 200, height: 190 },
  ];
  const covered = { right: 0, bottom: 330 };
  expect(menuPlace({ x: 20, y: 30 }, menu, room, covered)).toEqual({ left: 20, top: 30 });
  expect(menuPlace({ x: 300, y: 300 }, menu, room, covered)).toEqual({ left: 186, top: 140 });
  expect(menuPlace({ x: 300, y: 300 }, menu, room, { right: 0, bottom: 600 }).top).toBe(4);
});
