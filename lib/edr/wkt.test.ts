import { describe, expect, it } from "vitest";
import { readBbox } from "./queries.ts";
import { boxOfRings, type Geometry, geometryTypes, nodesInside, readWkt, TooManyPlacesError } from "./wkt.ts";

function read(
  text: string,
  types = geometryTypes as readonly (typeof geometryTypes)[number][],
  max = 10,
): Geometry {
  const reading = readWkt(text, types, max);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

describe("Well Known Text", () => {
  it.each([
    ["POINT(-5.2 48.5)", 2, [[-5.2, 48.5]]],
    [" point ( 1e1\t-.5 ) ", 2, [[10, -0.5]]],
    ["POINT(-0 -0)", 2, [[0, 0]]],
    ["POINT(180 -90)", 2, [[180, -90]]],
    ["POINT(190 2)", 2, [[-170, 2]]],
    ["LINESTRING(179 0,181 0)", 2, [[179, 0, -179, 0]]],
    ["POLYGON((178 0,182 0,182 1,178 0))", 2, [[178, 0, 182, 0, 182, 1, 178, 0]]],
    ["MULTIPOINT(1 2,3 4)", 2, [[1, 2, 3, 4]]],
    ["MULTIPOINT((1 2), (3 4))", 2, [[1, 2, 3, 4]]],
    ["LINESTRING(1 2 , 3 4)", 2, [[1, 2, 3, 4]]],
    ["LINESTRINGM(1 2 1560507000,3 4 1560507600)", 3, [[1, 2, 1560507000, 3, 4, 1560507600]]],
    ["LINESTRING M (1 2 0,3 4 -60)", 3, [[1, 2, 0, 3, 4, -60]]],
    ["POLYGON((0 0,1 0,1 1,0 0))", 2, [[0, 0, 1, 0, 1, 1, 0, 0]]],
    ["MULTIPOLYGON(((0 0,1 0,1 1,0 0)))", 2, [[0, 0, 1, 0, 1, 1, 0, 0]]],
  ])("%s is read", (text, stride, lists) => {
    expect(read(text)).toMatchObject({ stride, lists });
  });

  it.each([
    ["", /should be Well Known Text of/],
    ["POINT", /"\(" is missing/],
    ["POINT()", /a number is missing/],
    ["POINT EMPTY", /should be Well Known Text of/],
    ["POINT(1)", /a number is missing/],
    ["POINT(1 2", /"\)" is missing/],
    ["POINT(1 2))", /nothing should follow, at character 11/],
    ["POINT(1 2 3)", /"\)" is missing/],
    ["POINT(1,2)", /a number is missing/],
    ["POINT(1 2,3 4)", /one place/],
    ["POINT(361 2)", /longitude, which comes first/],
    ["POINT(2 90.0001)", /latitude, which comes second/],
    ["POINT(NaN NaN)", /a number is missing/],
    ["POINT(1e999 0)", /longitude/],
    ["POINT(0x1F 0)", /a number is missing/],
    ["POINT(１ 2)", /a number is missing/],
    ["POINTZ(1 2 3)", /heights are not supported/],
    ["LINESTRINGZ(1 2 3,1 2 3)", /heights are not supported/],
    ["LINESTRING ZM(1 2 3 4,1 2 3 4)", /heights are not supported/],
    ["LINESTRINGM(1 2,3 4)", /a number is missing/],
    ["LINESTRINGM(1 2 1.5,3 4 2)", /whole number of seconds/],
    ["LINESTRINGM(1 2 1e300,3 4 2)", /whole number of seconds/],
    ["LINESTRING(1 2)", /at least two places/],
    ["POLYGON(0 0,1 0,1 1,0 0)", /"\(" is missing/],
    ["POLYGON((0 0,1 0,0 0))", /at least four places/],
    ["POLYGON((0 0,1 0,1 1,0 1))", /ends where it began/],
    ["GEOMETRYCOLLECTION(POINT(1 2))", /should be Well Known Text of/],
    [`${"MULTIPOLYGON".repeat(500)}(`, /should be Well Known Text of/],
    [`POLYGON${"(".repeat(9_000)}`, /a number is missing/],
    [`POINT(${" ".repeat(9_000)}`, /a number is missing/],
    [`POINT(${"9".repeat(9_000)} 0)`, /longitude/],
  ])("%.40s says what is wrong", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it("has the latitude first where the coordinate system has", () => {
    const { value } = readWkt("POINT(48.5 -5.2)", ["POINT"], 1, true).next();
    expect(value).toMatchObject({ lists: [[-5.2, 48.5]] });
  });

  it("takes only what the query takes, and says so", () => {
    expect(() => read("LINESTRING(1 2,3 4)", ["POINT", "MULTIPOINT"])).toThrow(
      "coords: should be Well Known Text of POINT or MULTIPOINT",
    );
  });

  it("stops at the limit, whatever follows", () => {
    const text = `LINESTRING(${"1 2,".repeat(1_000_000)}`;
    expect(() => read(text)).toThrow(TooManyPlacesError);
  });

  it("lets other work in between the places of a long line", () => {
    const reading = readWkt(`LINESTRING(${Array(9_000).fill("1 2").join()})`, ["LINESTRING"], 10_000);
    let pauses = 0;
    while (!reading.next().done) pauses++;
    expect(pauses).toBe(2);
  });
});

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
