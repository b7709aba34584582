import { beforeAll, beforeEach, expect, it } from "vitest";
import { stormOutlooks } from "#lib/contract/storm-outlook.ts";
import { stormsResponse } from "#lib/contract/storms.ts";
import type { Context } from "#server/context.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import type { Reply } from "#server/http/api-request.ts";
import { noAreas } from "#server/storms/areas.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import { type PublishedStorms, publish } from "#server/storms/published.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, connectContext, type Sent } from "#test/send.ts";

const now = Date.parse("2026-09-15T12:00:00Z") / 1000;

let published: PublishedStorms | undefined;
let shown: PublishedStorms;
beforeAll(async () => {
  const texts = feedTexts("jtwc", now, { seed: 1 });
  const { storms, areas } = deriveStorms({ provider: "jtwc", texts, previous: [], now });
  shown = await publish({ storms, areas, refreshedAt: now - 90, revision: 1 }, true);
});
beforeEach(() => {
  published = shown;
  const storms: Pick<Context["storms"], "published"> = { published: async () => published };
  connectContext({ ...testRequestContext(), weather: { now: () => now }, storms } as unknown as Context);
});

const get = (target: string, headers: Sent["headers"] = {}) => ask("GET", target, { headers });
const json = (reply: Reply) => JSON.parse(Buffer.from(reply.body as Uint8Array | string).toString());

it("answers the newest outlook of each basin, with the age of the newest and the provenance of the storms", async () => {
  const reply = await get("/storms/outlooks?provider=jtwc");
  expect(reply.status).toBe(200);
  const { results } = stormOutlooks.parse(json(reply));
  const newest = Math.max(...results.map(({ issued_at }) => issued_at));
  expect(now - newest).toBeGreaterThan(90);
  expect(reply.headers).toMatchObject({
    "x-data-age": String(now - newest),
    "x-data-provenance": "synthetic",
  });
  expect(results.map(({ product, areas }) => [product, areas.length])).toEqual([
    ["gtwo_pac", 1],
    ["ABPW10", 1],
  ]);
  const again = await get("/storms/outlooks?provider=jtwc", { "if-none-match": reply.headers.etag! });
  expect([again.status, again.body]).toEqual([304, null]);
});

it("the invests of GET /storms have their likelihood and alert, and its body has still one field", async () => {
  const body = json(await get("/storms?provider=jtwc"));
  expect(Object.keys(body)).toEqual(["results"]);
  const invest = stormsResponse.parse(body).results.find(({ is_invest }) => is_invest)!;
  expect(invest.development).toMatchObject({ likelihood: "high", percent_7d: 80 });
  expect(invest.formation_alert).toMatchObject({ bulletin: "WTPN21", half_width_km: 222.2 });
});

it("answers GeoJSON where Accept names it: polygons, else points; corridors with the storms", async () => {
  const accept = "application/geo+json";
  const { features } = json(await get("/storms/outlooks?provider=jtwc", { accept }));
  expect(
    features.map(({ id, geometry }: { id: string; geometry: { type: string } }) => [id, geometry.type]),
  ).toEqual([
    ["nhc-EP952026", "Polygon"],
    ["jtwc-ABPW10-1", "Point"],
  ]);
  expect(features[0].properties).toMatchObject({
    kind: "area-of-interest",
    likelihood: "high",
    percent_7d: 80,
    notice: "Not for navigation",
  });
  const storms = json(await get("/storms?provider=jtwc", { accept }));
  const corridor = storms.features.find(
    ({ properties }: { properties: { kind: string } }) => properties.kind === "formation-alert",
  );
  expect(corridor.geometry.type).toBe("Polygon");
});

it("what is too old goes by the clock, also while the feed is not read", async () => {
  const alert = shown.entries.find(({ is_invest }) => is_invest)!.formation_alert!;
  const after = async (hours: number) => {
    const aged = await publish(shown, true, alert.valid_until + hours * 3600);
    const { results } = JSON.parse(aged.outlooks.plain.toString());
    return [aged.entries.some((entry) => entry.formation_alert), results.length];
  };
  expect(shown.changesAt).toBeLessThanOrEqual(alert.valid_until + 6 * 3600 + 1);
  expect([await after(5), await after(7), await after(25)]).toEqual([
    [true, 2],
    [false, 2],
    [false, 0],
  ]);
});

it("states no age where there is no outlook: that of the storms would say that none is expected", async () => {
  published = await publish({ ...shown, areas: noAreas }, true);
  const reply = await get("/storms/outlooks?provider=jtwc");
  expect([reply.status, json(reply), reply.headers["x-data-age"]]).toEqual([200, { results: [] }, undefined]);
});

it("refuses a provider that publishes no outlooks with 422: an empty list would say that nothing is expected", async () => {
  for (const target of ["/storms/outlooks", "/storms/outlooks?provider=jma"]) {
    const reply = await get(target);
    expect(reply.status).toBe(422);
    expect(json(reply).detail).toMatchObject([{ loc: ["query", "provider"] }]);
  }
});

it("answers 503 before anything was received, and needs a key", async () => {
  published = undefined;
  const reply = await get("/storms/outlooks?provider=jtwc");
  expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "60"]);
  const keyless = await get("/storms/outlooks?provider=jtwc", { "x-api-key": undefined });
  expect(keyless.status).toBe(403);
});
