import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { boxEstimate, boxLink, boxOfLink, boxVariable } from "./box-link.ts";

const time = parseInstant("2026-09-15T18:00:00Z");
const view = { south: 40.02, north: 52.98, west: -30.04, east: -9.96, time };

it("fills the form of a box with the layer, the box and the time of the view", () => {
  expect(boxOfLink(boxLink("wind", view).replace("/tasks", ""))).toEqual({
    kind: "2DMetOcean",
    body: {
      variable: "wind",
      bounding_boxes: [{ latitude: [40, 53], longitude: [-30.1, -9.9], timestamp: "2026-09-15T18:00:00Z" }],
    },
  });
});

it.each([
  ["across 180°, seen from the east", { west: 170.5, east: 190.5 }, [170.5, -169.5]],
  ["across 180°, seen from the west", { west: -190.5, east: -170.5 }, [169.5, -170.5]],
  ["of the whole world", { west: -250, east: 250 }, [-180, 180]],
])("asks for a view %s as the API writes it", (_name, sides, longitude) => {
  const body = boxOfLink(boxLink("wave", { ...view, ...sides }).replace("/tasks", ""))?.body;
  expect(body && "bounding_boxes" in body && body.bounding_boxes[0]?.longitude).toEqual(longitude);
});

it.each([
  "?box=1,2,3&l=wind&t=2026-09-15T18:00:00Z",
  "?box=1,2,3,x&l=wind&t=2026-09-15T18:00:00Z",
  "?box=9,2,3,4&l=wind&t=2026-09-15T18:00:00Z",
  "?box=1,2,3,4&l=spells&t=2026-09-15T18:00:00Z",
  "?box=1,2,3,4&l=wind&t=soon",
  "",
])("opens no form for %j", (search) => {
  expect(boxOfLink(search)).toBeUndefined();
});

it("estimates the values of the view, and offers only layers that boxes are served of", () => {
  expect(boxEstimate("wind", view).values).toBe(53 * 81 * 2);
  expect(boxVariable("wind")).toBe("wind");
  expect(boxVariable("bathy")).toBeUndefined();
  expect(boxVariable(undefined)).toBeUndefined();
});
