import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { noAreas } from "@open-metocean/storms/areas";
import { stormOutlooks } from "@open-metocean/storms/schema";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { stormHistoryResponse, stormsResponse } from "#lib/contract/storms.ts";
import type { Context } from "#server/context.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import type { Reply } from "#server/http/api-request.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import { type PublishedStorms, publish } from "#server/storms/published.ts";
import { ask, connectWeather, type Sent } from "#test/send.ts";

const now = Date.parse("2026-09-15T12:00:00Z") / 1000;

let shown: PublishedStorms;
beforeAll(async () => {
  const texts = feedTexts("jtwc", now, { seed: 1 });
  const { storms, areas } = deriveStorms({ provider: "jtwc", texts, previous: [], now });
  shown = await publish({ storms, areas, refreshedAt: now, newestTextAt: now - 90, revision: 1 }, true);
});

let continuedAs: string | undefined;

function open(): void {
  continuedAs = undefined;
  const entry = shown.entries[0]!;
  const storms: Pick<Context["storms"], "published" | "history" | "continuation"> = {
    published: async (provider) => (provider === "jtwc" ? shown : undefined),
    history: async (_, id) => (id === entry.id ? [{ issued: now, entry: JSON.stringify(entry) }] : []),
    continuation: async () => continuedAs,
  };
  connectWeather(now, { storms });
}
beforeEach(open);

const get = (target: string, headers: Sent["headers"] = {}) => ask("GET", target, { headers });

const json = (reply: Reply) => JSON.parse(Buffer.from(reply.body as Uint8Array | string).toString());

it("answers the storms of a provider in the published form, ordered by id, with their age and provenance", async () => {
  const reply = await get("/storms?provider=jtwc");
  expect(reply.status).toBe(200);
  const { results } = stormsResponse.parse(json(reply));
  const ids = results.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
  expect(ids).toHaveLength(4);
  expect(Object.keys(json(reply))).toEqual(["results"]);
  expect(reply.headers).toMatchObject({
    "content-type": "application/json",
    "x-data-age": "90",
    "x-data-provenance": "synthetic",
    "ratelimit-policy": expect.stringContaining('"storms"'),
  });
});

it.each(["false", "0", "no", "off", "FALSE", "Off"])(
  "leaves out invests with include_invests=%s",
  async (word) => {
    const { results } = json(await get(`/storms?provider=jtwc&include_invests=${word}`));
    expect(results.map((entry: { is_invest: boolean }) => entry.is_invest)).toEqual([false, false, false]);
  },
);

it.each(["true", "1", "yes", "on", "True"])("shows them with include_invests=%s", async (word) => {
  expect(json(await get(`/storms?provider=jtwc&include_invests=${word}`)).results).toHaveLength(4);
});

describe("refuses", () => {
  it.each([
    ["/storms", "provider"],
    ["/storms?provider=nhc", "provider"],
    ["/storms?provider=JTWC", "provider"],
    ["/storms?provider=jtwc&include_invests=maybe", "include_invests"],
    ["/storms?provider=jtwc&include_invests=", "include_invests"],
    ["/storms/WP212026/history", "provider"],
  ])("%s with 422 that names %s", async (target, field) => {
    const reply = await get(target);
    expect(reply.status).toBe(422);
    expect(json(reply).detail).toMatchObject([{ loc: ["query", field], msg: expect.any(String) }]);
  });

  it("calls without a key with 403 and with a wrong one with 401", async () => {
    expect((await get("/storms?provider=jtwc", { "x-api-key": undefined })).status).toBe(403);
    expect((await get("/storms?provider=jtwc", { "x-api-key": "wrong-key" })).status).toBe(401);
  });
});

it("answers 503 for a provider that was never received, never an empty list", async () => {
  for (const target of ["/storms?provider=jma", "/storms/WP212026/history?provider=jma"]) {
    const reply = await get(target);
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "60"]);
    expect(json(reply)).toEqual({ detail: "Storms of jma have not been received yet" });
  }
});

it("answers 304 where the client has the same storms cached, in any encoding", async () => {
  const { headers } = await get("/storms?provider=jtwc");
  for (const tag of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, "*"]) {
    const reply = await get("/storms?provider=jtwc", { "if-none-match": tag });
    expect([reply.status, reply.body]).toEqual([304, null]);
    expect(reply.headers).toMatchObject({ etag: headers.etag, "x-data-age": "90" });
  }
  expect((await get("/storms?provider=jtwc", { "if-none-match": '"other"' })).status).toBe(200);
  expect((await get("/storms?provider=jtwc&include_invests=0")).headers.etag).not.toBe(headers.etag);
});

it("answers GeoJSON where Accept names it, with an ETag of its own", async () => {
  const accept = "application/geo+json";
  const reply = await get("/storms?provider=jtwc&include_invests=0", { accept });
  expect(reply.headers).toMatchObject({
    "content-type": accept,
    "x-data-age": "90",
    vary: "X-API-Key, Accept",
  });
  const { type, features } = json(reply);
  expect(type).toBe("FeatureCollection");
  const storms = new Set(
    features.map((feature: { properties: { storm: string } }) => feature.properties.storm),
  );
  expect([...storms]).toEqual(["AL222026", "SH062027", "WP212026"]);
  const { etag } = (await get("/storms?provider=jtwc&include_invests=0")).headers;
  expect(reply.headers.etag).not.toBe(etag);
  expect((await get("/storms?provider=jtwc", { accept: "text/html" })).headers["content-type"]).toBe(
    "application/json",
  );
});

it("sends bytes that were compressed once", async () => {
  const plain = await get("/storms?provider=jtwc");
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync };
  for (const encoding of ["gzip", "br"] as const) {
    const reply = await get("/storms?provider=jtwc", { "accept-encoding": encoding });
    expect(reply.headers).toMatchObject({ "content-encoding": encoding, etag: `W/${plain.headers.etag}` });
    // The bodies are compared as bytes because `toEqual` takes seconds for 60 kB.
    expect(unpack[encoding](reply.body as Uint8Array).equals(plain.body as Uint8Array)).toBe(true);
    expect(reply.body).toBe((await get("/storms?provider=jtwc", { "accept-encoding": encoding })).body);
  }
});

it("answers the bulletins of a storm so far, and 404 for none", async () => {
  const id = shown.entries[0]!.id;
  const reply = await get(`/storms/${id}/history?provider=jtwc`);
  expect(stormHistoryResponse.parse(json(reply)).results).toEqual([
    { issued_at: now, entry: shown.entries[0] },
  ]);
  expect(json(reply)).not.toHaveProperty("continued_as");
  continuedAs = "AL012026";
  expect(
    stormHistoryResponse.parse(json(await get(`/storms/${id}/history?provider=jtwc`))).continued_as,
  ).toBe("AL012026");
  const unknown = await get("/storms/WP992026/history?provider=jtwc");
  expect([unknown.status, json(unknown)]).toEqual([404, { detail: "Storm not found" }]);
});

describe("outlooks", () => {
  let published: PublishedStorms | undefined;
  beforeEach(() => {
    published = shown;
    const storms: Pick<Context["storms"], "published"> = { published: async () => published };
    connectWeather(now, { storms });
  });

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

  it("states no age where there is no outlook: that of the storms would say that none is expected", async () => {
    published = await publish({ ...shown, areas: noAreas }, true);
    const reply = await get("/storms/outlooks?provider=jtwc");
    expect([reply.status, json(reply), reply.headers["x-data-age"]]).toEqual([
      200,
      { results: [] },
      undefined,
    ]);
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
});
