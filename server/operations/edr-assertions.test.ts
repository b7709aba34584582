import { beforeEach, describe, expect, it } from "vitest";
import { formatsOfQuery } from "#lib/contract/edr.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { schemaFaults30 } from "#test/openapi-3-0.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

/**
 * These tests assert what the abstract tests of OGC API – EDR 1.0 and 1.1 and OGC's own test suite assert, with the
 * requests of the suite.
 */

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);

beforeEach(() =>
  connectWeather(
    now,
    { archive },
    { "fast-key": { count: 9_999, periodSeconds: 60, text: "9999 per 1 minute" } },
  ),
);

const get = async (target: string) => {
  const reply = await ask("GET", target, { headers: { "x-api-key": "fast-key", host: "sea.example" } });
  return { status: reply.status, type: reply.headers["content-type"], body: JSON.parse(await textOf(reply)) };
};

interface Link {
  href: string;
  rel: string;
  type?: string;
}

const rels = (links: Link[]) => links.filter(({ type }) => type).map(({ rel }) => rel);

describe("core", () => {
  it("the landing page leads to the description, the conformance classes and the data", async () => {
    const { status, body } = await get("/edr?f=json");
    expect(status).toBe(200);
    expect(rels(body.links)).toEqual(expect.arrayContaining(["service-desc", "conformance", "data"]));
  });

  it("the classes are those of 1.1, and the core of 1.0", async () => {
    const { conformsTo } = (await get("/edr/conformance?f=json")).body;
    for (const edition of ["1.0", "1.1"])
      expect(conformsTo).toContain(`http://www.opengis.net/spec/ogcapi-edr-1/${edition}/conf/core`);
  });

  it("the description is an OpenAPI 3.0 document with the media type of its link", async () => {
    const { links } = (await get("/edr")).body;
    const described = links.find(({ rel }: Link) => rel === "service-desc");
    const { type, body } = await get(new URL(described.href).pathname);
    expect([type, body.openapi]).toEqual([described.type, "3.0.3"]);
    expect(schemaFaults30(body)).toEqual([]);
    const faulty = { type: ["string", "null"], exclusiveMinimum: 0, const: 1 };
    expect(schemaFaults30({ components: { schemas: { X: faulty } } })).toHaveLength(3);
  });
});

describe("collections", () => {
  it("only what has items says so: a client of OGC API – Features lists no other", async () => {
    const { collections } = (await get("/edr/collections")).body;
    const withItems = collections.filter(({ links }: { links: Link[] }) => rels(links).includes("items"));
    expect(withItems.map(({ id }: { id: string }) => id)).toEqual(["active-storms"]);
  });
});

describe("parameters of queries", () => {
  const required: Record<string, string[]> = {
    position: ["coords"],
    trajectory: ["coords"],
    area: ["coords"],
    cube: ["bbox"],
    radius: ["coords", "within", "within-units"],
    corridor: ["coords", "corridor-width", "width-units"],
  };

  it.each(Object.keys(formatsOfQuery))("those of %s are declared as the standard does", async (name) => {
    const { paths } = (await get("/edr/api")).body;
    const own = Object.entries<{ get: { parameters: Record<string, unknown>[] } }>(paths).filter(([path]) =>
      path.endsWith(`/${name}`),
    );
    expect(own).toHaveLength(2);
    for (const [, { get: operation }] of own) {
      const query = operation.parameters.filter((parameter) => parameter.in === "query");
      for (const parameter of query) expect(parameter).toMatchObject({ style: "form", explode: false });
      expect(query.filter((parameter) => parameter.required).map((parameter) => parameter.name)).toEqual(
        required[name],
      );
      expect(query.map((parameter) => parameter.name)).toEqual(
        expect.arrayContaining(["datetime", "parameter-name", "crs", "f", "z"]),
      );
      const [place] = query;
      expect(place!.schema).toMatchObject(
        name === "cube" ? { type: "array", items: { type: "number" }, minItems: 4 } : { type: "string" },
      );
    }
  });
});

describe("queries around the middle of a collection, over all of its time", () => {
  const shapes = {
    position: "coords=POINT(0 0)",
    area: "coords=POLYGON((-1 -1,-1 1,1 1,1 -1,-1 -1))",
    trajectory: "coords=LINESTRING(-1 -1,0 0,1 1)",
    corridor: "coords=LINESTRING(-1 -1,0 0,1 1)&corridor-width=2&width-units=m",
    radius: "coords=POINT(0 0)&within=100&within-units=km",
    cube: "bbox=-1,-1,1,1",
  };
  it("a grid over three years is 413, with what to ask for instead", async () => {
    const { extent } = (await get("/edr/collections/hindcast")).body;
    const datetime = extent.temporal.interval[0].join("/");
    for (const name of ["area", "corridor", "radius", "cube"] as const)
      expect(
        await get(`/edr/collections/hindcast/${name}?${shapes[name]}&datetime=${datetime}`),
      ).toMatchObject({
        status: 413,
        body: { code: "PayloadTooLarge", description: "datetime: a range of at most 31 days" },
      });
  });

  it("json is the first format, and features have text as identifiers and nothing that editions write differently", async () => {
    for (const name of ["position", "trajectory"] as const) {
      const target = `/edr/collections/forecast/${name}?${shapes[name]}&datetime=${formatInstant(now)}`;
      expect((await get(`${target}&f=json`)).body.type).toBe("Coverage");
      const { features, parameters, links, units } = (await get(`${target}&f=GeoJSON`)).body;
      for (const [at, { id }] of features.entries()) expect(id).toBe(String(at));
      expect(parameters).toBeUndefined();
      expect(units.Winds_10m_Intensity).toBe("m/s");
      expect(links).toMatchObject([
        { rel: "collection", href: "http://sea.example/edr/collections/forecast" },
      ]);
    }
  });
});

describe("places", () => {
  const at = `datetime=${formatInstant(now)}&parameter-name=Gust_10m`;
  const values = async (query: string) =>
    (await get(`/edr/collections/forecast/${query}&${at}`)).body.ranges.Gust_10m.values;

  it("longitudes of 0..360 and EPSG:4326 are the same places", async () => {
    const expected = await values("position?coords=POINT(-42.7 31.3)");
    expect(await values("position?coords=POINT(317.3 31.3)")).toEqual(expected);
    expect(await values("position?coords=POINT(31.3 -42.7)&crs=EPSG:4326")).toEqual(expected);
    const box = await values("cube?bbox=-180,-90,180,-89");
    expect(await values("cube?bbox=0,-90,360,-89")).toEqual(box);
    expect(await values("cube?bbox=179,0,181,1")).toEqual(await values("cube?bbox=179,0,-179,1"));
    expect(await values("area?coords=POLYGON((179 0,181 0,181 1,179 1,179 0))")).toEqual(
      await values("cube?bbox=179,0,-179,1"),
    );
    expect(await values("cube?bbox=0,179,1,181&crs=EPSG:4326")).toEqual(
      await values("cube?bbox=179,0,181,1"),
    );
  });

  it("a circle and a corridor have the nodes within their distance, in any unit, across 180° too", async () => {
    const { domain, ranges } = (
      await get(`/edr/collections/forecast/radius?coords=POINT(180 0)&within=60&within-units=nmi&${at}`)
    ).body;
    const { x, y } = domain.axes;
    for (const [index, value] of ranges.Gust_10m.values.entries()) {
      const column = x.values[index % x.values.length] - 180;
      const row = y.values[Math.floor(index / x.values.length)];
      // At the equator a degree is 60.04 n mi in every direction.
      const away = Math.hypot(column, row) * 60.04;
      if (Math.abs(away - 60) > 0.2) expect([column, row, value !== null]).toEqual([column, row, away < 60]);
    }
    const same = await values("radius?coords=POINT(180 0)&within=111120&within-units=m");
    expect(same).toEqual(ranges.Gust_10m.values);
    const line = await values("corridor?coords=LINESTRING(180 0,180 0)&corridor-width=222.24&width-units=km");
    expect(line).toEqual(ranges.Gust_10m.values);
  });

  it("a line over a range is a series at each of its places, and a day all of its hours", async () => {
    const line = "trajectory?coords=LINESTRING(-42.7 31.3,-42 32)";
    const { domain } = (
      await get(`/edr/collections/forecast/${line}&datetime=2026-09-16&parameter-name=Gust_10m`)
    ).body;
    expect(domain.domainType).toBe("MultiPointSeries");
    expect(domain.axes.t.values).toHaveLength(24);
    expect([domain.axes.t.values[0], domain.axes.t.values[23]]).toEqual([
      "2026-09-16T00:00:00Z",
      "2026-09-16T23:00:00Z",
    ]);
  });
});
