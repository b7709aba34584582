import { expect, it } from "vitest";
import { mapLink } from "./map-link.ts";

const timestamp = "2026-09-15T12:00:00Z";
const view = (link: string) => Object.fromEntries(new URL(link, "http://x").searchParams);

it("opens a list of points at its first one, with all points in view", () => {
  const points = [179, -179, -178].map((longitude) => ({ latitude: 10, longitude, timestamp }));
  expect(view(mapLink({ kind: "MetOcean", body: { points, variables: ["bathy", "wave"] } }))).toEqual({
    c: "10,-179",
    z: "7",
    l: "wave",
    t: timestamp,
    p: "10,179",
  });
});

it("opens a box at its centre, across 180° too", () => {
  const box = { latitude: [-20, 0], longitude: [170, -170], timestamp: [timestamp, "2026-09-16T12:00:00Z"] };
  expect(view(mapLink({ kind: "2DMetOcean", body: { bounding_boxes: [box], variable: "wind" } }))).toEqual({
    c: "-10,180",
    z: "4",
    l: "wind",
    t: timestamp,
  });
});
