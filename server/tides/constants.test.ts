import { type Station, stations } from "@neaps/tide-database";
import { distanceKm, RADIANS } from "@open-metocean/geo/sphere";
import { expect, it } from "vitest";
import { termsOf } from "./constants.ts";

const references = stations.filter(({ kind, type }) => kind === "tide" && type === "reference");
const isRefitted = ({ id }: Station) => /-(wsv|rws)$/.test(id);
const ticon = references.filter((station) => station.id.startsWith("ticon/") && !isRefitted(station));

/** Smaller amplitudes are ignored, metres, because noise of the gauges decides their lag. */
const MIN_AMPLITUDE = 0.003;

/**
 * Mean difference between the lags of some stations and those of TICON stations beside them, degrees, and the number of
 * pairs.
 */
function excess(others: Station[], km: number, ours: string, theirs: string) {
  let [east, north, count] = [0, 0, 0];
  for (const station of others) {
    const near = ticon.filter(
      (one) => Math.abs(one.latitude - station.latitude) < 0.1 && distanceKm(one, station) < km,
    );
    const mine = new Map(termsOf(station).map((term) => [term.name, term]));
    const term = mine.get(ours);
    if (!term || term.amplitude < MIN_AMPLITUDE) continue;
    for (const neighbour of near) {
      const all = new Map(termsOf(neighbour).map((one) => [one.name, one]));
      const other = all.get(theirs);
      const turned = (mine.get("M2")!.phase - all.get("M2")!.phase) * RADIANS;
      if (!other || other.amplitude < MIN_AMPLITUDE || Math.cos(turned) < 0.97) continue;
      const angle = (term.phase - other.phase) * RADIANS;
      [east, north, count] = [east + Math.cos(angle), north + Math.sin(angle), count + 1];
    }
  }
  return { degrees: Math.atan2(north, east) / RADIANS, count };
}

const noaa = references.filter(({ id }) => id.startsWith("noaa/"));
const norway = references.filter(({ id }) => id.startsWith("kartverket/"));
const refitted = references.filter(isRefitted);

it.each([
  ["NOAA", "M1", "M1", noaa, 2],
  ["NOAA", "M3", "M3", noaa, 2],
  ["NOAA", "OO1", "OO1", noaa, 2],
  ["NOAA", "S1", "S1", noaa, 2],
  ["Norway", "SA", "SA", norway, 5],
  ["Norway", "sigma1", "SGM", norway, 5],
  ["Norway", "SK3", "R3", norway, 5],
  ["Norway", "MKS2", "MKS2", norway, 5],
  ["the database's own fits", "M3", "M3", refitted, 8],
  ["the database's own fits", "R3", "R3", refitted, 8],
  ["the database's own fits", "SGM", "SGM", refitted, 8],
  ["the database's own fits", "2MK5", "2MK5", refitted, 8],
  ["the database's own fits", "2MO5", "2MO5", refitted, 8],
  ["the database's own fits", "MKS2", "MKS2", refitted, 8],
])("lags of %s and TICON agree where both have stations: %s and %s", (_, ours, theirs, others, km) => {
  const { degrees, count } = excess(others, km, ours, theirs);
  expect(count).toBeGreaterThan(0);
  expect(Math.abs(degrees)).toBeLessThan(30);
});
