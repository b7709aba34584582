import { expect, it } from "vitest";
import { aroundGlobe, boxBetween, boxOfCorners, boxOfView, viewOfBox } from "./drawn-box.ts";

it("a box between two clicks goes the shorter way, also across 180°", () => {
  const box = boxBetween({ latitude: 10, longitude: 170 }, { latitude: -5, longitude: -170 });
  expect(box).toEqual({ south: -5, north: 10, west: 170, east: 190 });
  expect(boxOfView(box)).toEqual({ south: -5, north: 10, west: 170, east: -170 });
  expect(viewOfBox(boxOfView(box))).toEqual(box);
});

it("a box that was dragged over more than half of the globe keeps its width", () => {
  const box = boxOfCorners({ latitude: 60, longitude: -350 }, { latitude: -60, longitude: -100 });
  expect(aroundGlobe(box)).toEqual({ south: -60, north: 60, west: 10, east: 260 });
  expect(boxOfView(box)).toEqual({ south: -60, north: 60, west: 10, east: -100 });
});

it("a box is within the poles and goes once around the globe at most", () => {
  expect(boxOfView({ south: -95, north: 91, west: -300, east: 200 })).toEqual({
    south: -90,
    north: 90,
    west: -180,
    east: 180,
  });
});
