import { afterEach, expect, it, vi } from "vitest";
import { coveredByPanel, menuPlace, overMap } from "./covered.ts";

afterEach(() => void vi.unstubAllGlobals());

type Box = [left: number, top: number, width: number, height: number];

it.each<[string, Box, Box, Box, [right: number, bottom: number, top: number]]>([
  [
    "of a phone, and what rides on it",
    [0, 44, 390, 664],
    [0, 422, 390, 374],
    [0, 378, 390, 44],
    [0, 330, 378],
  ],
  ["beside the time bar", [0, 44, 844, 302], [484, 60, 360, 330], [0, 46, 484, 44], [360, 0, 60]],
  ["beside the map", [0, 48, 1080, 800], [1080, 48, 360, 800], [0, 848, 1440, 52], [0, 0, 48]],
])("a panel %s covers the map as far as it lies over it", (_, main, panel, bar, [right, bottom, top]) => {
  const boxes: Record<string, Box> = { main, ".panel-sheet": panel, ".time-bar": bar };
  const getBoundingClientRect = (name: string) => {
    const [left, top, width, height] = boxes[name]!;
    return { left, top, width, height, right: left + width, bottom: top + height };
  };
  const querySelector = (name: string) =>
    boxes[name] && { getBoundingClientRect: () => getBoundingClientRect(name) };
  vi.stubGlobal("document", { querySelector });
  expect([coveredByPanel(), overMap()?.top]).toEqual([{ right, bottom }, top]);
});

it.each([
  [{ x: 20, y: 30 }, 330, { left: 20, top: 30 }],
  [{ x: 300, y: 300 }, 330, { left: 186, top: 140 }],
  [{ x: 300, y: 300 }, 600, { left: 186, top: 4 }],
])(
  "a menu at %j is whole in what is not covered, and begins in sight where that is too small",
  (at, bottom, place) => {
    const [menu, room] = [
      { width: 200, height: 190 },
      { width: 390, height: 664 },
    ];
    expect(menuPlace(at, menu, room, { right: 0, bottom })).toEqual(place);
  },
);
