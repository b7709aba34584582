import { optimiseRequest } from "#lib/contract/passage-optimise.ts";
import { destination, MILE_KM } from "#lib/geo/sphere.ts";
import { genericPolar } from "#lib/passage/generic-polars.ts";
import { OVER_COUNTS, type Score, scoreOf } from "#lib/passage/optimise/order.ts";
import { readPolar } from "#lib/passage/polar.ts";
import type { Vessel } from "#lib/passage/vessel.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader, type PointSource } from "#server/archive/reader.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { bruteForce } from "#test/brute-force.ts";
import { DEPARTURE, found, randomWeather, simulated } from "#test/passages-at-sea.ts";
import { foundPast, hurricane, lookedAt, orderPast, stormStarts } from "#test/storm-passages.ts";
import { BASE } from "#test/storms.ts";
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
  comparePastStorms();
}

const sail: Vessel = {
  kind: "sail",
  polar: readPolar(genericPolar("cruising_10m")),
  factor: 0.9,
  motor: { knots: 4, below: 2 },
};

/** 20 random weather situations on a grid of 2.8 n mi. */
function compare(): void {
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

/**
 * Twelve starts inside and beside a hurricane, at 14 kt, looked at apart from the planner; six of them, every other one under
 * sail, against a grid of 12 n mi in which each place is looked at in each hour.
 */
function comparePastStorms(): void {
  const motor: Vessel = { kind: "fixed", knots: 14 };
  const eye = { latitude: 22, longitude: -55 };
  const costOf = ({ seconds, weighted }: Score) => (seconds + OVER_COUNTS * weighted) / HOUR_S;
  for (const [index, { km, bearing, towards, knots }] of stormStarts.entries()) {
    const storm = hurricane(eye, towards, knots);
    const from = destination(eye, bearing, km);
    const to = destination(eye, bearing + 150, 900);
    const { route, origin } = foundPast(storm, [from, to], motor);
    const detour = [from, destination(from, bearing + 100, 500), to];
    const again = foundPast(storm, detour, motor);
    const isSame = JSON.stringify(again.route) === JSON.stringify(route);
    const other = [again.origin, origin].includes("own")
      ? "the own one stands"
      : isSame
        ? "the same"
        : "ANOTHER";
    const [own, better] = [[from, to], route].map((way) => {
      const { km, windKt, seaM, over, weighted } = lookedAt(storm, way, 14);
      return `${km.toFixed(0)} km, ${windKt.toFixed(0)} kt, ${seaM.toFixed(1)} m, ${over.toFixed(1)} h beyond limits (${weighted.toFixed(1)} h weighted)`;
    });
    console.log(`${km} km from the centre: own ${own}; ${origin} ${better}; from a detour ${other}`);
    if (index % 2) continue;
    const vessel = index % 4 ? sail : motor;
    const order = orderPast(storm, vessel);
    const options = { vessel, departure: BASE, nodes: 40, width: 0.7, order };
    const { way } = bruteForce(from, to, options, storm.weather);
    const grid = scoreOf(simulated([from, ...way.slice(1, -1), to], vessel, storm.weather), BASE, order);
    const share = costOf(foundPast(storm, [from, to], vessel).score) / costOf(grid);
    console.log(
      `  ${share.toFixed(3)} of the best on a grid, by ${vessel.kind === "sail" ? "sail" : "motor"}`,
    );
  }
}
