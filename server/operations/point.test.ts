import { beforeEach, describe, expect, it } from "vitest";
import { pointMediaTypes } from "#lib/contract/media-types.ts";
import { everydayVariables } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:40:00Z");
const archive = demoArchive(now);

beforeEach(() => connectWeather(now, { archive }));

const HERE = "lat=31.3&lon=-42.7";
const get = (query: string, headers = {}) => ask("GET", `/point?${query}`, { headers });
const json = async (query: string) => JSON.parse(await textOf(await get(query)));
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("GET /point", () => {
  it("has the numbers of POST /MetOcean, in its form", async () => {
    const time = "2026-09-16T03:00:00Z";
    const body = {
      points: [{ latitude: 31.3, longitude: -42.7, timestamp: time }],
      variables: ["wind", "wave"],
      wind_height: 50,
    };
    const expected = JSON.parse(await textOf(await ask("POST", "/MetOcean", { body })));
    const found = await json(`${HERE}&time=${time}&variables=wind,wave&wind_height=50`);
    expect(found).toEqual({
      ...expected,
      task_id: [expect.any(String)],
      result: { ...expected.result, execution_time: expect.any(String) },
    });
  });

  it("answers the everyday variables at the nearest full hour where nothing else is asked for", async () => {
    const { result } = await json(HERE);
    expect(result.results[0].coordinates.timestamp).toBe(formatInstant(now + 20 * 60));
    const named = await json(`${HERE}&variables=${everydayVariables.join()}`);
    expect(result.results).toEqual(named.result.results);
  });

  it("tells it in plain words, by f and by Accept", async () => {
    const reply = await get(`${HERE}&f=text`);
    expect(reply.headers["content-type"]).toBe("text/plain; charset=utf-8");
    const text = await textOf(reply);
    expect(text).toMatch(
      /^31\.30N 042\.70W, Tue 15 Sep 2026 13:00 UTC: wind from [NESW]{1,3} \(\d{3}°\) \d+ kn, gusts \d+ kn, .*Not for navigation.*\n$/,
    );
    expect(await textOf(await get(HERE, { accept: "text/plain" }))).toBe(text);
  });

  it("answers by model, in plain words with a line for each", async () => {
    const { result } = await json(`${HERE}&models=best,demo-late`);
    expect(
      result.results.map(({ coordinates }: { coordinates: { model: string } }) => coordinates.model),
    ).toEqual(["best", "demo-late"]);
    const lines = (await textOf(await get(`${HERE}&models=best,demo-late&f=text`))).split("\n");
    expect(lines[0]).toMatch(/^best: 31\.30N .*\d °C\.$/);
    expect(lines[1]).toMatch(/^demo-late: 31\.30N .*waves: no value.*Not for navigation/);
    const unknown = await get(`${HERE}&models=gsf`);
    expect([unknown.status, JSON.parse(await textOf(unknown)).detail[0].loc]).toEqual([
      422,
      ["query", "models", 0],
    ]);
  });

  it.each(pointMediaTypes)("answers as %s where Accept names it", async (accept) => {
    expect((await get(HERE, { accept })).headers["content-type"]).toBe(accept);
  });

  it("f comes before Accept", async () => {
    const reply = await get(`${HERE}&f=csv`, { accept: "application/x-netcdf" });
    expect(await textOf(reply)).toMatch(/^latitude \[°\],/);
  });

  it.each([
    ["", ["lat", "lon"]],
    ["lat=91&lon=0", ["lat"]],
    ["lat=0&lon=190", ["lon"]],
    ["lat=NaN&lon=1e999", ["lat", "lon"]],
    ["lat=&lon=0x10", ["lat", "lon"]],
    ["lat=Infinity&lon=1%2C5", ["lat", "lon"]],
    [`${HERE}&time=tomorrow`, ["time"]],
    [`${HERE}&time=2020-01-01T00:00:00Z`, ["time"]],
    [`${HERE}&variables=wind,weather`, ["variables"]],
    [`${HERE}&variables=`, ["variables"]],
    [`${HERE}&wind_height=5`, ["wind_height"]],
    [`${HERE}&f=xml`, ["f"]],
  ])("%s is 422, and says where", async (query, where) => {
    const reply = await get(query);
    expect(reply.status).toBe(422);
    const { detail } = JSON.parse(await textOf(reply));
    expect(detail.map(({ loc }: { loc: unknown[] }) => loc.slice(0, 2))).toEqual(
      where.map((name) => ["query", name]),
    );
  });

  it.each(["lat=90&lon=180", "lat=-90&lon=-180", "lat=%2B1.5e1&lon=-.5"])("%s is a place", async (query) => {
    expect((await get(query)).status).toBe(200);
  });
});

describe("the key", () => {
  const without = { "x-api-key": undefined };

  it("is taken as the password of HTTP Basic, whatever the name", async () => {
    for (const text of ["good-key", "anyone:good-key", ":good-key"]) {
      const { status } = await get(HERE, { ...without, authorization: basic(text) });
      expect([text, status]).toEqual([text, text.includes(":") ? 200 : 403]);
    }
  });

  it("comes first from x-api-key", async () => {
    const authorization = basic(":good-key");
    expect((await get(HERE, { "x-api-key": "wrong", authorization })).status).toBe(401);
    expect((await get(HERE, { authorization: basic(":wrong") })).status).toBe(200);
  });

  it.each([
    [basic(":wrong"), 401],
    [basic(":"), 403],
    ["Basic", 403],
    ["Basic ====", 403],
    ["Bearer good-key", 403],
    [basic("x".repeat(8000)), 403],
  ])("%.40s is %i", async (authorization, status) => {
    expect((await get(HERE, { ...without, authorization })).status).toBe(status);
  });

  it("is never taken from the query", async () => {
    expect((await get(`${HERE}&x-api-key=good-key&key=good-key`, without)).status).toBe(403);
  });
});
