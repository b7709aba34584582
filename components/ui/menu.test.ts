import { expect, it } from "vitest";
import { sheetPlace } from "./menu.tsx";

const phone = { width: 320, height: 640, top: 0 };
const button = (left: number, top: number) => ({ left, top, right: left + 80, bottom: top + 44 });

it("lies below its button, aligned to one of its edges", () => {
  const sheet = { width: 150, height: 200 };
  expect(sheetPlace(button(100, 10), sheet, phone, "left")).toMatchObject({ left: 100, top: 60 });
  expect(sheetPlace(button(200, 10), sheet, phone, "right")).toMatchObject({ left: 130, top: 60 });
});

it.each([
  ["left", button(290, 10), 12],
  ["right", button(-60, 10), 8],
] as const)("stays in the window when aligned %s would leave it", (align, opener, left) => {
  expect(sheetPlace(opener, { width: 300, height: 100 }, phone, align).left).toBe(left);
});

it("opens upwards at the foot of the window", () => {
  expect(sheetPlace(button(10, 580), { width: 100, height: 200 }, phone, "left").top).toBe(374);
});

it("is as high as the larger room, when it is higher than both", () => {
  const high = { width: 100, height: 900 };
  expect(sheetPlace(button(10, 4), high, phone, "left")).toEqual({ left: 10, top: 54, maxHeight: 578 });
  expect(sheetPlace(button(10, 500), high, phone, "left")).toEqual({ left: 10, top: 8, maxHeight: 486 });
});

it("leaves the bar at the top of the window free where it opens upwards", () => {
  const place = sheetPlace(button(10, 500), { width: 100, height: 900 }, { ...phone, top: 48 }, "left");
  expect(place).toEqual({ left: 10, top: 56, maxHeight: 438 });
});
