import { beforeEach, describe, expect, it } from "vitest";
import { variable } from "#lib/catalog/variables.ts";
import { edrCollections } from "#lib/edr/metadata.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const HOUR = 3600;
const DAY = 24 * HOUR;
const archive = demoArchive(now);

beforeEach(() => connectWeather(now, { archive }));

const get = (path: string, query: Record<string, string> = {}, headers = {}) =>
  ask("GET", `/edr${path}?${new URLSearchParams(query)}`, { headers });

const json = async (path: string, query: Record<string, string> = {}, headers = {}) => {
  const reply = await get(path, query, headers);
  const text = await textOf(reply);
  expect([reply.status, text.slice(0, 400)]).toEqual([200, expect.any(String)]);
  return JSON.parse(text);
};

const post = async (path: string, body: object) =>
  JSON.parse(await textOf(await ask("POST", path, { body }))).result.results;

type Ranges = Record<string, { values: (number | null)[]; shape: number[]; axisNames: string[] }>;

it("descriptions of the demo world say so", async () => {
  const { instances } = await json("/collections/forecast/instances");
  for (const path of ["", "/forecast", "/forecast/instances", `/forecast/instances/${instances[0].id}`])
    expect((await get(`/collections${path}`)).headers["x-data-provenance"], path).toBe("synthetic");
});

describe("values", () => {
  it.each(edrCollections)(
    "a position of $id has those of POST /MetOcean",
    async ({ id, variables, datasets }) => {
      const time = formatInstant(now - (datasets[0] === "Hindcast-3M" ? 40 * DAY : 0) + 90 * 60);
      const points = [{ latitude: 31.3, longitude: -42.7, timestamp: time }];
      const [expected] = await post("/MetOcean", { points, variables });
      const { ranges, domain } = await json(`/collections/${id}/position`, {
        coords: "POINT(-42.7 31.3)",
        datetime: time,
      });
      expect(domain.domainType).toBe("Point");
      const values = Object.entries(ranges as Ranges).map(([name, range]) => [name, range.values[0]]);
      expect(Object.fromEntries(values)).toEqual(expected.conditions);
    },
  );

  it("several positions are one coverage, each at all times", async () => {
    const places = [
      [-42.7, 31.3],
      [10, 60],
      [180, -90],
    ] as const;
    const datetime = `${formatInstant(now)}/${formatInstant(now + 6 * HOUR)}`;
    const { ranges, domain } = await json("/collections/forecast/position", {
      coords: `MULTIPOINT(${places.map((place) => `(${place.join(" ")})`).join()})`,
      datetime,
      "parameter-name": "Gust_10m",
    });
    const times: string[] = domain.axes.t.values;
    expect(times.length).toBeGreaterThan(1);
    const points = times.flatMap((timestamp) =>
      places.map(([longitude, latitude]) => ({ longitude, latitude, timestamp })),
    );
    const expected = await post("/MetOcean", { points, variables: ["gust"] });
    expect(domain.axes.composite).toMatchObject({
      coordinates: ["x", "y", "z"],
      values: places.map((place) => [...place, 10]),
    });
    expect(ranges.Gust_10m).toMatchObject({
      axisNames: ["t", "composite"],
      shape: [times.length, 3],
      values: expected.map(({ conditions }: { conditions: { Gust_10m: number } }) => conditions.Gust_10m),
    });
  });

  const line = [
    [-42.7, 31.3, now],
    [-42.9, 31.8, now + 5400],
    [-43.4, 32.5, now + 3 * HOUR],
  ] as const;
  const linestring = `LINESTRINGM(${line.map((place) => place.join(" ")).join(", ")})`;
  const linePoints = line.map(([longitude, latitude, time]) => ({
    longitude,
    latitude,
    timestamp: formatInstant(time),
  }));

  it.each(["GET", "POST"])("a LINESTRINGM by %s is a list of points with their own times", async (method) => {
    const expected = await post("/MetOcean", { points: linePoints, variables: ["current"] });
    const names = variable("current").outputs.map(({ point }) => point);
    const query = { coords: linestring, "parameter-name": names.join() };
    const path = "/edr/collections/currents/trajectory";
    const reply =
      method === "GET"
        ? await ask("GET", `${path}?${new URLSearchParams(query)}`)
        : await ask("POST", path, { body: query });
    const { ranges, domain } = JSON.parse(await textOf(reply));
    expect(domain.domainType).toBe("Trajectory");
    expect(domain.axes.composite.values).toEqual(
      linePoints.map(({ timestamp, longitude, latitude }) => [timestamp, longitude, latitude]),
    );
    for (const name of names)
      expect(ranges[name].values).toEqual(
        expected.map(({ conditions }: { conditions: Record<string, number> }) => conditions[name]),
      );
  });

  it("a LINESTRING has one time, and the wind of the height that z says", async () => {
    const timestamp = formatInstant(now + HOUR);
    const points = linePoints.map((point) => ({ ...point, timestamp }));
    const expected = await post("/MetOcean", { points, variables: ["wind"], wind_height: 80 });
    const { ranges, domain, parameters } = await json("/collections/forecast/trajectory", {
      coords: `LINESTRING(${line.map(([x, y]) => `${x} ${y}`).join()})`,
      datetime: timestamp,
      z: "80",
      "parameter-name": "Winds_10m_Intensity",
    });
    expect(domain.axes.z).toEqual({ values: [80] });
    expect(domain.referencing).toContainEqual({
      coordinates: ["z"],
      system: expect.objectContaining({ type: "VerticalCRS" }),
    });
    expect(parameters.Winds_10m_Intensity.description.en).toBe("Wind speed, at 80 m above the surface");
    expect(ranges.Winds_10m_Intensity.values).toEqual(
      expected.map(
        ({ conditions }: { conditions: Record<string, number> }) => conditions.Winds_10m_Intensity,
      ),
    );
  });

  it.each([
    ["a box", [30, 31], [-43, -42]],
    ["a box across 180°", [-1, 1], [179, -179]],
  ])("a cube of %s has those of POST /2DMetOcean", async (_name, latitude, longitude) => {
    const timestamp = [formatInstant(now), formatInstant(now + 6 * HOUR)];
    const [expected] = await post("/2DMetOcean", {
      bounding_boxes: [{ latitude, longitude, timestamp }],
      variable: "current",
    });
    const { ranges, domain } = await json("/collections/currents/cube", {
      bbox: [longitude[0], latitude[0], longitude[1], latitude[1]].join(),
      datetime: timestamp.join("/"),
      "parameter-name": "Currents_Direction,Currents_Intensity",
    });
    expect(domain.axes.t.values).toEqual(expected.coordinates.timestamp);
    expect(domain.axes.y.values).toEqual(expected.coordinates.latitude);
    const { x } = domain.axes;
    expect(x.values).toEqual(
      expected.coordinates.longitude.map((value: number) => (value < longitude[0]! ? value + 360 : value)),
    );
    expect(ranges.Currents_Direction.values).toEqual(expected.conditions.Currents_Direction.flat(2));
    expect(ranges.Currents_Intensity.values).toEqual(expected.conditions.Currents_Speed.flat(2));
  });

  it("an area is a cube whose nodes outside are null", async () => {
    const query = { datetime: formatInstant(now), "parameter-name": "Gust_10m" };
    const cube = await json("/collections/forecast/cube", { bbox: "-43,30,-42,31", ...query });
    const area = await json("/collections/forecast/area", {
      coords: "POLYGON((-43 30, -42 30, -43 31, -43 30))",
      ...query,
    });
    expect(area.domain).toEqual(cube.domain);
    const { x, y } = area.domain.axes;
    const expected = (cube.ranges as Ranges).Gust_10m!.values.map((value, at) => {
      const [column, row] = [at % x.values.length, Math.floor(at / x.values.length)];
      return x.values[column] + 43 + (y.values[row] - 30) <= 1 + 1e-9 ? value : null;
    });
    expect(area.ranges.Gust_10m.values).toEqual(expected);
    expect(expected.filter((value) => value === null).length).toBeGreaterThan(3);
  });

  it("an instance answers from its run alone", async () => {
    const { instances } = await json("/collections/forecast/instances");
    expect(instances.length).toBeGreaterThan(0);
    const timestamp = formatInstant(now + 6 * HOUR);
    const points = [{ latitude: 31.3, longitude: -42.7, timestamp }];
    const body = { points, variables: ["wind"], include_meta: true };
    const { result } = JSON.parse(await textOf(await ask("POST", "/MetOcean", { body })));
    const { run } = result.meta.provenance[0];
    const instance = instances.find(({ id }: { id: string }) => id === run);
    const query = {
      coords: "POINT(-42.7 31.3)",
      datetime: timestamp,
      "parameter-name": "Winds_10m_Intensity",
    };
    const path = `/collections/forecast/instances/${instance.id}`;
    const { ranges } = await json(`${path}/position`, query);
    expect(ranges.Winds_10m_Intensity.values).toEqual([result.results[0].conditions.Winds_10m_Intensity]);
    expect((await get("/collections/waves/instances/none/position", query)).status).toBe(404);
  });
});

describe("a collection of a model", () => {
  const query = { coords: "POINT(-42.7 31.3)", datetime: formatInstant(now + 90 * HOUR) };
  const points = [{ latitude: 31.3, longitude: -42.7, timestamp: query.datetime }];
  const forecast = edrCollections[0]!;

  it("is listed where several models answer, with the parameters, times and runs of its model", async () => {
    const { collections } = await json("/collections");
    const ids = collections.map(({ id }: { id: string }) => id).filter((id: string) => id.includes("."));
    expect(ids).toEqual([
      ...["demo-world", "demo-early", "demo-late"].map((model) => `forecast.${model}`),
      ...["demo-world", "demo-early"].map((model) => `waves.${model}`),
      ...["demo-world", "demo-early", "demo-late"].map((model) => `currents.${model}`),
      ...["forecast.demo-ensemble", "waves.demo-ensemble"],
    ]);
    const late = await json("/collections/forecast.demo-late");
    expect(late.title).toBe("Weather forecast: DEMO-LATE v1 (synthetic)");
    expect(late.extent.temporal.interval[0][1]).toBe(
      (await json("/collections/forecast")).extent.temporal.interval[0][1],
    );
    const { instances } = await json("/collections/forecast.demo-late/instances");
    expect(instances).toHaveLength(1);
    const of = `/collections/forecast.demo-late/instances/${instances[0].id}/position`;
    expect(await json(of, query)).toEqual(await json("/collections/forecast.demo-late/position", query));
  });

  it("has each value from its own model, as POST /MetOcean has it", async () => {
    const models = ["best", "demo-world", "demo-early", "demo-late"];
    const { variables } = forecast;
    const expected = await post("/MetOcean", { points, variables, models });
    for (const [at, model] of models.entries()) {
      const id = model === "best" ? "forecast" : `forecast.${model}`;
      const { ranges } = await json(`/collections/${id}/position`, query);
      const values = Object.entries(ranges as Ranges).map(([name, range]) => [name, range.values[0]]);
      expect(Object.fromEntries(values), model).toEqual(expected[at].conditions);
    }
    expect(expected[2].conditions).not.toEqual(expected[3].conditions);
  });

  it("has the numbers of its model on a grid and along a line too", async () => {
    const bounding_boxes = [{ latitude: [30, 31], longitude: [-43, -42], timestamp: query.datetime }];
    const shared = { datetime: query.datetime, "parameter-name": "Winds_10m_Direction,Winds_10m_Intensity" };
    const models = ["demo-late"];
    const [box] = await post("/2DMetOcean", { bounding_boxes, variable: "wind", models });
    const cube = await json("/collections/forecast.demo-late/cube", { bbox: "-43,30,-42,31", ...shared });
    expect(cube.ranges.Winds_10m_Intensity.values).toEqual(box.conditions.Winds_10m_Intensity.flat());
    const coords = "POLYGON((-43 30, -42 30, -42 31, -43 31, -43 30))";
    const area = await json("/collections/forecast.demo-late/area", { coords, ...shared });
    expect(area.ranges).toEqual(cube.ranges);
    const line = { ...shared, coords: "LINESTRING(-42.7 31.3, -43.7 31.9)" };
    const along = await json("/collections/forecast.demo-late/trajectory", line);
    const [expected] = await post("/MetOcean", { points, variables: ["wind"], models });
    expect(along.ranges.Winds_10m_Intensity.values[0]).toBe(expected.conditions.Winds_10m_Intensity);
  });

  it("is 404 for a name that the collection does not have, and says which it has", async () => {
    for (const id of [
      "forecast.",
      "forecast.gfs",
      "waves.demo-late",
      "static.demo-world",
      "tides.demo-world",
    ])
      for (const path of [id, `${id}/position`, `${id}/instances`]) {
        const reply = await get(`/collections/${path}`, path.endsWith("position") ? query : {});
        expect([path, reply.status]).toEqual([path, 404]);
      }
    const { description } = JSON.parse(await textOf(await get("/collections/waves.demo-late")));
    expect(description).toBe(
      "The archive has no such model in waves: it has waves.demo-world, waves.demo-early, waves.demo-ensemble",
    );
  });

  it("hands its model to the task of a query that is too large for an answer at once", async () => {
    const submitted: { kind: string; body: unknown }[] = [];
    const submit = async ({ kind }: { kind: string }, bytes: Uint8Array) => {
      submitted.push({ kind, body: JSON.parse(Buffer.from(bytes).toString()) });
      return "taken";
    };
    connectWeather(now, { archive, tasks: { submit } });
    const datetime = query.datetime;
    const coords = `LINESTRINGM(${Array.from({ length: 10_001 }, (_, at) => `${at / 100} 30 ${now}`).join()})`;
    const long = await ask("POST", "/edr/collections/forecast.demo-late/trajectory", { body: { coords } });
    const large = { bbox: "-180,-90,180,90", datetime: `${formatInstant(now)}/${datetime}` };
    const of = { ...large, bbox: "-60,0,0,60", "parameter-name": "Winds_10m_Intensity" };
    const wide = await get("/collections/forecast.demo-late/cube", of);
    expect([long.status, wide.status]).toEqual([202, 202]);
    expect(submitted.map(({ kind, body }) => [kind, (body as { models: string[] }).models])).toEqual([
      ["MetOcean", ["demo-late"]],
      ["2DMetOcean", ["demo-late"]],
    ]);
  });
});

it("what names the host of one request is kept by no shared cache; the address of the setting may be", async () => {
  const cacheControl = async (path: string) =>
    (await get(path, {}, { host: "evil.example" })).headers["cache-control"];
  for (const path of ["", "/api", "/collections"]) expect(await cacheControl(path)).toMatch(/^private,/);
  const linkBase = "https://weather.example.org";
  connectWeather(now, { archive, linkBase });
  for (const path of ["", "/api"]) {
    expect(await cacheControl(path)).toMatch(/^public,/);
    expect(await textOf(await get(path, {}, { host: "evil.example" }))).not.toContain("evil.example");
  }
});
