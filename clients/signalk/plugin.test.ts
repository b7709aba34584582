import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlugin } from "./plugin.js";

const NOW = Date.parse("2026-01-01T12:20:00Z");
const HOUR_MS = 3_600_000;
const brest = { latitude: 48.32, longitude: -5.21 };

type Data = Record<"date" | "description", string> & Record<string, unknown>;

interface Provider {
  getObservations(position: object, options?: object): Promise<Data[]>;
  getForecasts(position: object, type: string, options?: object): Promise<Data[]>;
  getWarnings(position: object): Promise<Record<string, string>[]>;
}

type Answer = () => Response | Promise<Response>;

let folder: string;
/** Milliseconds since NOW. */
let passed: number;
/** Requests that were sent, by path. */
let sent: { path: string; body: { points: { latitude: number; timestamp: string }[]; models?: string[] } }[];
/** Replaces the service's answer, for tests of failures. */
let fails: Answer | undefined;
let status: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "metocean-signalk-"));
  [passed, sent, fails, status] = [0, [], undefined, ""];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The conditions of the service at an hour: wind speed counts the hours of the request. */
function conditionsAt(index: number) {
  return {
    Winds_10m_Intensity: index / 10,
    Winds_10m_Direction: index % 2 ? 270 : 180,
    Gust_10m: 20,
    Temperature_2m: index % 24,
    Pressure: 1013.2,
    Cloud_Cover: 50,
    Precipitation: 0.5,
    Currents_Intensity: 0.4,
    Currents_Direction: 90,
    Waves_Significant_Height: index === 40 ? 9 : 2,
    Waves_Mean_Period: index === 40 ? 14 : 7,
    Waves_Mean_Direction: 225,
    Swell_Significant_Height: null,
    Sea_Surface_Temperature: 11.5,
  };
}

const gales = { threshold_kt: 34, outlook: "expected", earliest: 1_767_300_000, likely: 1_767_310_000 };
const seconds = (instant: string) => Date.parse(instant) / 1000;
const approach = {
  results: [
    {
      id: "WP252026",
      name: "TESTER",
      issued_at: seconds("2026-01-01T06:00:00Z"),
      is_stale: false,
      until: seconds("2026-01-06T06:00:00Z"),
      closest: { distance_km: 185.2, time: seconds("2026-01-03T00:00:00Z") },
      arrivals: [
        { threshold_kt: 50, outlook: "not expected" },
        { ...gales, ends: null, told_until: seconds("2026-01-03T18:00:00Z") },
      ],
      danger: {
        enters: seconds("2026-01-02T06:00:00Z"),
        leaves: null,
        until: seconds("2026-01-04T06:00:00Z"),
      },
    },
  ],
  without_forecast: [
    { id: "WP262026", name: null, is_active: true, last_fix_time: seconds("2026-01-01T06:00:00Z"), km: 500 },
    { id: "WP272026", name: null, is_active: true, last_fix_time: seconds("2026-01-01T06:00:00Z"), km: 5000 },
  ],
};

const service = (async (input: string, init: RequestInit) => {
  const body = JSON.parse(String(init.body));
  sent.push({ path: new URL(input).pathname, body });
  if (fails) return fails();
  if (input.endsWith("/storms/approach")) return Response.json(approach);
  const results = body.points.map((coordinates: object, index: number) => ({
    coordinates,
    conditions: conditionsAt(index),
  }));
  const provenance = [{ model: "GFS" }, { model: "GFS" }, { model: "GFS-Wave" }];
  return Response.json({ status: "SUCCESS", result: { results, meta: { provenance } } });
}) as typeof fetch;

function started(settings: object = {}): Provider {
  let provider: { methods: Provider } | undefined;
  const say = (text: string) => {
    status = text;
  };
  const app = {
    getDataDirPath: () => folder,
    registerWeatherProvider: (given: object) => {
      provider = given as typeof provider;
    },
    setPluginStatus: say,
    setPluginError: say,
  };
  const plugin = createPlugin(app, { now: () => NOW + passed, fetch: service });
  plugin.start({ url: "http://service.example/", key: "mo_key", ...settings });
  return provider!.methods;
}

describe("the numbers", () => {
  it("are SI units and radians in the flat form of @signalk/server-api", async () => {
    const [hour] = await started().getObservations(brest);
    expect(hour).toEqual({
      date: "2026-01-01T12:00:00Z",
      type: "observation",
      description: "Computed by GFS, GFS-Wave, not measured.",
      outside: {
        temperature: 273.15,
        pressure: expect.closeTo(101_320),
        cloudCover: 0.5,
        precipitationVolume: 0.0005,
      },
      water: {
        temperature: expect.closeTo(284.65),
        surfaceCurrentSpeed: 0.4,
        surfaceCurrentDirection: Math.PI / 2,
        waveSignificantHeight: 2,
        wavePeriod: 7,
        waveDirection: expect.closeTo((225 * Math.PI) / 180),
      },
      wind: { speedTrue: 2.4, directionTrue: Math.PI, gust: 20 },
    });
  });

  it("observations go back from the present hour, forecasts forward from it", async () => {
    const provider = started();
    const dates = (data: Data[]) => data.map(({ date }) => date.slice(5, 13));
    expect(dates(await provider.getObservations(brest, { maxCount: 3 }))).toEqual([
      "01-01T12",
      "01-01T11",
      "01-01T10",
    ]);
    const forecast = await provider.getForecasts(brest, "point");
    expect(dates(forecast.slice(0, 2))).toEqual(["01-01T12", "01-01T13"]);
    expect(forecast).toHaveLength(240);
    const later = await provider.getForecasts(brest, "point", { startDate: "2026-01-03", maxCount: 2 });
    expect(dates(later)).toEqual(["01-03T00", "01-03T01"]);
  });

  it("days are whole UTC days with their strongest wind and the period and direction of their highest wave", async () => {
    const days = await started().getForecasts(brest, "daily");
    expect(days.map(({ date }) => date.slice(0, 13))).toEqual(
      Array.from({ length: 10 }, (_, index) => `2026-01-${String(index + 1).padStart(2, "0")}T00`),
    );
    // 12 UTC of the day before is hour 0 of the request: the first of January is its hours 12 to 35.
    const [first, second] = days;
    expect(first!.wind).toEqual({ speedTrue: 3.5, directionTrue: expect.closeTo(1.5 * Math.PI), gust: 20 });
    expect(first!.outside).toMatchObject({
      minTemperature: 273.15,
      maxTemperature: 296.15,
      precipitationVolume: expect.closeTo(0.012),
    });
    expect(second!.water).toMatchObject({ waveSignificantHeight: 9, wavePeriod: 14 });
  });

  it("storms warn of the danger area, of gales, and of what has no forecast nearby", async () => {
    const warnings = await started().getWarnings(brest);
    expect(warnings.map(({ type, startTime, endTime }) => [type, startTime, endTime])).toEqual([
      ["Tropical cyclone without a forecast", "2026-01-01T06:00:00.000Z", "2026-01-02T06:00:00.000Z"],
      ["Winds of 34 kn", "2026-01-01T20:40:00.000Z", "2026-01-03T18:00:00.000Z"],
      ["Danger area of a tropical cyclone", "2026-01-02T06:00:00.000Z", "2026-01-04T06:00:00.000Z"],
    ]);
    expect(warnings[2]!.details).toContain("WP252026 TESTER: closest 100 n mi at 2026-01-03T00:00:00.000Z");
  });
});

const refused =
  (status: number, headers = {}) =>
  () =>
    new Response("{}", { status, headers });
const cut: Answer = () => Promise.reject(new TypeError("fetch failed"));
const failing = (provider: Provider, at = brest) => expect(provider.getObservations(at)).rejects;

describe("the service is asked", () => {
  it("once for a position and hour, whatever is asked of the plugin at the same time", async () => {
    const provider = started();
    await Promise.all([
      provider.getObservations(brest),
      provider.getForecasts(brest, "point"),
      provider.getForecasts({ latitude: 48.35, longitude: 354.75 }, "daily"),
    ]);
    passed = HOUR_MS - 1;
    await provider.getForecasts(brest, "daily");
    expect(sent).toHaveLength(1);
    // A day back, and less than ten days ahead: what the service's own window has.
    const times = sent[0]!.body.points.map(({ timestamp }) => timestamp);
    expect([times[0], times.at(-1), times.length]).toEqual([
      "2025-12-31T12:00:00Z",
      "2026-01-11T11:00:00Z",
      264,
    ]);
    passed = HOUR_MS;
    await provider.getForecasts(brest, "daily");
    await provider.getObservations({ latitude: 48.45, longitude: -5.21 });
    expect(sent).toHaveLength(3);
  });

  it("not again within the hour where it failed, nor after a restart", async () => {
    fails = refused(503);
    await failing(started()).toThrow("503");
    expect(status).toContain("503");
    fails = undefined;
    await failing(started()).toThrow("next request at 2026-01-01T13:20");
    expect(sent).toHaveLength(1);
    passed = HOUR_MS;
    expect(await started().getObservations(brest)).toHaveLength(1);
  });

  it("not before its Retry-After, and as seldom as the settings say", async () => {
    fails = refused(429, { "retry-after": "7200" });
    const provider = started();
    await failing(provider).toThrow("429");
    passed = 1.5 * HOUR_MS;
    await failing(provider).toThrow("429");
    expect(sent).toHaveLength(1);
    rmSync(folder, { recursive: true });
    fails = undefined;
    const seldom = started({ refreshHours: 6 });
    await seldom.getObservations(brest);
    passed += 5 * HOUR_MS;
    await seldom.getObservations(brest);
    expect(sent).toHaveLength(2);
  });

  it("for one model where the settings name it, and answers of one model are not used for another", async () => {
    for (const settings of [{}, { model: "best" }, { model: "" }, { model: "ecmwf" }, { model: "a_b.c" }])
      await started(settings).getObservations(brest);
    expect(sent.map(({ body }) => body.models)).toEqual([undefined, ["ecmwf"], ["a_b.c"]]);
    fails = cut;
    passed = 2 * HOUR_MS;
    expect(await started({ model: "ecmwf" }).getObservations(brest)).toHaveLength(1);
    await failing(started({ model: "gfs" })).toThrow("fetch failed");
  });

  it("never where the address or the key is missing", () => {
    expect(() => started({ key: "" })).toThrow();
    expect(status).toContain("API key");
  });
});

describe("while the link is down", () => {
  it("the last answer gives the present hour and the hours ahead, marked old, after a restart too", async () => {
    const before = await started().getForecasts(brest, "point");
    [fails, passed] = [cut, 3 * HOUR_MS];
    const provider = started();
    const [first] = await provider.getForecasts(brest, "point");
    expect(first).toEqual({
      ...before[3],
      description: expect.stringMatching(/^Old: received 2026-01-01T12:20/),
    });
    expect((await provider.getObservations(brest))[0]!.date).toBe("2026-01-01T15:00:00Z");
    passed = 300 * HOUR_MS;
    expect(await provider.getForecasts(brest, "point")).toEqual([]);
  });

  it("warnings stay, marked old, and are not an empty list where nothing was ever received", async () => {
    await started().getWarnings(brest);
    [fails, passed] = [cut, 2 * HOUR_MS];
    const old = await started().getWarnings(brest);
    const begins = old.map(({ details }) => details!.slice(0, 30));
    expect(begins).toEqual(Array(3).fill("Old: received 2026-01-01T12:20"));
    await expect(started().getWarnings({ latitude: 0, longitude: 0 })).rejects.toThrow("fetch failed");
  });

  it("a boat that moved on gets the nearest answer, with its place and distance, but none of far away", async () => {
    await started().getObservations(brest);
    fails = cut;
    const [hour] = await started().getObservations({ latitude: 48.82, longitude: -5.21 });
    expect(hour!.description).toContain("for 48.32, -5.21, 30 n mi away");
    await failing(started(), { latitude: 51, longitude: -5.21 }).toThrow("fetch failed");
  });

  it("at most 200 files are kept", async () => {
    const provider = started();
    for (let index = 0; index < 210; index++)
      await provider.getObservations({ latitude: -60 + index / 2, longitude: 0 });
    expect(readdirSync(path.join(folder, readdirSync(folder)[0]!))).toHaveLength(200);
  });
});
