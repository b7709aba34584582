import { describe, expect, it } from "vitest";
import { type Geometry, geometryTypes, readWkt, TooManyPlacesError } from "./wkt.ts";

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
