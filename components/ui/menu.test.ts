import { expect, it } from "vitest";
import { sheetPlace } from "./menu.tsx";

const phone = { width: 320, height: 640, top: 0 };
const high = { width: 100, height: 900 };

it.each([
  [
    "below its button, at its left edge",
    [100, 10],
    { width: 150, height: 200 },
    phone,
    "left",
    { left: 100, top: 60 },
  ],
  ["at its right edge", [200, 10], { width: 150, height: 200 }, phone, "right", { left: 130, top: 60 }],
  ["in the window at its right", [290, 10], { width: 300, height: 100 }, phone, "left", { left: 12 }],
  ["in the window at its left", [-60, 10], { width: 300, height: 100 }, phone, "right", { left: 8 }],
  ["upwards at the foot of the window", [10, 580], { width: 100, height: 200 }, phone, "left", { top: 374 }],
  [
    "in the larger room below, when it is higher",
    [10, 4],
    high,
    phone,
    "left",
    { left: 10, top: 54, maxHeight: 578 },
  ],
  ["in the larger room above", [10, 500], high, phone, "left", { left: 10, top: 8, maxHeight: 486 }],
  [
    "below a bar at the top",
    [10, 500],
    high,
    { ...phone, top: 48 },
    "left",
    { left: 10, top: 56, maxHeight: 438 },
  ],
] as const)("a menu lies %s", (_, [left, top], sheet, window, align, place) => {
  const button = { left, top, right: left + 80, bottom: top + 44 };
  expect(sheetPlace(button, sheet, window, align)).toMatchObject(place);
});
