import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { z } from "zod";
import { KEY, type RunningServer, startServer } from "#e2e/server.ts";
import { type PointRequest, pointLimits, type pointResponse } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { whereBuilt } from "#test/built-pages.ts";
import { kill } from "#test/chaos/kill.ts";
import { temporaryFolders } from "#test/databases.ts";
import { hasEccodes, readByEccodes, valueAtNode } from "#test/eccodes.ts";
import { unusedPort } from "#test/unused-port.ts";
import { runExamples } from "./api-examples.ts";
import { pythonPasses, whereInstalled, wherePython } from "./outside.ts";
import { hasXygrib, type Picture, Xygrib } from "./xygrib.ts";

// Our own and third-party clients, the programs of the API page, and tasks of large requests, run against one real server
// with the demo.
const NAME = "a running service";
const NOW = "2026-01-01T00:00:00Z";
const root = path.resolve(import.meta.dirname, "../..");
const outside = path.join(import.meta.dirname, "outside-programs");
const run = promisify(execFile);
const runs = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hour = (hours: number) => formatInstant(parseInstant(NOW) + 3600 * hours);

let server: RunningServer;
const newFolder = temporaryFolders();

const headers = { "x-api-key": KEY, "content-type": "application/json" };
const get = (target: string, more: Record<string, string> = {}) =>
  fetch(server.url + target, { headers: { ...headers, ...more } });
const post = (target: string, body: object, more: Record<string, string> = {}) =>
  fetch(server.url + target, {
    method: "POST",
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  });

/** Sends JSON by POST, or reads by GET if there is no body. */
async function ask<Answer>(target: string, body?: object): Promise<Answer> {
  const reply = await (body ? post(target, body) : get(target));
  expect(reply.status, target).toBe(200);
  return (await reply.json()) as Answer;
}

whereBuilt(NAME, () =>
  describe(NAME, () => {
    beforeAll(async () => {
      server = await startServer(newFolder(), NOW, "", {
        PROCESSES: "1",
        ALERT_NETWORKS: "127.0.0.1/32",
        OPENGRIBS: "on",
      });
      const areThere = async () => expect((await get("/storms?provider=jtwc")).status).toBe(200);
      await vi.waitFor(areThere, { timeout: 100_000, interval: 200 });
    }, 120_000);
    afterAll(() => server?.stop());

    describe("the programs on the API page", () => runExamples(parseInstant(NOW), () => server.url));
    describe("files and EDR queries that become tasks", becomeTasks);
    it("every snippet of the README for TypeScript prints what it should", printsWhatItShould, 120_000);
    wherePython("the Python client has the numbers of the service, with tasks, and a README that runs", () =>
      pythonPasses("python", "tests.test_service", { METOCEAN_URL: server.url, METOCEAN_KEY: KEY }),
    );
    wherePython(
      "the integration for Home Assistant, loaded against stubs, has the numbers of the service",
      () =>
        pythonPasses("homeassistant", "tests.test_service", { METOCEAN_URL: server.url, METOCEAN_KEY: KEY }),
    );
    const isOwslib = () => runs("/usr/bin/python3", "-c", "import owslib.ogcapi.features");
    whereInstalled("OWSLib", "python3-owslib", isOwslib, readByOwslib);
    whereInstalled("GDAL", "gdal-bin", () => runs("ogr2ogr", "--version"), readByGdal);
    const reader = path.join(outside, "node_modules/covjson-reader");
    whereInstalled("covjson-reader", "covjson-reader", () => existsSync(reader), readByCovjson);
    whereInstalled("XyGrib", "xygrib, xvfb, xdotool and imagemagick", hasXygrib, downloadsByXygrib);
    const signalk = path.join(outside, "node_modules/signalk-server/bin/signalk-server");
    whereInstalled(
      "signalk-server",
      "signalk-server",
      () => existsSync(signalk),
      () => answersSignalk(signalk),
    );
  }),
);

function becomeTasks(): void {
  type Answer = z.infer<typeof pointResponse>;
  const accepted = async (reply: Response): Promise<string> => {
    expect(reply.status).toBe(202);
    const { task_id: id } = (await reply.json()) as { task_id: string };
    expect(reply.headers.get("location")).toBe(`/task/${id}`);
    return id;
  };
  const finished = (id: string) =>
    vi.waitFor(
      async () => {
        const state = await ask<Answer>(`/task/${id}`);
        expect(state.status).toBe("SUCCESS");
        return state;
      },
      { timeout: 90_000, interval: 200 },
    );
  const resultAs = async (id: string, query: string) => {
    const reply = await get(`/task/${id}${query}`);
    expect(reply.status).toBe(200);
    return Buffer.from(await reply.arrayBuffer());
  };

  it("a box by model equals the one answered at once, and is refused in formats that do not name models", async () => {
    const models = ["best", "demo-late"];
    const bounding_boxes = [{ latitude: [47, 48], longitude: [-7, -6], timestamp: hour(90) }];
    const box = { bounding_boxes, variable: "wind", models, include_meta: true };
    const asNetcdf = { accept: "application/x-netcdf" };
    const atOnce = Buffer.from(await (await post("/2DMetOcean", box, asNetcdf)).arrayBuffer());
    const id = await accepted(await post("/2DMetOcean", { ...box, async: true }));
    await finished(id);
    expect((await resultAs(id, "?f=netcdf")).equals(atOnce)).toBe(true);
    const refused = await get(`/task/${id}?f=grib2`);
    expect(refused.status).toBe(422);
    expect(((await refused.json()) as { detail: object[] }).detail[0]).toMatchObject({
      loc: ["query", "f"],
      msg: "The format GRIB2 does not name models: choose another format, or request one model at a time",
    });
  }, 60_000);

  it("a file made by a task equals the file answered at once, in its own format and in others", async () => {
    const file = {
      area: { type: "box", latitude: [47, 48], longitude: [-7, -6] },
      variables: ["wind", "current", "pressure"],
      from: NOW,
      to: hour(6),
      step_hours: 3,
    };
    const atOnce = Buffer.from(await (await post("/files", file)).arrayBuffer());
    expect(atOnce.subarray(0, 4).toString()).toBe("GRIB");
    const id = await accepted(await post("/files", { ...file, async: true }));
    await finished(id);
    expect((await resultAs(id, "?f=grib2")).equals(atOnce)).toBe(true);
    const netcdf = (await resultAs(id, "?f=netcdf")).toString("latin1");
    expect(netcdf).toMatch(/^CDF/);
    expect(netcdf).toContain("surface_eastward_sea_water_velocity");
    expect(netcdf).toContain("eastward surface current");
    const [header] = (await resultAs(id, "?f=csv")).toString().split("\r\n");
    expect(header).toContain("eastward_wind_10m [m/s],northward_wind_10m [m/s],");
    expect(header).toContain("Pressure [hPa]");
  }, 90_000);

  it("a trajectory with more places than are answered at once is stored, and has the values of POST /MetOcean", async () => {
    const start = parseInstant(NOW);
    const count = 2 * pointLimits.sync;
    const places = Array.from(
      { length: count },
      (_, at) => [(at - count) / 10_000, 40 + at / 10_000, start + at] as const,
    );
    const coords = `LINESTRINGM(${places.map((place) => place.join(" ")).join()})`;
    const body = { coords, "parameter-name": "Winds_10m_Intensity,Winds_10m_Direction" };
    const send = () =>
      post("/edr/collections/forecast/trajectory", body, { "idempotency-key": "a-long-line" });
    const id = await accepted(await send());
    // Sending it again, as after a cut connection, gives the same task.
    expect(await accepted(await send())).toBe(id);
    const { points: kept, variables } = await ask<PointRequest>(`/task/${id}/request`);
    expect([kept.length, variables]).toEqual([count, ["wind"]]);
    const { result } = await finished(id);
    expect(result.results).toHaveLength(count);
    const some = [0, 12_345, count - 1];
    const points = some.map((at) => {
      const [longitude, latitude, time] = places[at]!;
      return { latitude, longitude, timestamp: formatInstant(time) };
    });
    expect(some.map((at) => kept[at])).toEqual(points);
    const same = await ask<Answer>("/MetOcean", { points, variables: ["wind"] });
    expect(some.map((at) => result.results[at])).toEqual(same.result.results);
  }, 120_000);

  it("a cube with more values than are answered at once becomes a task, and one beyond the limit of tasks is 413 in EDR's form", async () => {
    const cube = (range: string) =>
      get(
        `/edr/collections/forecast/cube?bbox=-180,-90,180,90&parameter-name=Winds_10m_Intensity&datetime=${range}`,
      );
    const id = await accepted(await cube(`${NOW}/${hour(6)}`));
    expect(await ask(`/task/${id}/request`)).toMatchObject({ variable: "wind" });
    expect((await post(`/cancel_task/${id}`, {})).status).toBe(200);
    const refused = await cube(`${NOW}/${hour(216)}`);
    expect([refused.status, await refused.json()]).toEqual([
      413,
      { code: "PayloadTooLarge", description: expect.stringContaining("values") },
    ]);
  }, 60_000);
}

/** Expected output of each snippet, in the order of the README. */
const printed: readonly RegExp[] = [
  /^(2026-01-0\S+ [\d.]+ m\/s\n){2}.*\S.*\n/,
  /^1000 [\d.]+ m\n1002 lines\n$/,
  /^best [\d.]+ m\/s\ndemo-early [\d.]+ m\/s\ndemo-late [\d.]+ m\/s\n$/,
  /^\[ \{ over: 17\.49, members: \d+, percent: [\d.]+ \} \] .*not calibrated.*\.\n$/,
  /^(2026-01-0\S+ 4[5-9]\S* -\d\S* [\d.]+ m\/s\n){2,}$/,
  /^\d{4,} bytes 5 steps\nattachment; filename="open-metocean_\S+\.grb2"\napplication\/x-grib2 \d{4,} bytes\n$/,
  // The snippet prints its progress more than once, up to the end.
  /^(?:\d+ % \S+\n){2,}30000 rows\n$/,
  /^(?:[\d.]+\n)+Task cancelled by user\n$/,
  /^(2026-01-0\S+ (GO|CAUTION|NO) .*\n){5}[\s\S]*\S\n$/,
  /^body\.points\.0\.latitude .*90\n$/,
];

/** Imports the files of its arguments one after another, and prints the output of each. */
const importAll = `import { format } from "node:util";
const write = process.stdout.write.bind(process.stdout);
const all = [];
for (const file of process.argv.slice(1)) {
  let out = "";
  console.log = (...given) => void (out += format(...given) + "\\n");
  process.stdout.write = (text) => ((out += text), true);
  await import("file://" + file);
  all.push(out);
}
write(JSON.stringify(all));`;

async function printsWhatItShould(): Promise<void> {
  const folder = newFolder();
  const installed = path.join(folder, "node_modules/@open-metocean/client");
  mkdirSync(installed, { recursive: true });
  writeFileSync(path.join(installed, "package.json"), '{ "type": "module", "exports": "./index.js" }');
  const source = `export * from "file://${path.join(root, "clients/typescript/src/index.ts")}";`;
  writeFileSync(path.join(installed, "index.js"), source);
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  const readme = readFileSync(path.join(root, "clients/typescript/README.md"), "utf8");
  const files = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code], index) => {
    const file = path.join(folder, `snippet-${index}.ts`);
    const real = code!
      // Times are moved into the window of the demo, and the task gets as many points as are needed to show progress.
      .replaceAll("2026-03-0", "2026-01-0")
      .replaceAll("100_000", "30_000")
      .replaceAll("http://localhost:3000", server.url)
      .replaceAll("your-key", KEY);
    writeFileSync(file, real);
    return file;
  });
  const args = ["--no-warnings", "--input-type=module", "--eval", importAll, ...files];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(printed.map((pattern) => expect.stringMatching(pattern)));
}

interface Items {
  numberMatched: number;
  features: {
    id: string;
    geometry: { coordinates: [number, number] };
    properties: Record<string, unknown>;
  }[];
}

const storms = () => ask<Items>("/edr/collections/active-storms/items");

function readByOwslib(): void {
  it("finds the collections by the key of HTTP Basic, and reads storms by page, box and id", async () => {
    const script = path.join(import.meta.dirname, "owslib_items.py");
    const position = { coords: "POINT(-42.7 31.3)", datetime: hour(90), "parameter-name": "Gust_10m" };
    const args = ["-B", script, `${server.url}/edr`, KEY, JSON.stringify(position)];
    const read = JSON.parse((await run("/usr/bin/python3", args, { maxBuffer: 2 ** 26 })).stdout);
    const expected = await storms();
    expect(expected.features.length).toBeGreaterThan(1);
    expect(read.openapi).toMatch(/^3\.0/);
    expect(read.conformance).toContain("http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/core");
    expect([read.collections.at(-1), read.storms]).toEqual(["active-storms", "active-storms"]);
    expect(read.forecast).toEqual(await ask("/edr/collections/forecast"));
    expect(read.collections).toContain("forecast.demo-late");
    const points = [{ latitude: 31.3, longitude: -42.7, timestamp: hour(90) }];
    const asked = { points, variables: ["gust"], models: ["demo-late"] };
    const { result } = await ask<z.infer<typeof pointResponse>>("/MetOcean", asked);
    expect(read.late.ranges.Gust_10m.values).toEqual([result!.results[0]!.conditions.Gust_10m]);
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
    const source = `OAPIF:${server.url}/edr`;
    const env = { ...process.env, GDAL_HTTP_USERPWD: `any:${KEY}` };
    const listed = await run("ogrinfo", ["-ro", source], { env });
    expect(listed.stdout.match(/^\d+: [\w-]+/gm)).toEqual(["1: active-storms"]);
    const args = ["-oo", "PAGE_SIZE=2", "-f", "GeoJSON", "/vsistdout/", source, "active-storms"];
    const { stdout } = await run("ogr2ogr", args, { env, maxBuffer: 2 ** 26 });
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

/** A coverage in the form of covjson-reader. */
interface ReadCoverage {
  domainType: string;
  loadDomain(): Promise<{ axes: Map<string, { values: unknown[] }> }>;
  loadRange(name: string): Promise<{ get(at: Record<string, number>): number | null }>;
}

function readByCovjson(): void {
  const load = createRequire(path.join(outside, "package.json"));
  const line = [0, 1, 2].map((at) => `${-42.7 - at} ${31.3 + at} ${parseInstant(hour(at))}`).join();

  // server/operations/edr.test.ts compares the values of the service with those of its other operations.
  it.each([
    ["PointSeries", "position", { coords: "POINT(-42.7 31.3)", datetime: `${hour(0)}/${hour(6)}` }],
    ["Trajectory", "trajectory", { coords: `LINESTRINGM(${line})` }],
    ["Grid", "cube", { bbox: "-43,31,-42,32", datetime: hour(0) }],
    ["Grid", "cube", { bbox: "-43,31,-42,32", datetime: hour(0), realization: "7" }],
    [
      "PointSeries",
      "position",
      { coords: "POINT(-42.7 31.3)", datetime: `${hour(0)}/${hour(6)}` },
      ["mean", "p90"],
    ],
  ])(
    "reads a %s with the axes and numbers that the service wrote",
    async (domainType, query, more: Record<string, string>, statistics: string[] = []) => {
      const { getAcceptHeader } = load("covjson-reader/lib/http-common.js");
      const isOfEnsemble = statistics.length > 0 || more.realization !== undefined;
      const names =
        statistics.length > 0
          ? statistics.map((suffix) => `Winds_10m_Intensity_${suffix}`)
          : ["Winds_10m_Intensity", "Winds_10m_Direction"];
      const search = new URLSearchParams({ "parameter-name": names.join(), ...more });
      // The request is that of the reader's own loader, which is for browsers.
      const accept = getAcceptHeader(true);
      const collection = isOfEnsemble ? "forecast.demo-ensemble" : "forecast";
      const reply = await get(`/edr/collections/${collection}/${query}?${search}`, { accept });
      expect(reply.status).toBe(200);
      const written = (await reply.json()) as {
        ranges: Record<string, { axisNames: string[]; shape: number[]; values: (number | null)[] }>;
      };
      const coverage: ReadCoverage = await load("covjson-reader").read(structuredClone(written));
      expect(coverage.domainType).toMatch(new RegExp(`${domainType}$`));
      const { axes } = await coverage.loadDomain();
      for (const name of names) {
        const { axisNames, shape, values } = written.ranges[name]!;
        const read = await coverage.loadRange(name);
        expect(axisNames.map((axis) => axes.get(axis)!.values.length)).toEqual(shape);
        const steps = shape.map((_, axis) => shape.slice(axis + 1).reduce((all, length) => all * length, 1));
        const placeOf = (index: number) =>
          Object.fromEntries(
            axisNames.map((axis, at) => [axis, Math.floor(index / steps[at]!) % shape[at]!]),
          );
        expect(values.map((_, index) => read.get(placeOf(index)))).toEqual(values);
      }
    },
    60_000,
  );
}

/** The part of the map that is chosen in XyGrib: sea from the Azores to Ireland, and the west of Iberia. */
const CHOSEN = { left: 700, top: 320, right: 1000, bottom: 620 };
const INSIDE = { left: 704, top: 324, right: 996, bottom: 616 };
const IBERIA = { left: 960, top: 485, right: 990, bottom: 540 };
/** Sea and land beside that part, far enough from it that no arrow reaches them. */
const SEA_OUTSIDE = { left: 560, top: 330, right: 650, bottom: 600 };
const LAND_OUTSIDE = { left: 1005, top: 480, right: 1025, bottom: 530 };

function downloadsByXygrib(): void {
  let xygrib: Xygrib;
  let file: string;
  let sea: number;
  let land: number;
  beforeAll(async () => {
    xygrib = await Xygrib.open(newFolder(), server.url);
    await xygrib.start("wind");
    const empty = await xygrib.look((picture) => {
      for (const part of [INSIDE, IBERIA, SEA_OUTSIDE, LAND_OUTSIDE])
        expect(picture.colours(part).share).toBeGreaterThan(0.5);
      expect(picture.colours(IBERIA).commonest).not.toBe(picture.colours(INSIDE).commonest);
    });
    sea = empty.colours(SEA_OUTSIDE).commonest;
    land = empty.colours(LAND_OUTSIDE).commonest;
    expect([empty.colours(INSIDE).commonest, empty.colours(IBERIA).commonest]).toEqual([sea, land]);
    file = await xygrib.download(CHOSEN);
  }, 600_000);
  afterAll(() => xygrib?.close());

  /** Inside there are many colours; outside the map is as it was. */
  const expectPainted = (picture: Picture) => {
    expect(picture.colours(INSIDE).number).toBeGreaterThan(1000);
    expect(picture.colours(INSIDE).share).toBeLessThan(0.3);
    for (const [part, colour] of [
      [SEA_OUTSIDE, sea],
      [LAND_OUTSIDE, land],
    ] as const) {
      expect(picture.colours(part).commonest).toBe(colour);
      expect(picture.colours(part).share).toBeGreaterThan(0.8);
    }
  };

  it("draws the wind over sea and land where the file has it, and waves over the sea", async () => {
    await xygrib.look((picture) => {
      expectPainted(picture);
      expect(picture.colours(IBERIA).share).toBeLessThan(0.3);
    });
    await xygrib.start("waves", file);
    await xygrib.look((picture) => {
      expectPainted(picture);
      expect(picture.colours(IBERIA).share).toBeGreaterThan(0.5);
    });
  }, 600_000);

  it.runIf(hasEccodes())("has a file with the numbers of the service at twenty places", async () => {
    const messages = readByEccodes(readFileSync(file));
    const [wave] = messages.filter(({ discipline }) => discipline === 10);
    const longitudes = wave!.longitudes.map((value) => (value > 180 ? value - 360 : value));
    const spread = (axis: readonly number[], count: number) =>
      Array.from({ length: count }, (_, at) => axis[Math.floor((at * (axis.length - 1)) / (count - 1))]!);
    const places = spread(wave!.latitudes, 4).flatMap((latitude) =>
      spread(longitudes, 5).map((longitude) => ({ latitude, longitude, timestamp: hour(12) })),
    );
    const { result } = await ask<{ result: { results: { conditions: Record<string, number | null> }[] } }>(
      "/MetOcean",
      { points: places, variables: ["wind", "pressure", "wave"] },
    );
    const read = (discipline: number, category: number, number: number, place: (typeof places)[0]) =>
      valueAtNode(
        messages.find(
          (one) =>
            [one.discipline, one.parameterCategory, one.parameterNumber].join() ===
              [discipline, category, number].join() &&
            one.validityDate === 20260101 &&
            one.validityTime === 1200,
        )!,
        place,
      );
    expect(places).toHaveLength(20);
    let waves = 0;
    for (const [at, place] of places.entries()) {
      const { conditions } = result.results[at]!;
      const { Winds_10m_Intensity: speed, Pressure: pressure, Waves_Significant_Height: height } = conditions;
      expect(Math.hypot(read(0, 2, 2, place)!, read(0, 2, 3, place)!)).toBeCloseTo(speed!, 1);
      expect(read(0, 3, 1, place)! / 100).toBeCloseTo(pressure!, 1);
      if (height === null) expect(read(10, 0, 3, place)).toBeNull();
      else expect(read(10, 0, 3, place)).toBeCloseTo(height!, 2);
      waves += Number(height !== null);
    }
    // The places are at sea and on land.
    expect(waves).toBeGreaterThan(10);
    expect(waves).toBeLessThan(20);
  });
}

/**
 * The plugin's conversion of answers, and its behaviour while the link is down, are tested in
 * clients/signalk/plugin.test.ts.
 */
function answersSignalk(program: string): void {
  it("a Signal K server has the plugin's hours, days and warnings, with the numbers of the service", async () => {
    const url = await startSignalk(program, newFolder());
    const brest = { latitude: 48.5, longitude: -5.2 };
    const weather = async (route: string, at = brest, more = "") => {
      const query = `lat=${at.latitude}&lon=${at.longitude}${more}`;
      const reply = await fetch(`${url}/signalk/v2/api/weather/${route}?${query}`);
      expect(reply.status, route).toBe(200);
      return (await reply.json()) as { date: string; description: string; wind: object }[];
    };
    const points = [0, 1, 2].map((at) => ({ ...brest, timestamp: hour(at) }));
    const { result } = await ask<{ result: { results: { conditions: Record<string, number> }[] } }>(
      "/MetOcean",
      {
        points,
        variables: ["wind"],
      },
    );
    const hours = await weather("forecasts/point", brest, "&count=3");
    expect(hours).toMatchObject(
      result.results.map(({ conditions }, at) => ({
        date: hour(at),
        wind: {
          speedTrue: conditions.Winds_10m_Intensity,
          directionTrue: expect.closeTo((conditions.Winds_10m_Direction! * Math.PI) / 180, 9),
        },
      })),
    );
    const [observation] = await weather("observations");
    expect(observation).toEqual({ ...hours[0], type: "observation" });
    expect(observation!.description).toContain("DEMO-WORLD");
    const days = await weather("forecasts/daily", brest, "&count=2");
    expect(days.map(({ date }) => date.slice(0, 10))).toEqual(["2026-01-01", "2026-01-02"]);

    // The place is one that a storm of the demo is forecast to pass.
    const listed = await ask<{
      results: { tracks: { forecast?: { points: { lat: number; lon: number }[] } } }[];
    }>("/storms?provider=jtwc");
    const [place] = listed.results.flatMap(({ tracks }) => tracks.forecast?.points.slice(1, 2) ?? []);
    const warnings = await weather("warnings", { latitude: place!.lat, longitude: place!.lon });
    expect(warnings).toContainEqual(expect.objectContaining({ type: "Danger area of a tropical cyclone" }));
    expect(await weather("warnings")).toEqual([]);
  }, 120_000);
}

/** Starts a Signal K server with the plugin as npm installs it, until the end of the test. @returns Its origin. */
async function startSignalk(program: string, folder: string): Promise<string> {
  const plugin = path.join(root, "clients/signalk");
  const installed = path.join(folder, "node_modules/signalk-open-metocean");
  mkdirSync(installed, { recursive: true });
  for (const name of readdirSync(plugin))
    if (/\.js$|^package\.json$/.test(name)) cpSync(path.join(plugin, name), path.join(installed, name));
  mkdirSync(path.join(folder, "plugin-config-data"));
  writeFileSync(
    path.join(folder, "plugin-config-data/signalk-open-metocean.json"),
    JSON.stringify({ enabled: true, configuration: { url: server.url, key: KEY } }),
  );
  const off = { appstore: false, "nmea-tcp": false, tcp: false, mdns: false };
  writeFileSync(
    path.join(folder, "settings.json"),
    JSON.stringify({ interfaces: off, mdns: false, pipedProviders: [] }),
  );
  const port = await unusedPort();
  const shiftClock = path.join(root, "test/cluster/shift-clock.ts");
  const child = spawn(process.execPath, ["--import", shiftClock, program], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_ENV: "production",
      PORT: String(port),
      SIGNALK_NODE_CONFIG_DIR: folder,
      // The pages of its own administration are not installed.
      SKIP_ADMINUI_VERSION_CHECK: "1",
      CLOCK_SHIFT_S: String(Math.round((Date.parse(NOW) - Date.now()) / 1000)),
    },
  });
  onTestFinished(() => kill(child));
  let output = "";
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`signalk-server ended:\n${output}`)));
  const started = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("signalk-server running at")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
  });
  ended.catch(() => {});
  await Promise.race([started, ended]);
  return `http://127.0.0.1:${port}`;
}
