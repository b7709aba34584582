import { expect, it } from "vitest";
import { type ListedModel, listedModelsQuery } from "#components/api-client/listed-models.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { modelSeries, modelsQuery } from "./model-queries.ts";
import { type PointReply, seriesQuery } from "./point-queries.ts";
import { PrintedPoint } from "./printed-point.tsx";

const now = Date.UTC(2026, 8, 15) / 1000;
const place = { latitude: 48.5, longitude: -5.25 };
const models: ListedModel[] = ["GFS", "ECMWF"].map((title) => ({ name: title, title, hasWind: true }));

const replyOf = (winds: readonly number[]) =>
  ({
    results: winds.flatMap((wind) =>
      Array.from({ length: 72 }, (_, hour) => ({
        coordinates: { ...place, timestamp: formatInstant(now + hour * HOUR_S) },
        conditions: { Winds_10m_Intensity: wind, Winds_10m_Direction: 270, Gust_10m: wind + 4 },
      })),
    ),
    execution_time: "",
    meta: { provenance: [], nulls: [] },
  }) satisfies PointReply;

it("prints the lines of the models with their names while they are compared, and otherwise the gusts", () => {
  const cache = filledCache(seriesQuery({ apiKey: TEST_KEY, place, time: now }, now), replyOf([8]));
  cache.setQueryData(listedModelsQuery(TEST_KEY).queryKey, models);
  const { queryKey } = modelsQuery(TEST_KEY, place, models, now);
  cache.setQueryData(queryKey, modelSeries(replyOf([8, 11]), models));
  const printed = (search: string) =>
    renderInPage(<PrintedPoint />, { clock: { now, time: now }, cache, search: `p=48.5,-5.25${search}` });
  expect(printed("&models=true")).toMatch(/Wind, kn.*chart-line other.*name main">GFS<.*name ">ECMWF</);
  expect(printed("")).toMatch(/^(?!.*ECMWF).*Wind and gusts \(dashed\), kn/);
});
