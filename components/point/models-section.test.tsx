import { fromKnots } from "@open-metocean/geo/knots";
import { expect, it } from "vitest";
import { type ListedModel, listedModels, listedModelsQuery } from "#components/api-client/listed-models.ts";
import { MAX_MODELS } from "#lib/catalog/source-order.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { guestPointLimit, type PointMeta } from "#lib/contract/point.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { en, fr } from "#test/all-words.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { modelSeries, modelsQuery } from "./model-queries.ts";
import { ModelsSection } from "./models-section.tsx";
import type { PointReply } from "./point-queries.ts";

/** Tue 15 Sep 2026 00:00 UTC. */
const now = Date.UTC(2026, 8, 15) / 1000;
const place = { latitude: 48.5, longitude: -5.25 };
const models: ListedModel[] = [
  { name: "gfs", title: "GFS", hasWind: true },
  { name: "ecmwf", title: "ECMWF", hasWind: true },
  { name: "gwam", title: "GWAM", hasWind: false },
];
const HOURS = 72;

type Provenance = PointMeta["provenance"][number];
const run = (answer: string, variable: Provenance["variable"], hoursAgo: number, more = {}): Provenance => ({
  variable,
  dataset: "Forecast",
  source: answer,
  model: answer,
  run: `${answer}.${hoursAgo}`,
  reference_time: formatInstant(now - hoursAgo * HOUR_S),
  valid_times: [formatInstant(now), formatInstant(now + HOURS * HOUR_S)],
  points: HOURS,
  answer,
  ...more,
});

/** GFS has everything and gales from Wed 06:00; ECMWF ends after a day, is old, and lacks rain; GWAM has only waves. */
function replyOf(): PointReply {
  const conditions = (name: string, hour: number) => {
    const wind = hour >= 30 ? 40 : 20;
    const isWind = name === "gfs" || (name === "ecmwf" && hour <= 24);
    return {
      Winds_10m_Intensity: isWind ? fromKnots(wind) : null,
      Winds_10m_Direction: isWind ? 270 : null,
      Gust_10m: isWind ? fromKnots(wind + 8) : null,
      Waves_Significant_Height: name === "ecmwf" ? null : 2.5,
      Pressure: isWind ? 1003.2 : null,
      Precipitation: name === "gfs" ? 0.4 : null,
    };
  };
  const nulls: PointMeta["nulls"] = [
    {
      variable: "wave",
      reason: "land",
      points: Array.from({ length: HOURS }, (_, hour) => HOURS + hour),
    },
  ];
  return {
    results: models.flatMap(({ name }) =>
      Array.from({ length: HOURS }, (_, hour) => ({
        coordinates: { ...place, timestamp: formatInstant(now + hour * HOUR_S), model: name },
        conditions: conditions(name, hour),
      })),
    ),
    execution_time: "0.1 seconds",
    meta: {
      provenance: [
        run("gfs", "wind", 6),
        run("ecmwf", "wind", 30, { notice: "old" }),
        run("gwam", "wave", 12),
      ],
      nulls,
    },
  };
}

const page = (search: string, { hour = 0, words = en, reply = replyOf() } = {}) => {
  const cache = filledCache(listedModelsQuery(TEST_KEY), models);
  const { queryKey } = modelsQuery(TEST_KEY, place, models, now);
  cache.setQueryData(queryKey, modelSeries(reply, models));
  const time = now + hour * HOUR_S;
  const meta = { provenance: [run("gfs", "wind", 6)], nulls: [] };
  return renderInPage(<ModelsSection sample={{ apiKey: TEST_KEY, place, time }} meta={meta} isReady />, {
    clock: { now, time },
    search,
    cache,
    words,
  });
};

/** The text of the row of a model. */
const rowOf = (html: string, name: string) =>
  new RegExp(`<tr[^>]*data-model="${name}".*?</tr>`).exec(html)![0].replaceAll(/<svg.*?<\/svg>/g, "");
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

it("says what the models of the wind say, and their range on the day of the map, without being opened", () => {
  const html = textOf(page(""));
  expect(html).toContain("1 of 2 models has F8 or more before Wed 07:00; not known: ECMWF.");
  expect(html).toContain("Tue 15 Sep: strongest wind 20 kn in 2 models");
  expect(html).not.toContain("GWAM");
});

it("has the numbers of each model at the hour of the map, its run and the age of it, and marks the shown one", () => {
  const html = page("models=true", { hour: 3 });
  expect(textOf(html)).toContain("Tue 15 Sep 03:00 UTC");
  expect(textOf(rowOf(html, "gfs"))).toBe(" GFS Mon 18:00, 6 h old 20 gusts G28 2.5 1003.2 0.4 ");
  expect(rowOf(html, "gfs")).toMatch(/^<tr class="shown".*aria-pressed="true"/);
  expect(rowOf(html, "ecmwf")).toContain('aria-pressed="false"');
  expect(textOf(page("models=true&model=ecmwf"))).toContain("Best for each layer");
  expect(rowOf(page("models=true&model=ecmwf"), "ecmwf")).toContain('aria-pressed="true"');
  // An old run is in heavier type.
  expect(rowOf(html, "ecmwf")).toMatch(/font-semibold">Sun 18:00, 30 h old/);
});

it.each([
  ["ecmwf", 3, "Waves: land in the model, lacks rain"],
  ["ecmwf", 25, "ends Wed 00:00"],
  ["gwam", 3, "lacks wind, pressure, rain"],
])("says why %s has no values at hour %d", (name, hour, text) => {
  expect(textOf(rowOf(page("models=true", { hour }), name))).toContain(text);
});

it("says that a model has no data at all, that it begins later, and that the past is not compared", () => {
  const reply = replyOf();
  for (const { coordinates, conditions } of reply.results) {
    if (coordinates.model === "gwam") conditions.Waves_Significant_Height = null;
    if (coordinates.model === "gfs" && coordinates.timestamp < formatInstant(now + 5 * HOUR_S))
      conditions.Pressure = null;
  }
  const html = page("models=true", { hour: 3, reply });
  expect(textOf(rowOf(html, "gwam"))).toBe(" GWAM Mon 12:00, 12 h old no data here — — — — ");
  expect(textOf(rowOf(html, "gfs"))).toContain("Pressure: begins Tue 05:00");
  expect(textOf(page("models=true", { hour: -48 }))).toContain("The models are compared from today on.");
});

it("names and numbers are the same in other languages, whose layers are written in lower case within a line", () => {
  expect(textOf(rowOf(page("models=true", { hour: 3, words: fr }), "gwam"))).toContain("sans vent, ");
});

it("asks for no more than a visitor without a key may, with as many models as a request may name", () => {
  const many = Array.from({ length: MAX_MODELS }, (_, index) => ({ ...models[0]!, name: `m${index}` }));
  for (const hour of [0, 23]) {
    const [, , body] = modelsQuery(TEST_KEY, place, many, now + hour * HOUR_S).queryKey;
    expect(body.points.length * body.models.length).toBeGreaterThan(1900);
    expect(body.points.length * body.models.length).toBeLessThanOrEqual(guestPointLimit);
  }
});

it("keeps the room of its sentence while the models are read, and not where they are not asked", () => {
  const cache = filledCache(listedModelsQuery(TEST_KEY), models);
  const sample = { apiKey: TEST_KEY, place, time: now };
  const unread = (isReady: boolean) =>
    renderInPage(<ModelsSection sample={sample} meta={undefined} isReady={isReady} />, {
      clock: { now, time: now },
      cache,
    });
  expect(unread(true)).toContain("skeleton");
  expect(unread(false)).not.toContain("skeleton");
});

it("is not there where the archive has one model", () => {
  const cache = filledCache(listedModelsQuery(TEST_KEY), models.slice(0, 1));
  const sample = { apiKey: TEST_KEY, place, time: now };
  expect(
    renderInPage(<ModelsSection sample={sample} meta={undefined} isReady />, {
      clock: { now, time: now },
      cache,
    }),
  ).toBe("");
});

it("lists the models of the wind first, under short names, then those of the waves alone", () => {
  const titled = (name: string, title: string) => ({ name, title });
  const runs = [{ dataset: "Forecast", source: "gfs", model: "GFS 0.25°" }] as FieldManifest["runs"];
  const wave = { models: [titled("gfs", "GFS-Wave 0.25°"), titled("gwam", "DWD GWAM")] };
  const names = [titled("ecmwf", "ECMWF IFS 0.25°"), titled("gfs", "GFS 0.25°")];
  expect(listedModels({ runs, models: names }, wave)).toEqual([
    { name: "ecmwf", title: "ECMWF IFS", hasWind: true },
    { name: "gfs", title: "GFS", hasWind: true },
    { name: "gwam", title: "DWD GWAM", hasWind: false },
  ]);
  // A manifest names no models where it has one.
  expect(listedModels({ runs }, wave).map(({ name }) => name)).toEqual(["gfs", "gwam"]);
  expect(listedModels({ runs: [] }, {})).toEqual([]);
});
