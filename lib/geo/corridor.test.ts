import { expect, it } from "vitest";
import { corridorAround } from "./corridor.ts";
import { distanceKm } from "./sphere.ts";

const line = [
  { latitude: -60, longitude: -170 },
  { latitude: 60, longitude: 170 },
  { latitude: 89, longitude: 10 },
];

it("a corridor has the places within its reach of the line, in whatever order they are asked for", () => {
  const { contains } = corridorAround(line, 300);
  for (const place of line) expect(contains(place)).toBe(true);
  const rows: boolean[] = [];
  for (let latitude = -66; latitude <= 90; latitude += 3)
    for (let longitude = -180; longitude < 180; longitude += 7) {
      const found = contains({ latitude, longitude });
      rows.push(found);
      if (line.some((place) => distanceKm(place, { latitude, longitude }) < 290)) expect(found).toBe(true);
    }
  expect(new Set(rows).size).toBe(2);
  const columns = new Map<string, boolean>();
  for (let longitude = -180; longitude < 180; longitude += 7)
    for (let latitude = -66; latitude <= 90; latitude += 3)
      columns.set(`${latitude} ${longitude}`, contains({ latitude, longitude }));
  let at = 0;
  for (let latitude = -66; latitude <= 90; latitude += 3)
    for (let longitude = -180; longitude < 180; longitude += 7)
      expect(columns.get(`${latitude} ${longitude}`)).toBe(rows[at++]);
});

it("near a pole all longitudes are within reach", () => {
  const { contains } = corridorAround([{ latitude: 89, longitude: 10 }], 400);
  expect(contains({ latitude: 88, longitude: -170 })).toBe(true);
  expect(contains({ latitude: 86, longitude: -170 })).toBe(false);
});
