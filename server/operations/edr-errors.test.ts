import { beforeEach, describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);

beforeEach(() => connectWeather(now, { archive }));

const time = formatInstant(now);
const get = async (target: string, headers = {}) => {
  const reply = await ask("GET", `/edr${target}`, { headers });
  return { status: reply.status, headers: reply.headers, error: JSON.parse(await textOf(reply)) };
};

const here = `coords=POINT(-42.7 31.3)&datetime=${time}`;
const box = `bbox=-43,31,-42,32&datetime=${time}`;
const line = `coords=LINESTRING(-42.7 31.3,-43 32)`;
const long = `coords=LINESTRING(${Array(1001).fill("1 2").join()})`;

describe("an error has a code and a description", () => {
  it.each<[string, number, RegExp]>([
    ["forecast/position", 400, /^coords: Field required/],
    ["forecast/area", 400, /^coords: Field required/],
    ["forecast/radius?within=1&within-units=km", 400, /^coords: Field required/],
    ["forecast/position?coords=POINT()", 400, /^coords: a number is missing/],
    [`forecast/position?${here}&datetime=yesterday`, 400, /^datetime: /],
    [`forecast/position?${here}&datetime=2020-01-01T00:00:00Z`, 400, /^datetime: this collection has times/],
    [`hindcast/position?${here}`, 400, /^datetime: this collection/],
    [`forecast/position?${here}&parameter-name=wind`, 400, /^parameter-name: .*Winds_10m_Intensity/],
    [`forecast/position?${here}&parameter-name=__proto__`, 400, /^parameter-name: /],
    [`waves/position?${here}&z=10`, 400, /^z: /],
    [`forecast/position?${here}&z=5`, 400, /^z: /],
    [`forecast/position?${here}&z=NaN`, 400, /^z: /],
    [`forecast/position?${here}&crs=EPSG:3857`, 400, /^crs: /],
    [`forecast/position?${here}&f=XML`, 400, /^f: should be one of CoverageJSON, /],
    [`forecast/cube?${box}&f=GeoJSON`, 400, /^f: /],
    [`forecast/cube?${box}&f=GRIB2&z=80`, 400, /^z: GRIB2/],
    [`forecast/position?${here}&within=10`, 400, /^within: /],
    [`forecast/trajectory?${here}`, 400, /LINESTRING or LINESTRINGM/],
    [
      `forecast/trajectory?coords=LINESTRINGM(1 2 ${now},3 4 ${now})&datetime=${time}`,
      400,
      /^datetime: a LINES/,
    ],
    ["forecast/trajectory?coords=LINESTRINGM(1 2 0,3 4 0)", 400, /^coords: the time of place 1 is outside/],
    ["forecast/cube", 400, /^bbox: Field required/],
    ["forecast/cube?bbox=1,2,3", 400, /^bbox: /],
    ["forecast/cube?bbox=-43,31,0,-42,32,10", 400, /^bbox: heights/],
    [`forecast/area?${here}`, 400, /POLYGON or MULTIPOLYGON/],
    ["forecast/cube?bbox=-180,-90,180,90", 413, /values/],
    ["hindcast/cube?bbox=0,0,1,1", 413, /31 days/],
    [`none/position?${here}`, 404, /no such collection/],
    ["active-storms/items?limit=0", 400, /^limit: /],
    ["active-storms/items?offset=-1", 400, /^offset: /],
    [`active-storms/position?${here}`, 404, /no such collection/],
    [`forecast/instances/none/cube?${box}`, 404, /no such instance/],
    [`forecast/instances/..%2F/cube?${box}`, 404, /./],
    [`forecast/radius?${here}`, 400, /within: Field required; within-units: /],
    [`forecast/radius?${here}&within=-1&within-units=km`, 400, /^within: /],
    [`forecast/radius?${here}&within=20017&within-units=km`, 400, /^within: /],
    [`forecast/radius?${here}&within=1&within-units=ft`, 400, /^within-units: /],
    [`forecast/corridor?${line}`, 400, /corridor-width: Field required; width-units: /],
    [`forecast/corridor?${long}&corridor-width=1&width-units=m`, 413, /^coords: at most 1000 places/],
    ["forecast/locations", 404, /Not Found/],
    ["forecast/position?coords=POINT(131.3 -42.7)&crs=EPSG:4326", 400, /latitude, which comes first/],
  ])("%.99s is %i", async (target, status, description) => {
    const found = await get(`/collections/${target}`);
    expect(found).toMatchObject({
      status,
      headers: { "content-type": "application/json" },
      error: {
        code: status === 400 ? "BadRequest" : expect.any(String),
        description: expect.stringMatching(description),
      },
    });
    expect(Object.keys(found.error)).toEqual(["code", "description"]);
  });

  it("also without a key, with a wrong one, and beyond the limit", async () => {
    const path = `/collections/forecast/position?${here}`;
    expect(await get(path, { "x-api-key": undefined })).toMatchObject({
      status: 403,
      error: { code: "Forbidden" },
    });
    expect(await get(path, { "x-api-key": "no" })).toMatchObject({
      status: 401,
      error: { code: "Unauthorized" },
    });
    for (let count = 0; count < 10; count++) await get(path);
    expect(await get(path)).toMatchObject({
      status: 429,
      headers: { "retry-after": expect.any(String) },
      error: { code: "TooManyRequests", description: "Rate limit exceeded: 10 per 1 minute" },
    });
  });

  it("and where a body is no JSON, or too long a line", async () => {
    const post = async (body: unknown, headers = {}) => {
      const reply = await ask("POST", "/edr/collections/forecast/trajectory", { body, headers });
      return [reply.status, Object.keys(JSON.parse(await textOf(reply)))];
    };
    const error = ["code", "description"];
    expect(await post({ coords: 1 })).toEqual([400, error]);
    expect(await post({ coords: "LINESTRING()" })).toEqual([400, error]);
    expect(await post({}, { "content-type": "text/plain" })).toEqual([415, error]);
    const coords = `LINESTRINGM(${Array.from({ length: 200_001 }, (_, at) => `1 2 ${now + at}`).join()})`;
    expect(await post({ coords })).toEqual([413, error]);
    const places = Array.from({ length: 10_001 }, () => "1 2").join();
    expect(await post({ coords: `LINESTRING(${places})`, datetime: "2026-09-15" })).toEqual([413, error]);
  });
});

it("poles, ±180° and places without data are answered", async () => {
  for (const coords of ["POINT(180 0)", "POINT(-180 0)", "POINT(0 90)", "POINT(0 -90)", "POINT(-0 -0)"]) {
    const { status, error: coverage } = await get(
      `/collections/waves/position?coords=${coords}&datetime=${time}`,
    );
    expect([coords, status, coverage.type]).toEqual([coords, 200, "Coverage"]);
  }
});

it("a position without a time is answered at all times of its collection", async () => {
  for (const id of ["currents", "static"]) {
    const { status, error: coverage } = await get(`/collections/${id}/position?coords=POINT(-42.7 31.3)`);
    expect([id, status]).toEqual([id, 200]);
    expect(coverage.domain.axes.t.values.length).toBeGreaterThan(id === "static" ? 0 : 40);
  }
});
