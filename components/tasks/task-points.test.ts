import { expect, it } from "vitest";
import { MAX_DRAWN_POINTS, pointsOf } from "./task-points.ts";

const at = (hour: number, longitude = hour) => ({
  latitude: 48,
  longitude,
  timestamp: `2026-09-15T${String(hour).padStart(2, "0")}:00:00Z`,
});

it("has every point of a route, in its order", () => {
  expect(pointsOf({ task_name: "Crossing", points: [at(1), at(2), at(5)], variables: ["wind"] })).toEqual({
    name: "Crossing",
    points: [1, 2, 5].map((longitude) => ({ latitude: 48, longitude })),
    isRoute: true,
  });
});

it.each([
  ["of one time", [at(1, 1), at(1, 2)]],
  ["in no order", [at(2), at(1)]],
  ["of one place", [at(1)]],
])("joins no points %s by a line", (_, points) => {
  expect(pointsOf({ points })).toMatchObject({ isRoute: false, points: { length: points.length } });
});

it("has no points of a box, nor of a list that is too long to be drawn", () => {
  expect(pointsOf({ bounding_boxes: [], variable: "wind" }).points).toEqual([]);
  expect(pointsOf({ points: Array.from({ length: MAX_DRAWN_POINTS + 1 }, () => at(1)) }).points).toEqual([]);
});
