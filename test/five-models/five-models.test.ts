import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createClient } from "@open-metocean/client";
import { coordinate, normaliseLongitude } from "@open-metocean/geo/grid";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { openNetcdf3 } from "#server/ingest/netcdf/netcdf3.ts";
import { columnsOf } from "#test/archive.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";
import { type SimulatedService, simulatedService } from "#test/feeds-week/simulated-service.ts";
import { ask, bytesOf, textOf } from "#test/send.ts";
import { serveArchive } from "./served-archive.ts";

const folder = import.meta.dirname;

type Quantity = "u" | "v" | "gust" | "pressure" | "height" | "period" | "from" | "warmth" | "cloud";

/** value = a + b · latitude + c · longitude + d · lead (h), by model and quantity, from make_objects.py. */
const oracle: Record<string, Partial<Record<Quantity, [number, number, number, number]>>> = JSON.parse(
  readFileSync(join(folder, "oracle.json"), "utf8"),
);
const objects = new Map(
  Object.entries(
    JSON.parse(gunzipSync(readFileSync(join(folder, "objects.json.gz"))).toString()) as Record<
      string,
      string
    >,
  ).map(([url, text]) => [url, Buffer.from(text, "base64")]),
);

const CYCLE = Date.UTC(2026, 11, 31, 18) / 1000;
const models = ["gfs", "ecmwf", "ecmwfaifs", "ukmo", "arpege", "dwdgwam"];
/** GWAM has two cycles a day. */
const cycleOf = (model: string) => (model === "dwdgwam" ? CYCLE - 6 * HOUR_S : CYCLE);
const names = [...models, "gfswave", "ecmwfwave", "ecmwfaifswave"];
/** The fields of the archive that have a quantity as it is, and the rounding of files in their unit. */
const stored: Partial<Record<FieldName, Quantity>> = {
  eastward_wind_10m: "u",
  northward_wind_10m: "v",
  wind_speed_of_gust: "gust",
  air_pressure_at_mean_sea_level: "pressure",
  air_temperature: "warmth",
  cloud_area_fraction: "cloud",
  sea_surface_wave_significant_height: "height",
  sea_surface_wave_mean_period: "period",
};
/** Rounding of the files, whose numbers have 16 bits or are float32, in any unit here. */
const OF_FILES = 0.002;
const step = (field: FieldName) => fields[field].scale / 2 + OF_FILES;

/** @param time Unix seconds. */
function truth(model: string, quantity: Quantity, latitude: number, longitude: number, time: number): number {
  const [a, b, c, d] = oracle[model]![quantity]!;
  return a + b * latitude + c * longitude + (d * (time - cycleOf(model))) / HOUR_S;
}

/** A feed of which a cycle ends with the first file of ARPEGE, and otherwise at midnight. */
function shortened(name: string): FieldFeed {
  const feed = feedNamed(name);
  const seconds = { arpege: 24 * HOUR_S, dwdgwam: 12 * HOUR_S }[name] ?? 6 * HOUR_S;
  return {
    ...feed,
    parts: (cycle, profile) =>
      feed.parts(cycle, profile).filter(({ times }) => times.at(-1)! <= cycle + seconds),
  };
}

/** A service that has fetched the cycle of some feeds. */
async function serviceOf(feeds: readonly string[]): Promise<SimulatedService> {
  const fetched = await simulatedService({
    feeds: feeds.map(shortened),
    profile: "lite",
    resolution: 5,
    start: CYCLE + 8 * HOUR_S,
    planet: { objects },
  });
  await fetched.runUntil(CYCLE + 8 * HOUR_S + 120);
  return fetched;
}

let service: SimulatedService;

beforeAll(async () => {
  service = await serviceOf(names);
}, 60_000);

/** Counts of the rate limit begin again. */
const serve = () => serveArchive(service.archive, CYCLE + 8 * HOUR_S);

beforeEach(serve);

afterAll(() => service[Symbol.asyncDispose]());

/** Between the nodes and the steps of every model, over New Year. */
const places = [
  { latitude: 43.7, longitude: -32.1, timestamp: formatInstant(CYCLE + 1.5 * HOUR_S) },
  { latitude: 27.25, longitude: -51.9, timestamp: formatInstant(CYCLE + 5.5 * HOUR_S) },
  { latitude: 58, longitude: -12, timestamp: formatInstant(CYCLE + 6 * HOUR_S) },
];
const variables = ["wind", "gust", "pressure", "wave"] as const;

/** The values of a model at a place: numbers, or null for what it lacks, and the largest errors of packing. */
function expected(model: string, at: (typeof places)[number]): Record<string, [number | null, number]> {
  const time = Date.parse(at.timestamp) / 1000;
  const has = (quantity: Quantity) => oracle[model]![quantity] !== undefined;
  const of = (quantity: Quantity) =>
    has(quantity) ? truth(model, quantity, at.latitude, at.longitude, time) : Number.NaN;
  const [u, v] = [of("u"), of("v")];
  const speed = Math.hypot(u, v);
  const ofWind = step("eastward_wind_10m") * Math.SQRT2;
  const from = (Math.atan2(-u, -v) * 180) / Math.PI;
  // The first step of ECMWF has no gusts, and so none of the times before the second.
  const hasGust = has("gust") && !(model === "ecmwf" && time < CYCLE + 6 * HOUR_S);
  const direction: [number | null, number] = has("from") ? [of("from"), 0.02] : [null, 0];
  return {
    Winds_10m_Intensity: has("u") ? [speed, ofWind] : [null, 0],
    Winds_10m_Direction: has("u") ? [(from + 360) % 360, ((ofWind / speed) * 180) / Math.PI] : [null, 0],
    Gust_10m: hasGust ? [of("gust"), step("wind_speed_of_gust")] : [null, 0],
    Pressure: has("pressure") ? [of("pressure"), step("air_pressure_at_mean_sea_level")] : [null, 0],
    Waves_Significant_Height: has("height")
      ? [of("height"), step("sea_surface_wave_significant_height")]
      : [null, 0],
    Waves_Mean_Period: has("period") ? [of("period"), step("sea_surface_wave_mean_period")] : [null, 0],
    Waves_Mean_Direction: direction,
  };
}

/** Half of the last digit of an answer, and of float32. */
const rounding = (name: string) => (/Intensity|Gust|Height/.test(name) ? 0.005_01 : 0.050_1);

function compare(found: Record<string, unknown>, model: string, at: (typeof places)[number]): void {
  for (const [name, [value, error]] of Object.entries(expected(model, at))) {
    const where = `${model} ${name} at ${at.latitude} ${at.longitude} ${at.timestamp}`;
    if (value === null) expect(found[name], where).toBeNull();
    else expect(Math.abs((found[name] as number) - value), where).toBeLessThanOrEqual(error + rounding(name));
  }
}

const post = async (path: string, body: object, accept?: string) =>
  ask("POST", path, { body, ...(accept && { headers: { accept } }) });

it("is fetched whole from the addresses of the publishers", async () => {
  const states = await service.states.all();
  expect(states.map(({ name, error, steps, stepsExpected }) => [name, error, steps - stepsExpected])).toEqual(
    names.toSorted().map((name) => [name, null, 0]),
  );
});

it("has every number of each model in the archive within half a packing step", async () => {
  const reader = openReader(directoryStore(service.archive), { cacheBytes: 1e7 });
  const { runs } = await readManifest(service.archive);
  let compared = 0;
  for (const run of runs) {
    const model = run.source.replace(/wave$/, "");
    expect(run.referenceTime).toBe(cycleOf(model));
    for (const [field, quantity] of Object.entries(stored) as [FieldName, Quantity][]) {
      if (!run.fields[field]) continue;
      const steps = run.fields[field].steps ?? run.times.map((_, index) => index);
      const { latitude, longitude } = run.grid;
      const rows = steps.flatMap((index) =>
        Array.from({ length: latitude.count * longitude.count }, (_, node) => {
          const [row, column] = [Math.floor(node / longitude.count), node % longitude.count];
          const east = normaliseLongitude(coordinate(longitude, column));
          return [coordinate(latitude, row), east, run.times[index]!] as const;
        }),
      );
      const out = new Float64Array(rows.length);
      const indices = Int32Array.from(rows, (_, index) => index);
      await reader.valuesAt(run, field, columnsOf(rows), indices, out, new AbortController().signal);
      for (const [index, [north, east, time]] of rows.entries())
        expect(
          Math.abs(out[index]! - truth(model, quantity, north, east, time)),
          `${run.source} ${field} at ${north} ${east} ${formatInstant(time)}`,
        ).toBeLessThanOrEqual(step(field));
      compared += rows.length;
    }
  }
  expect(compared).toBeGreaterThan(2000);
});

it("answers POST /MetOcean by model, with null and the reason for what a model lacks, and best as without models", async () => {
  const asked = { points: places, variables, include_meta: true };
  const { result } = JSON.parse(
    await textOf(await post("/MetOcean", { ...asked, models: [...models, "best"] })),
  );
  for (const [index, { coordinates, conditions }] of result.results.entries()) {
    const model = [...models, "best"][Math.floor(index / places.length)]!;
    expect(coordinates.model).toBe(model);
    if (model !== "best") compare(conditions, model, places[index % places.length]!);
  }
  const alone = JSON.parse(await textOf(await post("/MetOcean", asked))).result.results;
  const best = result.results.slice(-places.length);
  expect(best.map(({ conditions }: { conditions: object }) => conditions)).toEqual(
    alone.map(({ conditions }: { conditions: object }) => conditions),
  );
  const gfs = result.results.slice(0, places.length);
  for (const [index, { conditions }] of best.entries())
    expect(conditions.Winds_10m_Intensity).toBe(gfs[index].conditions.Winds_10m_Intensity);
  const reasons = result.meta.nulls as { variable: string; reason: string; points: number[] }[];
  const lacking = (model: string, variable: string) => {
    const first = models.indexOf(model) * places.length;
    return reasons
      .filter((one) => one.variable === variable && one.points.includes(first))
      .map(({ reason }) => reason);
  };
  expect([
    lacking("ecmwfaifs", "gust"),
    lacking("ukmo", "wave"),
    lacking("arpege", "wave"),
    lacking("dwdgwam", "wind"),
  ]).toEqual(Array(4).fill([expect.any(String)]));
  const rows = result.meta.provenance as { answer: string; source: string; reference_time: string }[];
  for (const { answer, source } of rows)
    if (answer !== "best") expect(source.replace(/wave$/, "")).toBe(answer);
});

it("answers without models to the byte as it does without the models beside the first ones", async () => {
  const answer = async (folder: string) => {
    serveArchive(folder, CYCLE + 8 * HOUR_S);
    const replies = [
      await post("/MetOcean", { points: places, variables, include_meta: true }),
      await post("/MetOcean", { points: places, variables }, "text/csv"),
      await ask(
        "GET",
        `/edr/collections/forecast/position?parameter-name=Winds_10m_Intensity,Gust_10m,Pressure&coords=POINT(-32.1%2043.7)&datetime=${places[0]!.timestamp}`,
      ),
    ];
    const texts = await Promise.all(replies.map(textOf));
    return texts.map((text) => text.replace(/"task_id":\[[^\]]*\]|"execution_time":"[^"]*"/g, ""));
  };
  await using before = await serviceOf(["gfs", "gfswave", "ecmwf", "ecmwfwave"]);
  const [of, alone] = [await answer(service.archive), await answer(before.archive)];
  expect(of).toEqual(alone);
  expect(of.map(({ length }) => length > 100)).toEqual([true, true, true]);
});

it("answers EDR by model", async () => {
  for (const model of models) {
    serve();
    for (const at of places) {
      const query = new URLSearchParams({
        coords: `POINT(${at.longitude} ${at.latitude})`,
        datetime: at.timestamp,
      });
      const found: Record<string, unknown> = {};
      for (const collection of ["forecast", "waves"]) {
        const path = `/edr/collections/${collection}.${model}/position?${query}`;
        const reply = await ask("GET", path);
        if (reply.status === 404) continue;
        const { ranges } = JSON.parse(await textOf(reply));
        for (const [name, { values }] of Object.entries(ranges as Record<string, { values: unknown[] }>))
          found[name] = values[0];
      }
      const lacking = Object.keys(expected(model, at)).filter((name) => !(name in found));
      // A collection of a model without waves has none.
      for (const name of lacking) expect(expected(model, at)[name]![0]).toBeNull();
      compare({ ...Object.fromEntries(lacking.map((name) => [name, null])), ...found }, model, at);
    }
  }
});

it("writes NetCDF by model", async () => {
  const at = places[2]!;
  const area = { type: "points", points: [{ latitude: at.latitude, longitude: at.longitude }] };
  const range = { from: at.timestamp, to: at.timestamp, step_hours: 3 };
  const reply = await post("/files", {
    area,
    variables: ["wind", "pressure"],
    ...range,
    models,
    format: "netcdf",
  });
  const bytes = await bytesOf(reply);
  const file = openNetcdf3({
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  });
  for (const name of ["Winds_10m_Intensity", "Pressure"]) {
    const values = [...file.read(name, [0, 0], [1, models.length]).values()];
    for (const [index, model] of models.entries()) {
      const [value, error] = expected(model, at)[name]!;
      if (value === null) expect(values[index], `${model} ${name}`).toBeNaN();
      else
        expect(Math.abs(values[index]! - value), `${model} ${name}`).toBeLessThanOrEqual(
          error + rounding(name),
        );
    }
  }
});

it("writes CSV by model, and the client reads a table by model", async () => {
  const csv = await textOf(await post("/MetOcean", { points: places, variables, models }, "text/csv"));
  const [head, ...rows] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const column = (name: string) => head!.findIndex((each) => each === name || each.startsWith(`${name} `));
  expect(rows).toHaveLength(models.length * places.length);
  for (const [index, row] of rows.entries()) {
    const model = row[column("model")]!;
    expect(model).toBe(models[Math.floor(index / places.length)]);
    const found = Object.fromEntries(
      Object.keys(expected(model, places[0]!)).map((name) => {
        const text = row[column(name)];
        return [name, text === "" ? null : Number(text)];
      }),
    );
    compare(found, model, places[index % places.length]!);
  }
  const client = createClient({
    url: "http://service/",
    key: "good-key",
    fetch: async (url, init) => {
      const { pathname, search } = new URL(String(url));
      const headers = Object.fromEntries(new Headers(init?.headers));
      const reply = await ask(init?.method ?? "GET", `${pathname}${search}`, {
        headers,
        body: JSON.parse(String(init?.body)),
      });
      return new Response(new Uint8Array(await bytesOf({ ...reply, headers: {} })), {
        status: reply.status,
        headers: Object.entries(reply.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        ),
      });
    },
  });
  const table = await client.pointsTable({
    points: places,
    variables: [...variables],
    models,
  });
  for (const [index, model] of [...table.texts.model!].entries()) {
    const found = Object.fromEntries(
      table.columns.map(({ name, values }) => [name, Number.isNaN(values[index]!) ? null : values[index]!]),
    );
    compare(found, String(model), places[index % places.length]!);
  }
});
