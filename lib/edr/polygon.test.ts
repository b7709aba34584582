import { expect, it } from "vitest";
import { readBbox } from "./bbox.ts";
import { boxOfRings, nodesInside } from "./polygon.ts";

const square = [0, 0, 4, 0, 4, 4, 0, 4, 0, 0];
const hole = [1, 1, 3, 1, 3, 3, 1, 3, 1, 1];
const axis = Float64Array.of(-1, 0, 1, 2, 3, 4, 5);

const rows = (inside: Uint8Array) =>
  Array.from({ length: inside.length / axis.length }, (_, row) =>
    inside.slice(row * axis.length, (row + 1) * axis.length).join(""),
  );

it("nodes inside and on edges are inside, those of a hole are not", () => {
  expect(rows(nodesInside([square, hole], axis, axis))).toEqual([
    "0000000",
    "0111110",
    "0111110",
    "0110110",
    "0111110",
    "0111110",
    "0000000",
  ]);
});

it("a corner that touches a parallel is a node of its own", () => {
  const peak = [0, 0, 4, 0, 2, 2, 0, 0];
  expect(rows(nodesInside([peak], axis, axis)).slice(1, 5)).toEqual([
    "0111110",
    "0011100",
    "0001000",
    "0000000",
  ]);
});

it("the box of parts on both sides of 180° crosses it, and both have the meridian", () => {
  const east = [178, -1, 180, -1, 180, 1, 178, -1];
  const west = [-180, -1, -179, -1, -180, 1, -180, -1];
  expect(boxOfRings([east, west])).toEqual({ west: 178, south: -1, east: -179, north: 1 });
  expect([...nodesInside([east], Float64Array.of(0), Float64Array.of(179, 180, -180, -179))]).toEqual([
    1, 1, 1, 0,
  ]);
});

it("a ring around the world is not a point", () => {
  const band = [-180, -10, 180, -10, 180, 10, -180, 10, -180, -10];
  expect(boxOfRings([band])).toEqual({ west: -180, south: -10, east: 180, north: 10 });
  expect([...nodesInside([band], Float64Array.of(0), Float64Array.of(-180, 0, 90))]).toEqual([1, 1, 1]);
});

it("a bbox is west, south, east, north", () => {
  expect(readBbox("179,-1, -179,1")).toEqual({ west: 179, south: -1, east: -179, north: 1 });
  expect(readBbox("-180,-90,180,90")).toEqual({ west: -180, south: -90, east: 180, north: 90 });
});

it("longitudes may be of 0..360, in boxes and in rings", () => {
  expect(readBbox("170,-1,190,1")).toEqual({ west: 170, south: -1, east: -170, north: 1 });
  expect(readBbox("350,-1,10,1")).toEqual({ west: -10, south: -1, east: 10, north: 1 });
  expect(readBbox("0,-90,360,90")).toEqual({ west: -180, south: -90, east: 180, north: 90 });
  const across = [178, -1, 182, -1, 182, 1, 178, 1, 178, -1];
  expect(boxOfRings([across])).toEqual({ west: 178, south: -1, east: -178, north: 1 });
  const longitudes = Float64Array.of(177, 178, 180, -180, -178, -177);
  expect([...nodesInside([across], Float64Array.of(0), longitudes)]).toEqual([0, 1, 1, 1, 1, 0]);
});

it("EPSG:4326 has the latitude first", () => {
  expect(readBbox("-1,170,1,190", true)).toEqual({ west: 170, south: -1, east: -170, north: 1 });
});

it.each([
  "",
  "1,2,3",
  "1,2,3,4,5",
  "1,2,0,3,4,0",
  "a,b,c,d",
  "NaN,0,1,1",
  "0,0,1e999,1",
  "0,0,361,1",
  "-181,0,1,1",
  "0,-91,1,1",
  "0,2,1,1",
  ",,,",
  ",".repeat(9_999),
])("the bbox %.20s is refused", (text) => {
  expect(() => readBbox(text)).toThrow(/^bbox: /);
});
