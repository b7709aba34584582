import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { fields } from "#lib/catalog/fields.ts";
import { type FieldName, variable, variableNames } from "#lib/catalog/variables.ts";
import { passageRequest } from "#lib/contract/passage.ts";
import type { Grid } from "#lib/field/grid.ts";
import { questionOf } from "#lib/passage/question.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader, type PointSource } from "#server/archive/reader.ts";
import { beginRun } from "#server/archive/writer.ts";
import { plansOf, SIDE_BY_SIDE } from "#server/metocean/passage-plans.ts";
import { measureScreen } from "./departures-screen.ts";
import { measureServed } from "./departures-served.ts";
import { median } from "./median.ts";

export const FIRST = Date.UTC(2026, 0, 1) / 1000;
const STEP_S = 3 * HOUR_S;
const STEPS = 73;
const CACHE_BYTES = 48 * 2 ** 20;
const ROUNDS = 5;

/** The North Atlantic at 0.25°. */
const grid: Grid = {
  latitude: { start: 5, step: 0.25, count: 221 },
  longitude: { start: -85, step: 0.25, count: 341 },
};

/** Some 500 places at 30 knots, 20 minutes apart: from Lisbon to Barbados and most of the way back. All departures arrive within the forecast. */
const body = {
  route: [
    { latitude: 38.5, longitude: -10 },
    { latitude: 14.9, longitude: -56.6 },
    { latitude: 30, longitude: -24 },
  ],
  departures: {
    from: formatInstant(FIRST),
    to: formatInstant(FIRST + 39 * HOUR_S),
    step_hours: 1,
  },
  vessel: { kind: "fixed", speed_kt: 30 },
  include_pieces: true,
};

/** The same route at 200 departures: more than a server computes in a second. Some passages go on beyond the forecast. */
const long = {
  ...body,
  departures: { ...body.departures, to: formatInstant(FIRST + 199 * HOUR_S) },
  include_pieces: false,
};

const { signal } = new AbortController();

/**
 * A sweep of 40 departures of some 500 places with 12 variables on a stored archive of 0.25°: the plans with all pieces and
 * their text, with nothing cached and with everything cached; then one departure, which shows what is shared; then the same
 * sweep from a server, and the next five days on the page.
 */
export async function bench(folder = ".cache/bench/departures"): Promise<void> {
  await buildArchive(folder);
  const manifest = await readManifest(folder);
  const request = passageRequest.parse(body);
  const question = questionOf(request);
  const run = async (reader: ReturnType<typeof openReader>, count: number) => {
    const source: PointSource = {
      manifest: () => manifest,
      refresh: () => manifest,
      valuesAt: (...args) => reader.valuesAt(...args),
    };
    const [began, before] = [performance.now(), process.cpuUsage()];
    const texts: string[] = [];
    let [bytes, pieces] = [0, 0];
    for (let from = 0; from < count; from += SIDE_BY_SIDE) {
      const to = Math.min(count, from + SIDE_BY_SIDE);
      const { plans } = await plansOf(source, manifest, question, [from, to], FIRST, signal);
      for (const plan of plans) {
        const text = JSON.stringify(plan);
        texts.push(text);
        bytes += Buffer.byteLength(text);
        pieces += plan.pieces!.length;
        if (plan.no_forecast_from !== null) throw new Error("The forecast ends on the way");
      }
    }
    const { user, system } = process.cpuUsage(before);
    return { s: (performance.now() - began) / 1000, cpu: (user + system) / 1e6, bytes, pieces, texts };
  };
  const { departures } = question;
  const reader = openReader(directoryStore(folder), { cacheBytes: CACHE_BYTES });
  const cold = await run(reader, departures.length);
  const warm: { s: number; cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) warm.push(await run(reader, departures.length));
  const one = await run(openReader(directoryStore(folder), { cacheBytes: CACHE_BYTES }), 1);
  console.log(
    `${departures.length} departures × ${Math.round(cold.pieces / departures.length)} places × ${variableNames.length} variables, ` +
      `${(cold.bytes / 1e6).toFixed(1)} MB of plans: cold ${cold.s.toFixed(2)} s (processor ${cold.cpu.toFixed(2)} s), ` +
      `warm median ${median(warm.map(({ s }) => s)).toFixed(2)} s (processor ${median(warm.map(({ cpu }) => cpu)).toFixed(2)} s); ` +
      `one departure cold ${one.s.toFixed(2)} s (processor ${one.cpu.toFixed(2)} s)`,
  );
  await measureServed(folder, FIRST, {
    body,
    long,
    plans: `[${cold.texts.join(",")}]`,
    library: async () => (await run(reader, departures.length)).s,
  });
  await measureScreen(folder, FIRST, {
    name: "",
    route: body.route.map((place) => ({ ...place, leg: "great_circle" })),
    vessel: { kind: "fixed", speed_kt: 30 },
  });
}

/** Builds an archive with all fields of all variables, unless it is there. */
export async function buildArchive(folder: string): Promise<void> {
  if (existsSync(path.join(folder, "manifest.json"))) return;
  mkdirSync(folder, { recursive: true });
  const began = performance.now();
  for (const isStatic of [false, true]) {
    const names = variableNames
      .filter((name) => (variable(name).static ?? false) === isStatic)
      .flatMap((name) => Object.keys(variable(name).stores) as FieldName[]);
    const times = isStatic ? [FIRST] : Array.from({ length: STEPS }, (_, step) => FIRST + step * STEP_S);
    const writer = await beginRun(folder, {
      dataset: isStatic ? "Static" : "Forecast",
      source: isStatic ? "etopo" : "gfs",
      model: "Synthetic 0.25°",
      referenceTime: FIRST,
      grid,
      times,
    });
    for (const [index, name] of names.entries())
      await writer.writeField(name, {}, async (step) => smooth(name, index, step));
    await writer.publish();
  }
  console.log(`(built the archive in ${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

/** Travelling waves within what a field may have, with noise in the last digits. */
function smooth(name: FieldName, index: number, step: number): Float32Array {
  const { offset, scale } = fields[name];
  const values = new Float32Array(grid.latitude.count * grid.longitude.count);
  let at = 0;
  for (let row = 0; row < grid.latitude.count; row++)
    for (let column = 0; column < grid.longitude.count; column++) {
      const wave = Math.sin(column / 9 + index - step / 5) * Math.cos(row / 11 + index / 2);
      // Some thousand packing steps about the middle of the field; a height or a period stays above 0.
      values[at++] = offset + scale * (700 + 600 * wave + ((row * 7 + column * 13 + step) % 5));
    }
  return values;
}
