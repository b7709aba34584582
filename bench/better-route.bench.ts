import { optimiseRequest } from "#lib/contract/passage-optimise.ts";
import { destination, MILE_KM } from "#lib/geo/sphere.ts";
import { genericPolar } from "#lib/passage/generic-polars.ts";
import { readPolar } from "#lib/passage/polar.ts";
import type { Vessel } from "#lib/passage/vessel.ts";
import { formatInstant } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader, type PointSource } from "#server/archive/reader.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { bruteForce } from "#test/brute-force.ts";
import { DEPARTURE, found, randomWeather, simulated } from "#test/passages-at-sea.ts";
import { buildArchive, FIRST } from "./departures.bench.ts";

const CACHE_BYTES = 48 * 2 ** 20;

/** From Lisbon to Barbados under sail. */
const body = {
  route: [
    { latitude: 38.6, longitude: -9.6 },
    { latitude: 13.1, longitude: -59.4 },
  ],
  departure: formatInstant(FIRST),
  vessel: { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 6 },
  async: true,
};

/** Crossings of the Atlantic on a stored archive of 0.25°, cold and warm; then the long form of the comparison with brute force. */
export async function bench(folder = ".cache/bench/departures"): Promise<void> {
  await buildArchive(folder);
  const manifest = await readManifest(folder);
  const { signal } = new AbortController();
  for (const objective of ["fastest", "within_limits"] as const) {
    const reader = openReader(directoryStore(folder), { cacheBytes: CACHE_BYTES });
    const source: PointSource = {
      manifest: () => manifest,
      refresh: () => manifest,
      valuesAt: (...args) => reader.valuesAt(...args),
    };
    const request = optimiseRequest.parse({ ...body, objective });
    for (const state of ["cold", "warm", "warm"]) {
      const [began, before] = [performance.now(), process.cpuUsage()];
      let [reports, longest, last] = [0, 0, began];
      const progress = () => {
        reports++;
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      };
      const { meta } = await betterPlans(source, manifest, request, FIRST, signal, { progress });
      const { user, system } = process.cpuUsage(before);
      const { text, distance_nm, route } = meta.better!;
      console.log(
        `${objective}, ${state}: ${((performance.now() - began) / 1000).toFixed(2)} s (processor ${((user + system) / 1e6).toFixed(2)} s), ` +
          `${reports} reports of progress, at most ${longest.toFixed(0)} ms apart; ${distance_nm} n mi, ${route.length} waypoints: ${text}`,
      );
    }
  }
  compare();
}

/** 20 random weather situations on a grid of 2.8 n mi. */
function compare(): void {
  const sail: Vessel = {
    kind: "sail",
    polar: readPolar(genericPolar("cruising_10m")),
    factor: 0.9,
    motor: { knots: 4, below: 2 },
  };
  const ratios = Array.from({ length: 20 }, (_, index) => {
    const from = { latitude: -1.2, longitude: -30 };
    const to = destination(from, 40 + 13 * index, 170 * MILE_KM);
    const weather = randomWeather(index + 101);
    const options = { vessel: sail, departure: DEPARTURE, nodes: 60, width: 0.6 };
    const { way } = bruteForce(from, to, options, weather);
    const best = simulated([from, ...way.slice(1, -1), to], sail, weather).end.time - DEPARTURE;
    return found(from, to, { vessel: sail }, weather).score.seconds / best;
  });
  console.log(
    `against brute force, ${ratios.length} situations: ${Math.min(...ratios).toFixed(4)} to ${Math.max(...ratios).toFixed(4)} of its time`,
  );
}
