import { destination, distanceKm } from "@open-metocean/geo/sphere";
import { expect, it } from "vitest";
import { NEAR_STREAM_KM } from "#lib/contract/point.ts";
import { streamStations } from "./generated/stream-stations.ts";
import { streamFinder } from "./near-stream.ts";

const find = streamFinder(streamStations);

it("finds the nearest of all stations within the distance, on either side of the date line, and none beyond", () => {
  const { id, latitude, longitude } = streamStations;
  const stations = id.map((one, at) => ({ id: one, latitude: latitude[at]!, longitude: longitude[at]! }));
  const places = stations.flatMap((station, at) =>
    [0, 4, 9.9, 10.1].map((km) => destination(station, (37 * at) % 360, km)),
  );
  // These are every station of the Aleutians, where the date line is, and a sample of the others.
  const tried = places.filter(({ longitude: east }, at) => Math.abs(east) > 170 || at % 200 < 4);
  expect(tried.length).toBeGreaterThan(100);
  for (const place of tried) {
    const nearest = Math.min(...stations.map((station) => distanceKm(place, station)));
    if (Math.abs(nearest - NEAR_STREAM_KM) < 0.01) continue;
    const found = stations.find((station) => station.id === find(place.latitude, place.longitude));
    expect(found !== undefined).toBe(nearest < NEAR_STREAM_KM);
    if (found) expect(distanceKm(place, found)).toBeCloseTo(nearest, 3);
  }
});

it.each([
  [0, -30],
  [90, 0],
  [-90, 180],
  [48, -20],
])("finds none on the open sea or at a pole: %d, %d", (latitude, longitude) => {
  expect(find(latitude, longitude)).toBeUndefined();
});
