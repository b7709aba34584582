import { expect, it } from "vitest";
import { NEAR_STREAM_KM } from "#lib/contract/point.ts";
import { destination, distanceKm } from "#lib/geo/sphere.ts";
import { streamStations } from "./generated/stream-stations.ts";
import { streamFinder } from "./near-stream.ts";

const find = streamFinder(streamStations);

it("finds the nearest of all stations within the distance, on either side of the date line, and none beyond", () => {
  const { id, latitude, longitude } = streamStations;
  const places = id.flatMap((_, at) =>
    [0, 4, 9.9, 10.1].map((km) =>
      destination({ latitude: latitude[at]!, longitude: longitude[at]! }, (37 * at) % 360, km),
    ),
  );
  // Every station of the Aleutians, where the date line is, and some of the others.
  const tried = places.filter(({ longitude: east }, at) => Math.abs(east) > 170 || at % 200 < 4);
  expect(tried.length).toBeGreaterThan(100);
  for (const place of tried) {
    const ranked = id.map((one, at) => ({
      id: one,
      km: distanceKm(place, { latitude: latitude[at]!, longitude: longitude[at]! }),
    }));
    const { km } = ranked.reduce((best, one) => (one.km < best.km ? one : best));
    const found = ranked.find((one) => one.id === find(place.latitude, place.longitude));
    if (Math.abs(km - NEAR_STREAM_KM) < 0.01) continue;
    expect(found?.km ?? Number.POSITIVE_INFINITY).toBeCloseTo(
      km < NEAR_STREAM_KM ? km : Number.POSITIVE_INFINITY,
      3,
    );
  }
});

it("finds none on the open sea, and none at the poles", () => {
  for (const [latitude, longitude] of [
    [0, -30],
    [90, 0],
    [-90, 180],
    [48, -20],
  ] as const)
    expect(find(latitude, longitude)).toBeUndefined();
});
