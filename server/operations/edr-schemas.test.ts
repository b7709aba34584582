import { afterAll, beforeEach, expect, it } from "vitest";
import { edrFormats, formatsOfQuery } from "#lib/contract/edr.ts";
import { edrCollections } from "#lib/edr/metadata.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { openTides } from "#server/tides/tides.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { edrFaults } from "#test/edr-schemas.ts";
import { describeWithSamples } from "#test/samples.ts";
import { ask, bytesOf, connectWeather, textOf } from "#test/send.ts";
import { aheadPoint, stormOf } from "#test/storms.ts";
import { operations } from "./operations.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);
interface Labelled {
  label: string;
}

const tides = openTides({ nonCommercial: false });
afterAll(() => tides.close());

const entry = stormOf([
  aheadPoint(0, { latitude: 15, longitude: 140 }),
  aheadPoint(12, { latitude: 16, longitude: 139 }),
]);

beforeEach(() => {
  const published = async (provider: string) =>
    provider === "jtwc" ? { synthetic: true, entries: [entry] } : undefined;
  connectWeather(
    now,
    { archive, storms: { published }, tides },
    { "fast-key": { count: 9_999, periodSeconds: 60, text: "9999 per 1 minute" } },
  );
});

const key = { "x-api-key": "fast-key", host: "sea.example:8080" };
const get = (target: string, headers = {}) => ask("GET", target, { headers: { ...key, ...headers } });
const json = async (target: string) => JSON.parse(await textOf(await get(target)));

const time = formatInstant(now);
const range = `${time}/${formatInstant(now + 6 * 3600)}`;
/** Queries of each kind that are answered. */
const queries: Record<keyof typeof formatsOfQuery, string[]> = {
  position: [
    `coords=POINT(-42.7 31.3)&datetime=${time}`,
    `coords=POINT(-42.7 31.3)&datetime=${range}`,
    `coords=MULTIPOINT((-42.7 31.3),(8 50))&datetime=${range}`,
  ],
  trajectory: [
    `coords=LINESTRINGM(-42.7 31.3 ${now},-42 31 ${now + 3600},-42 31 ${now + 3600})`,
    `coords=LINESTRING(-42.7 31.3,8 50)&datetime=${time}`,
    `coords=LINESTRING(-42.7 31.3,8 50)&datetime=${range}`,
  ],
  cube: [`bbox=-43,31,-42,32&datetime=${time}`, `bbox=179,-1,-179,1&datetime=${range}`],
  area: [`coords=POLYGON((-43 31,-42 31,-42 32,-43 31))&datetime=${time}`],
  radius: [`coords=POINT(-42.7 31.3)&within=40&within-units=nmi&datetime=${time}`],
  corridor: [
    `coords=LINESTRING(-42.7 31.3,-42 32)&corridor-width=80&width-units=km&corridor-height=10&height-units=m&datetime=${time}`,
  ],
};

describeWithSamples("the published schemas of OGC API – EDR 1.1", (samples) => {
  const valid = (file: string, value: unknown) => expect(edrFaults(samples, file, value)).toEqual([]);

  it("find what is wrong", () => {
    expect(edrFaults(samples, "core/exception.yaml", { description: 1 })).toHaveLength(2);
    expect(edrFaults(samples, "covjson/coverageJSON.yaml", { type: "Grid" })).toHaveLength(1);
    expect(edrFaults(samples, "geojson/featureGeoJSON.yaml", { type: "Feature" })).toHaveLength(2);
  });

  it("hold for landing page, conformance, collections and instances", async () => {
    valid("core/landingPage.yaml", await json("/edr"));
    valid("core/confClasses.yaml", await json("/edr/conformance"));
    const all = await json("/edr/collections");
    valid("collections/collections.yaml", all);
    expect(all.collections.map(({ id }: { id: string }) => id)).toEqual([
      ...edrCollections.map(({ id }) => id),
      ...["demo-world", "demo-early", "demo-late"].map((model) => `forecast.${model}`),
      ...["demo-world", "demo-early"].map((model) => `waves.${model}`),
      ...["demo-world", "demo-early", "demo-late"].map((model) => `currents.${model}`),
      ...["forecast.demo-ensemble", "waves.demo-ensemble"],
      "tides",
      "active-storms",
    ]);
    for (const collection of all.collections) {
      expect(await json(`/edr/collections/${collection.id}`)).toEqual(collection);
      for (const parameter of Object.values(collection.parameter_names))
        valid("collections/parameterNames.yaml", parameter);
      for (const [name, { link }] of Object.entries<{ link: object }>(collection.data_queries))
        if (name !== "instances") valid(`collections/${name}Link.yaml`, link);
      if (["active-storms", "tides"].includes(collection.id)) continue;
      const instances = await json(`/edr/collections/${collection.id}/instances`);
      valid("queries/instances.yaml", instances);
      const [first] = instances.instances;
      expect(await json(`/edr/collections/${collection.id}/instances/${first.id}`)).toEqual(first);
    }
  });

  it.each(edrCollections)(
    "hold for every query of $id and its newest instance, in every format",
    async (one) => {
      const { id, datasets } = one;
      // Instances differ only by their run.
      const formatsOf = (base: string, name: string) =>
        base.includes("/instances/")
          ? (["CoverageJSON"] as const)
          : formatsOfQuery[name as keyof typeof formatsOfQuery];
      const { instances } = await json(`/edr/collections/${id}/instances`);
      const shift = datasets[0] === "Hindcast-3M" ? 40 * 86_400 : 0;
      const moved = (query: string) =>
        query
          .replaceAll(/2026-09-15T\d{2}:00:00Z/g, (text) => formatInstant(parseInstant(text) - shift))
          .replaceAll(new RegExp(`${String(now).slice(0, 5)}\\d{5}`, "g"), (text) =>
            String(Number(text) - shift),
          );
      for (const base of [`/edr/collections/${id}`, `/edr/collections/${id}/instances/${instances[0].id}`])
        for (const [name, examples] of Object.entries(queries))
          for (const example of examples)
            for (const format of formatsOf(base, name)) {
              const reply = await get(`${base}/${name}?${moved(example)}&f=${format}`);
              const text = (await bytesOf(reply)).toString();
              expect([reply.status, text.slice(0, 300), example]).toEqual([200, expect.any(String), example]);
              expect(reply.headers["content-type"]).toBe(edrFormats[format]);
              if (format === "GeoJSON")
                valid("edr-geojson/edrFeatureCollectionGeoJSON.yaml", JSON.parse(text));
              if (format !== "CoverageJSON") continue;
              const coverage = JSON.parse(text);
              valid("covjson/coverageJSON.yaml", coverage);
              // The schema of reference systems knows none of CoverageJSON's geographic ones.
              const { referencing: _systems, ...domain } = coverage.domain;
              valid("covjson/domain.yaml", domain);
              for (const { shape, values } of Object.values<{ shape: number[]; values: number[] }>(
                coverage.ranges,
              ))
                expect(values).toHaveLength(shape.reduce((product, length) => product * length));
            }
    },
  );

  it("hold for tide stations as locations, and their heights", async () => {
    const locations = await json("/edr/collections/tides/locations?bbox=-5,48,-4,49");
    valid("edr-geojson/edrFeatureCollectionGeoJSON.yaml", locations);
    expect(locations.features.map(({ properties }: { properties: Labelled }) => properties.label)).toContain(
      "Brest",
    );
    const brest = "/edr/collections/tides/locations/ticon:brest-822-fra-uhslc_fd";
    for (const [datetime, count] of [
      ["2026-09-15T12:00:00Z", 1],
      ["2026-09-15", 144],
      ["2026-09-01T00:00:00Z/2026-09-30T00:00:00Z", 697],
    ] as const) {
      const coverage = await json(`${brest}?datetime=${datetime}`);
      valid("covjson/coverageJSON.yaml", coverage);
      expect(coverage.datum).toBe("LAT");
      expect(coverage.ranges.Tide_Height.values).toHaveLength(count);
    }
    for (const [target, status] of [
      [`${brest}?datetime=3000-01-01T00:00:00Z`, 400],
      [`${brest}?parameter-name=Winds`, 400],
      ["/edr/collections/tides/locations/noaa:ACT1616", 404],
      ["/edr/collections/tides/locations/noaa:1", 404],
      ["/edr/collections/tides/locations?bbox=0", 400],
    ] as const) {
      const reply = await get(target);
      expect([target, reply.status]).toEqual([target, status]);
      valid("core/exception.yaml", JSON.parse(await textOf(reply)));
    }
    const tooLong = await get(`${brest}?datetime=2025-01-01T00:00:00Z/2026-06-01T00:00:00Z`);
    expect(await textOf(tooLong)).toMatch(/datetime.*366 days/);
  });

  it("hold for storms as items, and errors", async () => {
    const items = await json("/edr/collections/active-storms/items");
    valid("edr-geojson/edrFeatureCollectionGeoJSON.yaml", items);
    expect(items.features).toHaveLength(1);
    valid(
      "geojson/featureGeoJSON.yaml",
      await json(`/edr/collections/active-storms/items/${items.features[0].id}`),
    );
    const [lon, lat] = items.features[0].geometry.coordinates;
    const around = `${lon - 1},${lat - 1},${lon + 1},${lat + 1}`;
    expect((await json(`/edr/collections/active-storms/items?bbox=${around}`)).numberReturned).toBe(1);
    expect((await json("/edr/collections/active-storms/items?bbox=-30,-50,-29,-49")).numberReturned).toBe(0);
    const none = await json("/edr/collections/active-storms/items?limit=1&offset=1");
    valid("edr-geojson/edrFeatureCollectionGeoJSON.yaml", none);
    expect(none).toMatchObject({ numberMatched: 1, numberReturned: 0, features: [] });
    for (const target of [
      "/edr?x=1",
      "/edr/nothing",
      "/edr/collections/none",
      "/edr/collections/forecast/position",
    ]) {
      const reply = await get(target);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      valid("core/exception.yaml", JSON.parse(await textOf(reply)));
    }
  });

  it("the description of the interface names every path, for each name of the service its own", async () => {
    const reply = await get("/edr/api");
    const { openapi, paths, servers } = JSON.parse(await textOf(reply));
    expect([openapi, servers]).toEqual(["3.0.3", [{ url: "http://sea.example:8080" }]]);
    const below = operations.filter(({ path }) => path.startsWith("/edr")).map(({ path }) => path);
    expect(Object.keys(paths).sort()).toEqual([...new Set(below)].sort());
    const other = await get("/edr/api", { host: "other.example" });
    expect(JSON.parse(await textOf(other)).servers).toEqual([{ url: "http://other.example" }]);
    // Cached documents have no headers: those of a reply are completed when it is sent.
    const again = await get("/edr/api");
    expect(again.headers).not.toBe(reply.headers);
    expect(await textOf(again)).toBe(await textOf(await get("/edr/api")));
  });
});
