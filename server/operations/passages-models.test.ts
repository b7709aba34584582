import { afterAll, beforeEach, expect, it } from "vitest";
import { type PassagePlan, passageResponse } from "#lib/contract/passage-reply.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { openTides } from "#server/tides/tides.ts";
import { runOf } from "#test/archive.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, issuesOf, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const demo = demoArchive(now);
const tides = openTides({ nonCommercial: false });
afterAll(() => tides.close());

beforeEach(() => connectWeather(now, { archive: demo, tides }));

const body = {
  route: [
    { latitude: 40, longitude: -42 },
    { latitude: 40.4, longitude: -42.5 },
    { latitude: 40.4, longitude: -43 },
  ],
  departures: { from: formatInstant(now), to: formatInstant(now + 48 * HOUR_S), step_hours: 24 },
  vessel: { kind: "fixed", speed_kt: 12 },
};
const models = ["demo-world", "demo-early", "demo-late"];

async function send(path: string, request: object) {
  const reply = await ask("POST", path, { body: request });
  const answer = JSON.parse(await textOf(reply));
  return { reply, answer };
}

async function answered(request: object, path = "/passages/evaluate") {
  const { reply, answer } = await send(path, request);
  expect(reply.status).toBe(200);
  return passageResponse.parse(answer).result;
}

it("each model's plans, orders and sources are those of a request that names it alone", async () => {
  const together = await answered({ ...body, models });
  const alone: Awaited<ReturnType<typeof answered>>[] = [];
  for (const model of models) alone.push(await answered({ ...body, models: [model] }));
  expect(together.results).toEqual(alone.flatMap(({ results }) => results));
  expect(together.results.map(({ model }) => model)).toEqual(models.flatMap((model) => Array(3).fill(model)));
  expect(together.meta.provenance).toEqual(alone.flatMap(({ meta }) => meta.provenance));
  expect(together.meta.departures).toEqual(alone.flatMap(({ meta }) => meta.departures));
  for (const name of ["fastest", "smoothest", "balanced", "latest"] as const)
    expect(together.meta.order[name]).toEqual(
      alone.flatMap(({ meta }, at) => meta.order[name].map((position) => 3 * at + position)),
    );
  expect(together.meta.comparison!.map(({ models: rows }) => rows)).toEqual(
    alone[0]!.meta.comparison!.map((_, at) => alone.flatMap(({ meta }) => meta.comparison![at]!.models)),
  );
  const rows = together.meta.provenance.filter(({ variable }) => variable === "wind");
  expect(rows.map(({ answer, age_s, step_h }) => [answer, age_s, step_h])).toEqual(
    models.map((model) => [model, expect.any(Number), 1]),
  );
});

it("best is the answer without models, which is as it was", async () => {
  const plain = await answered(body);
  const { results, meta } = await answered({ ...body, models: ["best", "best"] });
  const without = ({ model: _, ...plan }: PassagePlan) => plan;
  expect(results.map(without)).toEqual(plain.results);
  expect(results.map(({ model }) => model)).toEqual(["best", "best", "best"]);
  expect(meta.comparison!.map(({ models: rows }) => rows.length)).toEqual([1, 1, 1]);
  expect([plain.meta.comparison, plain.results[0]!.model]).toEqual([undefined, undefined]);
});

it("has in each piece the conditions that POST /MetOcean gives of the same model", async () => {
  const { departures: _, ...one } = body;
  const { results } = await answered({ ...one, departure: formatInstant(now + 48 * HOUR_S), models });
  for (const { model, pieces } of results) {
    const variables = ["current", "wind", "gust", "wave", "bathy", "sst", "extra_wave", "rain", "mucape"];
    const points = pieces!.map(({ at }) => at);
    const reply = await send("/MetOcean", {
      points,
      variables: [...variables, "temp", "cloud", "pressure"],
      models: [model],
    });
    expect(pieces!.map(({ conditions }) => conditions)).toEqual(
      reply.answer.result.results.map(({ conditions }: { conditions: object }) => conditions),
    );
  }
});

const noLimits = {
  wind_kt: null,
  gust_kt: null,
  apparent_ahead_kt: null,
  head_sea_m: null,
  beam_sea_m: null,
  following_sea_m: null,
  acceleration_g: null,
  current_against_wind_kt: null,
  rain_mm_h: null,
  cape_j_kg: null,
};

it("a model without the waves that a limit needs cannot say GO, and then nobody says that all agree", async () => {
  const generous = { ...noLimits, wind_kt: 100, gust_kt: 100 };
  const withWaves = await answered({ ...body, models, limits: { ...generous, head_sea_m: 30 } });
  for (const { agreed, text, models: rows } of withWaves.meta.comparison!) {
    expect([agreed, rows.map(({ says }) => says)]).toEqual([null, ["GO", "GO", "cannot_say"]]);
    expect(rows[2]!.unknown).toEqual([
      { variable: "wave", limits: ["head_sea_m"], why: "lacks", from: null },
    ]);
    expect(text).toBe("2 of 3 models say GO: demo-world, demo-early. demo-late cannot say: it has no waves");
  }
  const over = await answered({ ...body, models, limits: { ...generous, wind_kt: 1, head_sea_m: 30 } });
  for (const { agreed, models: rows } of over.meta.comparison!) {
    expect(agreed).toBe("NO");
    expect(rows.map(({ by, leg, at }) => [by, typeof leg, typeof at!.timestamp])).toEqual(
      Array(3).fill(["wind_kt", "number", "string"]),
    );
  }
});

const wind = { eastward_wind_10m: {}, northward_wind_10m: {} };
const current = {
  surface_eastward_sea_water_velocity: {},
  surface_northward_sea_water_velocity: {},
};
const wave = {
  sea_surface_wave_from_direction_x: {},
  sea_surface_wave_from_direction_y: {},
  sea_surface_wave_significant_height: {},
  sea_surface_wave_mean_period: {},
};
const hours = (last: number, step = 1) =>
  Array.from({ length: last / step + 1 }, (_, index) => now + step * index * HOUR_S);

/** Models with the same calm weather: one is whole, one ends during the passage, one covers a part of it, one has gaps. */
const invented: Run[] = [
  runOf({ source: "whole", times: hours(240), fields: { ...wind, ...current, ...wave }, referenceTime: now }),
  runOf({ source: "short", times: hours(2), fields: { ...wind, ...current, ...wave }, referenceTime: now }),
  runOf({
    source: "bay",
    grid: {
      latitude: { start: 39, step: 0.25, count: 9 },
      longitude: { start: -42.5, step: 0.25, count: 9 },
    },
    times: hours(240),
    fields: { ...wind, ...current, ...wave },
    referenceTime: now,
  }),
  runOf({ source: "gaps", times: hours(240), fields: { ...wind, ...current, ...wave }, referenceTime: now }),
  runOf({ source: "windy", times: hours(240), fields: { ...wind, ...current, ...wave }, referenceTime: now }),
];

it("a model that ends on the way, covers a part of it or has gaps cannot say, and says why and from when", async () => {
  const archive = {
    ...demo,
    manifest: async () => ({ version: 1 as const, runs: invented }),
    refresh: async () => ({ version: 1 as const, runs: invented }),
    async valuesAt(...[run, field, points, indices, out]: Parameters<typeof demo.valuesAt>) {
      for (const index of indices ?? out.keys()) {
        const isGap = run.source === "gaps" && field.startsWith("sea") && points.longitude[index]! < -42.6;
        const speed = run.source === "windy" && points.longitude[index]! < -42.6 ? 15 : 3;
        out[index] = isGap
          ? Number.NaN
          : field.endsWith("wind_10m")
            ? speed
            : field.includes("velocity")
              ? 0
              : 1;
      }
    },
  };
  connectWeather(now, { archive, tides });
  const { departures: _, ...one } = body;
  const { meta } = await answered({
    ...one,
    departure: formatInstant(now),
    models: invented.map(({ source }) => source),
    limits: { ...noLimits, wind_kt: 30, head_sea_m: 3 },
  });
  const { agreed, text, models: rows } = meta.comparison![0]!;
  expect(agreed).toBeNull();
  expect(rows.map(({ says }) => says)).toEqual(["GO", "cannot_say", "cannot_say", "cannot_say", "NO"]);
  const reasons = rows.map(({ unknown }) => unknown.map(({ variable, why }) => `${variable} ${why}`));
  expect(reasons).toEqual([
    [],
    ["wind ends", "wave ends"],
    ["wind outside", "wave outside"],
    ["wave gaps"],
    [],
  ]);
  for (const { unknown } of rows.slice(1, 4))
    for (const { from } of unknown) expect(parseInstant(from!)).toBeGreaterThan(now);
  expect(parseInstant(rows[1]!.unknown[0]!.from!)).toBeGreaterThan(now + 2 * HOUR_S);
  expect(rows[4]).toMatchObject({ by: "wind_kt", leg: 1 });
  expect(text).toMatch(
    /^1 of 5 models says GO: whole\. short cannot say: the forecast of wind ends before 2026-09-15T14:.*windy says NO: true wind, kt: 41\.\d+; limit 30, on leg 2 at 40\.4/,
  );
});

it("a model of the weather is planned with the currents of the ocean model, which its sources name", async () => {
  const runs = [
    runOf({ source: "gfs", times: hours(240), fields: wind, referenceTime: now }),
    runOf({ source: "gfswave", system: "gfs", times: hours(240), fields: wave, referenceTime: now }),
    runOf({ source: "own", times: hours(240), fields: { ...wind, ...wave, ...current }, referenceTime: now }),
    runOf({ source: "ocean", times: hours(240), fields: { ...current, ...wave }, referenceTime: now }),
  ];
  const manifest = async () => ({
    version: 1 as const,
    runs,
    sourceOrder: { current: ["ocean", "own"] } as unknown as Manifest["sourceOrder"],
  });
  const archive = {
    ...demo,
    manifest,
    refresh: manifest,
    async valuesAt(...[run, field, , indices, out]: Parameters<typeof demo.valuesAt>) {
      for (const index of indices ?? out.keys())
        out[index] = field.includes("velocity") ? (run.source === "ocean" ? 0.5 : 0.1) : 1;
    },
  };
  connectWeather(now, { archive, tides });
  const { departures: _, ...one } = body;
  const asked = { ...one, departure: formatInstant(now), models: ["gfs", "own"] };
  const { results, meta } = await answered({ ...asked, limits: { ...noLimits, current_against_wind_kt: 9 } });
  const drifts = results.map(({ pieces }) => pieces![0]!.conditions.Currents_Intensity);
  expect(drifts).toEqual([0.71, 0.14]);
  expect(meta.comparison![0]!.agreed).toBe("GO");
  const sources = meta.provenance.map(({ answer, variable, source }) => `${answer} ${variable} ${source}`);
  expect(sources).toEqual(
    expect.arrayContaining(["gfs current ocean", "gfs wave gfswave", "own current own", "own wave own"]),
  );
  const points = [{ ...body.route[0], timestamp: formatInstant(now) }];
  const alone = await send("/MetOcean", { points, variables: ["current"], models: ["gfs"] });
  expect(alone.answer.result.results[0].conditions.Currents_Intensity).toBeNull();
});

it("refuses what POST /MetOcean refuses, and counts places by model", async () => {
  for (const [wrong, loc, message] of [
    [["nobody"], "models.0", "There is no model nobody: the archive has best, demo-world"],
    [[], "models", "at least 1"],
    [Array.from({ length: 9 }, (_, at) => `m${at}`), "models", "at most 8"],
    [["a b"], "models.0", "name of a model"],
  ] as const)
    for (const [path, request] of [
      ["/passages/evaluate", body],
      ["/passages/optimise", { ...body, departures: undefined, departure: formatInstant(now) }],
    ] as const) {
      const reply = await ask("POST", path, { body: { ...request, models: wrong } });
      expect(reply.status).toBe(422);
      expect(await issuesOf(reply)).toEqual([[loc, expect.stringContaining(message)]]);
    }
  const departures = { from: formatInstant(now), to: formatInstant(now + 200 * HOUR_S), step_hours: 1 };
  const far = {
    ...body,
    departures,
    route: [
      { latitude: 40, longitude: -20 },
      { latitude: 40, longitude: -30 },
    ],
  };
  const { answer } = await send("/passages/evaluate", { ...far, models });
  const [{ ctx, msg }] = answer.detail;
  expect(msg).toContain(`${ctx.places} places (3 models of 201 departures of ${ctx.places / 603} pieces)`);
});

it("files name the model of each row", async () => {
  const csv = async (request: object) => {
    const headers = { accept: "text/csv" };
    return (await textOf(await ask("POST", "/passages/evaluate", { body: request, headers }))).split("\r\n");
  };
  const lines = (await csv({ ...body, models })).filter((line) => !line.startsWith("#"));
  const at = lines[0]!.split(",").indexOf("model");
  expect(lines.slice(1, 10).map((line) => line.split(",")[at])).toEqual(
    models.flatMap((model) => Array(3).fill(model)),
  );
  expect((await csv(body)).join()).not.toContain("model that plans");
  const gpx = { accept: "application/gpx+xml" };
  const reply = await ask("POST", "/passages/evaluate", { body: { ...body, models }, headers: gpx });
  expect(await textOf(reply)).toContain(`<name>${formatInstant(now)} demo-early</name>`);
});

const search = {
  route: [
    { latitude: 40, longitude: -42 },
    { latitude: 40.15, longitude: -42.25 },
  ],
  departure: formatInstant(now + 96 * HOUR_S),
  vessel: { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 5 },
  objective: "fastest",
};

it("the better route of each model is that of a request that names it alone, checked on the others", async () => {
  const together = await answered({ ...search, models }, "/passages/optimise");
  expect([together.meta.better, together.meta.routes!.map(({ model }) => model)]).toEqual([
    undefined,
    models,
  ]);
  for (const [at, model] of models.entries()) {
    const alone = await answered({ ...search, models: [model] }, "/passages/optimise");
    expect(together.results.slice(2 * at, 2 * at + 2)).toEqual(alone.results);
    const { checked: _, ...route } = alone.meta.routes![0]!;
    const { checked, ...found } = together.meta.routes![at]!;
    expect(found).toEqual(route);
    const { vessel, departure } = search;
    const judged = await answered({ vessel, departure, route: found.route, models });
    expect(checked).toEqual(judged.meta.comparison![0]);
  }
  const { vessel, departure, route } = search;
  const own = await answered({ vessel, departure, route, models });
  expect(together.meta.comparison).toEqual(own.meta.comparison);
  const plain = await answered(search, "/passages/optimise");
  const best = await answered({ ...search, models: ["best"] }, "/passages/optimise");
  const { model: _, checked: __, ...better } = best.meta.routes![0]!;
  expect(better).toEqual(plain.meta.better);
});

it("a search in many models at once is counted by model", async () => {
  const route = [
    { latitude: 40, longitude: -42 },
    { latitude: 40, longitude: -43 },
  ];
  const long = { ...search, route, vessel: { kind: "fixed", speed_kt: 5 } };
  const { answer } = await send("/passages/optimise", { ...long, models });
  expect(answer.detail[0].msg).toMatch(/in each of 3 models, and at most 12 h are searched at once/);
});
