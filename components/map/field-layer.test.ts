import { expect, it } from "vitest";
import { mercatorMesh, sphereMesh } from "./field-layer.ts";

it("covers the globe once with triangles of at most 2°, all turned outward", () => {
  const { positions, indices, vertexCount } = sphereMesh(2);
  let area = 0;
  for (let index = 0; index < vertexCount; index += 3) {
    const [a = 0, b = 0, c = 0] = indices.subarray(index, index + 3);
    const [east1, east2] = [b, c].map((vertex) => positions[3 * vertex]! - positions[3 * a]!);
    const [north1, north2] = [b, c].map((vertex) => positions[3 * vertex + 1]! - positions[3 * a + 1]!);
    expect(Math.max(east1!, north1!, east2!, north2!)).toBeLessThanOrEqual(2);
    const turned = (east1! * north2! - east2! * north1!) / 2;
    expect(turned).toBeGreaterThan(0);
    area += turned;
  }
  expect(area).toBe(360 * 180);
});

it("ends the Mercator map where the map itself ends", () => {
  const { positions } = mercatorMesh();
  expect([Math.max(...positions), positions[4]]).toEqual([180, expect.closeTo(85.051129, 5)]);
});
