import { expect, it } from "vitest";
import { mercatorMesh, sphereMesh } from "./field-layer.ts";

const { positions, texCoords, indices, vertexCount } = sphereMesh(2);
const corner = (index: number) => {
  const vertex = indices[index]!;
  return { longitude: positions[3 * vertex]!, latitude: positions[3 * vertex + 1]! };
};

it("encodes the place of every vertex in its texture coordinates, as the shader reads them", () => {
  for (let vertex = 0; vertex < positions.length / 3; vertex++) {
    expect(-180 + 360 * texCoords[2 * vertex]!).toBeCloseTo(positions[3 * vertex]!, 4);
    expect(90 - 180 * texCoords[2 * vertex + 1]!).toBeCloseTo(positions[3 * vertex + 1]!, 4);
  }
});

it("covers the globe once with triangles of at most 2°, all turned outward", () => {
  let area = 0;
  for (let index = 0; index < vertexCount; index += 3) {
    const [a, b, c] = [corner(index), corner(index + 1), corner(index + 2)];
    const [east1, north1] = [b.longitude - a.longitude, b.latitude - a.latitude];
    const [east2, north2] = [c.longitude - a.longitude, c.latitude - a.latitude];
    expect(Math.max(east1, north1, east2, north2)).toBeLessThanOrEqual(2);
    const turned = (east1 * north2 - east2 * north1) / 2;
    expect(turned).toBeGreaterThan(0);
    area += turned;
  }
  expect(area).toBe(360 * 180);
});

it("ends the Mercator map where the map itself ends", () => {
  expect(Math.max(...mercatorMesh().positions)).toBe(180);
  expect(mercatorMesh().positions[4]).toBeCloseTo(85.051129, 5);
});
