import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whereBuilt } from "#test/built-pages.ts";
import { type DemoService, NOW, startDemoService } from "#test/demo-service.ts";
import { whereInstalled } from "./outside.ts";

const NAME = "stock clients of OGC API – EDR";
const PYTHON = "/usr/bin/python3";
const outside = path.join(import.meta.dirname, "outside-programs");
const readCoverages = path.join(outside, "node_modules/covjson-reader");

const run = promisify(execFile);
const runs = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

let service: DemoService;

whereBuilt(NAME, () =>
  describe(NAME, () => {
    beforeAll(async () => {
      service = await startDemoService();
    }, 120_000);
    afterAll(() => service?.stop());
    const isOwslib = () => runs(PYTHON, "-c", "import owslib.ogcapi.features");
    whereInstalled("OWSLib", "python3-owslib", isOwslib, readByOwslib);
    whereInstalled("GDAL", "gdal-bin", () => runs("ogr2ogr", "--version"), readByGdal);
    whereInstalled("covjson-reader", "covjson-reader", () => existsSync(readCoverages), readByCovjson);
  }),
);

interface Item {
  id: string;
  geometry: { coordinates: [number, number] };
  properties: Record<string, unknown>;
}

interface Items {
  numberMatched: number;
  features: Item[];
}

/** All storms, as the service says them. */
async function storms(): Promise<Items> {
  return (await service.ask("/edr/collections/active-storms/items")) as Items;
}

function readByOwslib(): void {
  it("finds the collections by the key of HTTP Basic, and reads storms by page, box and id", async () => {
    const { stdout } = await run(
      PYTHON,
      ["-B", path.join(import.meta.dirname, "owslib_items.py"), `${service.url}/edr`, service.key],
      { maxBuffer: 2 ** 26 },
    );
    const read = JSON.parse(stdout);
    const expected = await storms();
    expect(expected.features.length).toBeGreaterThan(1);
    expect(read.openapi).toMatch(/^3\.0/);
    expect(read.conformance).toContain("http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/core");
    expect([read.collections.at(-1), read.storms]).toEqual(["active-storms", "active-storms"]);
    expect(read.forecast).toEqual(await service.ask("/edr/collections/forecast"));
    expect(read.items.features).toEqual(expected.features);
    expect(read.one).toMatchObject({ numberMatched: expected.numberMatched, numberReturned: 1 });
    expect(read.one.features).toEqual(expected.features.slice(0, 1));
    expect(read.near.features).toContainEqual(expected.features[0]);
    expect(read.near.numberMatched).toBeLessThan(expected.numberMatched);
    expect(read.first).toEqual(expected.features[0]);
  }, 60_000);
}

function readByGdal(): void {
  it("reads every storm with its place and properties, page after page", async () => {
    const source = `OAPIF:${service.url}/edr`;
    const env = { ...process.env, GDAL_HTTP_USERPWD: `any:${service.key}` };
    const listed = await run("ogrinfo", ["-ro", source], { env });
    expect(listed.stdout.match(/^\d+: [\w-]+/gm)).toEqual(["1: active-storms"]);
    const { stdout } = await run(
      "ogr2ogr",
      ["-oo", "PAGE_SIZE=2", "-f", "GeoJSON", "/vsistdout/", source, "active-storms"],
      { env, maxBuffer: 2 ** 26 },
    );
    const read = (JSON.parse(stdout) as Items).features;
    const expected = (await storms()).features;
    expect(expected.length).toBeGreaterThan(2);
    expect(read).toHaveLength(expected.length);
    for (const [index, { geometry, properties }] of expected.entries()) {
      expect(read[index]!.geometry.coordinates).toEqual(geometry.coordinates);
      for (const name of ["label", "provider", "storm", "vmax_kt", "type"])
        expect([name, read[index]!.properties[name] ?? null]).toEqual([name, properties[name]]);
    }
  }, 60_000);
}

interface Range {
  get(at: Record<string, number>): number | null;
}

/** A coverage as covjson-reader gives it. */
interface ReadCoverage {
  domainType: string;
  parameters: Map<string, { unit?: { symbol?: unknown } }>;
  loadDomain(): Promise<{ axes: Map<string, { values: unknown[] }> }>;
  loadRange(name: string): Promise<Range>;
}

function readByCovjson(): void {
  const load = createRequire(path.join(outside, "package.json"));
  const here = { longitude: -42.7, latitude: 31.3 };
  const hour = (hours: number) => new Date(Date.parse(NOW) + 3_600_000 * hours).toISOString().slice(0, 19);
  const parameters = ["Winds_10m_Intensity", "Winds_10m_Direction"];

  /** Asks as the reader's own loader does, which is for browsers. */
  const read = async (query: string, more: Record<string, string>): Promise<ReadCoverage> => {
    const { getAcceptHeader } = load("covjson-reader/lib/http-common.js");
    const parametersOfQuery = new URLSearchParams({ "parameter-name": parameters.join(), ...more });
    const reply = await fetch(`${service.url}/edr/collections/forecast/${query}?${parametersOfQuery}`, {
      headers: { accept: getAcceptHeader(true), "x-api-key": service.key },
    });
    expect(reply.status).toBe(200);
    return load("covjson-reader").read(await reply.json());
  };
  const axes = async (coverage: ReadCoverage) => {
    const domain = await coverage.loadDomain();
    return Object.fromEntries([...domain.axes].map(([name, { values }]) => [name, [...values]]));
  };
  const conditions = async (points: object[]) => {
    const { result } = (await service.ask("/MetOcean", { points, variables: ["wind"] })) as {
      result: { results: { conditions: Record<string, number | null> }[] };
    };
    return result.results.map((one) => one.conditions);
  };

  it("reads a position with the times and numbers of POST /MetOcean", async () => {
    const coverage = await read("position", {
      coords: `POINT(${here.longitude} ${here.latitude})`,
      datetime: `${hour(0)}Z/${hour(6)}Z`,
    });
    const { x, y, t } = await axes(coverage);
    expect([coverage.domainType, x, y]).toMatchObject([/PointSeries$/, [here.longitude], [here.latitude]]);
    expect(t!.length).toBeGreaterThan(1);
    const expected = await conditions(t!.map((timestamp) => ({ ...here, timestamp })));
    for (const name of parameters) {
      const range = await coverage.loadRange(name);
      expect(t!.map((_, at) => range.get({ t: at }))).toEqual(expected.map((one) => one[name]));
    }
  }, 60_000);

  it("reads a trajectory with the places, times and numbers of POST /MetOcean", async () => {
    const places = [0, 1, 2].map((at) => ({
      longitude: here.longitude - at,
      latitude: here.latitude + at,
      timestamp: `${hour(at)}Z`,
    }));
    const coords = places
      .map((one) => `${one.longitude} ${one.latitude} ${Date.parse(one.timestamp) / 1000}`)
      .join();
    const coverage = await read("trajectory", { coords: `LINESTRINGM(${coords})` });
    const { composite } = await axes(coverage);
    expect([coverage.domainType, composite]).toMatchObject([
      /Trajectory$/,
      places.map((one) => [one.timestamp, one.longitude, one.latitude]),
    ]);
    const expected = await conditions(places);
    for (const name of parameters) {
      const range = await coverage.loadRange(name);
      expect(places.map((_, at) => range.get({ composite: at }))).toEqual(expected.map((one) => one[name]));
    }
  }, 60_000);

  it("reads a cube with the nodes and numbers of POST /2DMetOcean", async () => {
    const timestamp = `${hour(0)}Z`;
    const coverage = await read("cube", { bbox: "-43,31,-42,32", datetime: timestamp });
    const { x, y, t } = await axes(coverage);
    expect([coverage.domainType, t]).toMatchObject([/Grid$/, [timestamp]]);
    const box = { latitude: [31, 32], longitude: [-43, -42], timestamp };
    const { result } = (await service.ask("/2DMetOcean", { bounding_boxes: [box], variable: "wind" })) as {
      result: { results: { coordinates: Record<string, unknown>; conditions: Record<string, unknown> }[] };
    };
    const { coordinates, conditions: values } = result.results[0]!;
    expect({ x, y }).toEqual({ x: coordinates.longitude, y: coordinates.latitude });
    for (const name of parameters) {
      const range = await coverage.loadRange(name);
      const rows = y!.map((_, row) => x!.map((_, column) => range.get({ t: 0, y: row, x: column })));
      expect(rows).toEqual(values[name]);
    }
  }, 60_000);
}
