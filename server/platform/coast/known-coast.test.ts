import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { knownCoast } from "./known-coast.ts";

/** Distance from the coast of the polygons beyond which every answer is theirs, metres. */
const TOLERANCE_METRES = 40;

/** Latitude and longitude, degrees; whether the polygons have land there; metres to their nearest edge. */
type LandPlace = [latitude: number, longitude: number, isLand: 0 | 1, metres: number];

const places = JSON.parse(
  readFileSync(new URL("../../../test/land-places.json", import.meta.url), "utf8"),
) as LandPlace[];

it("3,000 places are on land where the polygons of OpenStreetMap have it, within 40 m of their coast", () => {
  const { line } = knownCoast();
  const wrong = places.filter(
    ([latitude, longitude, isLand, metres]) =>
      metres > TOLERANCE_METRES && line.isLand({ latitude, longitude }) !== (isLand === 1),
  );
  expect(wrong).toEqual([]);
  expect(places.length).toBe(3000);
  expect(places.filter(([, , , metres]) => metres <= TOLERANCE_METRES).length).toBeLessThan(100);
});

it("the distance to the coast is that of the polygons", () => {
  const { line } = knownCoast();
  const near = places.filter(([, , , metres]) => metres < 5000);
  const wrong = near.filter(([latitude, longitude, , metres]) => {
    const miles = line.nearestCoastTo({ latitude, longitude })?.miles ?? 3;
    return Math.abs(miles * 1852 - metres) > TOLERANCE_METRES + 0.005 * metres;
  });
  expect(wrong).toEqual([]);
  expect(near.length).toBeGreaterThan(900);
});

it("tells the same places apart from a coast that lies a kilometre beside it", () => {
  const { line } = knownCoast();
  const wrong = places.filter(
    ([latitude, longitude, isLand, metres]) =>
      metres > TOLERANCE_METRES &&
      line.isLand({ latitude: Math.min(90, latitude + 0.009), longitude }) !== (isLand === 1),
  );
  expect(wrong.length).toBeGreaterThan(100);
});

it("the land of Taveuni continues across 180°, where the polygons of OpenStreetMap are cut", () => {
  const { line } = knownCoast();
  const place = { latitude: -16.95575, longitude: 179.9706 };
  expect(line.isLand(place)).toBe(true);
  // The nearest edge of the polygons that is not such a cut.
  const metres = (line.nearestCoastTo(place)?.miles ?? 3) * 1852;
  expect(Math.abs(metres - 3346)).toBeLessThan(TOLERANCE_METRES);
});
