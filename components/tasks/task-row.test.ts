import { expect, it } from "vitest";
import { mapLink } from "./task-row.tsx";

const timestamp = "2026-09-15T12:00:00Z";
const id = "8a4f8f0e-7f1c-4b0c-9a55-1f2e3d4c5b6a";
const view = (link: string) => Object.fromEntries(new URL(link, "http://x").searchParams);

it("opens a list of points at its first one, and names the task whose points are all shown, across 180° too", () => {
  const points = [179, -179, -178].map((longitude) => ({ latitude: 10, longitude, timestamp }));
  expect(view(mapLink({ kind: "MetOcean", body: { points, variables: ["bathy", "wave"] } }, id))).toEqual({
    c: "10,-179.5",
    task: id,
    l: "wave",
    t: timestamp,
    p: "10,179",
  });
});

it("names a place instead of a task with more points than a map draws", () => {
  const points = Array.from({ length: 150_000 }, (_, i) => ({
    latitude: 0,
    longitude: i / 10_000,
    timestamp,
  }));
  const link = view(mapLink({ kind: "MetOcean", body: { points, variables: ["wind"] } }, id));
  expect(link).toMatchObject({ z: "5", p: "0,0" });
  expect(link).not.toHaveProperty("task");
});

it("opens a box at its centre, across 180° too", () => {
  const box = { latitude: [-20, 0], longitude: [170, -170], timestamp: [timestamp, "2026-09-16T12:00:00Z"] };
  expect(
    view(mapLink({ kind: "2DMetOcean", body: { bounding_boxes: [box], variable: "wind" } }, id)),
  ).toEqual({
    c: "-10,180",
    z: "4",
    l: "wind",
    t: timestamp,
  });
});
