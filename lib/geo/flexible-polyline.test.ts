import fc from "fast-check";
import { expect, it } from "vitest";
import { decodePolyline, encodePolyline } from "./flexible-polyline.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

// The example in the published specification.
const example = [at(50.10228, 8.69821), at(50.10201, 8.69567), at(50.10063, 8.6915), at(50.09878, 8.68752)];

it("is the encoding of the published example", () => {
  expect(encodePolyline(example)).toBe("BFoz5xJ67i1B1B7PzIhaxL7Y");
  expect(decodePolyline("BFoz5xJ67i1B1B7PzIhaxL7Y")).toEqual(example);
});

it("any places come back to 1e-5 degrees, in characters of an address", () => {
  const place = fc.record({
    latitude: fc.oneof(fc.constantFrom(-90, 90, 0, -0), fc.double({ min: -90, max: 90, noNaN: true })),
    longitude: fc.oneof(
      fc.constantFrom(-180, 180, 179.99999),
      fc.double({ min: -180, max: 180, noNaN: true }),
    ),
  });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 60 }), (places) => {
      const text = encodePolyline(places);
      expect(text).toMatch(/^[\w-]*$/);
      const back = decodePolyline(text)!;
      expect(back).toHaveLength(places.length);
      for (const [index, { latitude, longitude }] of back.entries()) {
        expect(Math.abs(latitude - places[index]!.latitude)).toBeLessThanOrEqual(5.0001e-6);
        expect(Math.abs(longitude - places[index]!.longitude)).toBeLessThanOrEqual(5.0001e-6);
        expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
        expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      }
      expect(encodePolyline(back)).toBe(text);
    }),
    { seed: 20_261_123 },
  );
});

it.each(["", "B", "CF", "BF!", "BFo", "BFoz5xJ", "BF" + "__________A"])("%j is no polyline", (text) => {
  expect(decodePolyline(text)).toBeUndefined();
});
