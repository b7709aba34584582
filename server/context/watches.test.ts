import { toKnots } from "@open-metocean/geo/knots";
import type { StormEntry } from "@open-metocean/storms/schema";
import { expect, it } from "vitest";
import type { VariableName } from "#lib/catalog/variables.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { watchRequest } from "#lib/contract/watch.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { judgeHours, type Question } from "#lib/watches/judge.ts";
import { hourlyValue } from "#lib/watches/quantities.ts";
import { answerPoints } from "#server/metocean/points.ts";
import type { PublishedStorms } from "#server/storms/published.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { lookAtWorld } from "./watches.ts";

const START = parseInstant("2026-10-31T22:00:00Z");
const place = { latitude: 52, longitude: -20 };
const noTide = async () => expect.fail("no watch asks for the tide");
const noTides = { beyond: noTide, extremes: noTide };

it("a passage, a weather window and a storm are read as their operations read them", async () => {
  const archive = demoArchive(START);
  const entry = {
    provider: "jtwc",
    id: "WP262026",
    name: "KROSA",
    is_active: true,
    tracks: {
      observed: [],
      forecast: {
        issued_at: START,
        cone_source: "nhc",
        points: [0, 24, 48].map((fhr) => ({
          time: START + fhr * HOUR_S,
          fhr,
          lat: 20 + fhr / 24,
          lon: 140,
          vmax_kt: 80,
          wind_radii_km: { "34kn": { ne: 200, se: 200, sw: 200, nw: 200 }, "50kn": null, "64kn": null },
          cone_radius_km: fhr === 0 ? undefined : 100,
        })),
      },
    },
  } as unknown as StormEntry;
  const published = { entries: [entry], synthetic: true } as unknown as PublishedStorms;
  const world = await lookAtWorld({
    archive,
    storms: { published: async (provider) => (provider === "jtwc" ? published : undefined) },
    tides: noTides,
    weather: { now: () => START },
  });
  const read = (question: object, model?: string) => {
    const asked = watchRequest.parse({ name: "x", question }).question;
    return world.read(asked as Parameters<typeof world.read>[0], new AbortController().signal, model);
  };
  const sea = {
    kind: "place",
    ...place,
    window_hours: 48,
    conditions: [
      { quantity: "sea_m", over: 3 },
      { quantity: "gust_kt", over: 30 },
    ],
  };
  for (const model of ["demo-early", "demo-late"]) {
    const { samples, runs } = await read(sea, model);
    const variables: VariableName[] = ["wave", "gust"];
    const points = samples.map(({ time }) => ({ ...place, timestamp: formatInstant(time) }));
    const same = pointRequest(100).parse({ points, variables, models: [model] });
    const { results } = await answerPoints(archive, same, START, new AbortController().signal);
    expect(samples.map(({ weather }) => weather)).toEqual(results.map(({ conditions }) => conditions));
    expect(runs.map(({ source }) => source)).toEqual(model === "demo-late" ? [model] : [model, model]);
  }
  const near = [{ quantity: "storm_nm", under: 200 }];
  const at = { latitude: 21, longitude: 141 };
  const inside = await read({ kind: "place", ...at, conditions: near });
  expect(inside.storm).toMatchObject({ id: "WP262026", nm: 0 });
  expect(inside.samples).toEqual([]);
  const judged = judgeHours({ conditions: near, join: "any" } as Question, [], inside.storm, false);
  expect(inside.runOf(judged)).toEqual({ model: "JTWC", at: START });
  const far = await read({ kind: "place", latitude: 21, longitude: 170, conditions: near });
  expect(far.storm!.nm).toBeGreaterThan(1000);
  expect((await read({ kind: "place", ...at, provider: "jma", conditions: near })).storm).toBeUndefined();

  const gusts = await read({
    kind: "place",
    ...place,
    window_hours: 24,
    conditions: [{ quantity: "gust_kt", over: 30 }],
  });
  const windy = { conditions: [{ quantity: "gust_kt", over: 0 }], join: "any" } as Question;
  expect(gusts.samples).toHaveLength(25);
  const found = judgeHours(windy, gusts.samples, undefined, false);
  expect(found.deciding).toBeDefined();
  const run = { source: expect.any(String), at: expect.any(Number) };
  for (const deciding of [found.deciding, undefined])
    expect(gusts.runOf({ ...found, deciding })).toMatchObject(run);
  // POST /MetOcean answers the same numbers.
  const values = gusts.samples.map(({ weather }) => hourlyValue("gust_kt", weather));
  const points = gusts.samples.map(({ time }) => ({ ...place, timestamp: formatInstant(time) }));
  const request = {
    points,
    variables: ["gust" as const],
    wind_height: 10,
    receive_mail: false,
    include_meta: false,
  };
  const { results } = await answerPoints(archive, request, START, new AbortController().signal);
  const asked = results.map(({ conditions }) => toKnots(conditions.Gust_10m!));
  expect(values.map((value) => value!.toFixed(3))).toEqual(asked.map((value) => value.toFixed(3)));

  const wind = [{ quantity: "wind_kt", under: 20 }];
  const window = await read({ kind: "window", ...place, conditions: wind });
  expect([window.samples.length, window.samples[0]!.time, window.storm]).toEqual([121, START, null]);

  const route = [place, { latitude: 52, longitude: -19 }];
  const vessel = { kind: "fixed", speed_kt: 6 };
  const departure = formatInstant(START - 2 * HOUR_S);
  const passage = await read({ kind: "route", route, departure, vessel, conditions: wind });
  // Two of about six hours have passed.
  expect(passage.samples[0]!.time).toBeGreaterThanOrEqual(START);
  expect(passage.samples.length).toBeGreaterThan(8);
  expect(passage.samples.every(({ weather }) => typeof weather.Winds_10m_Intensity === "number")).toBe(true);
});
