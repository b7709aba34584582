import { beforeEach, expect, it } from "vitest";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { Manifest } from "#server/archive/run.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

const base = parseInstant("2026-09-15T12:00:00Z");
const now = base + 36.5 * HOUR_S;
const time = formatInstant(now + 12 * HOUR_S);

const archives = new Map([36.5, 6].map((hours) => [hours, archiveOf(hours)]));

function serve(hours: 36.5 | 6) {
  const archive = archives.get(hours);
  connectWeather(now, { archive });
}

/** A real archive whose forecast is as old as `hours`. */
function archiveOf(hours: number) {
  const { runs } = demoManifest(now);
  const real: Manifest = {
    version: 1,
    runs: runs.map((run) => ({
      ...run,
      provenance: undefined,
      source: "gfs",
      model: "GFS 0.25°",
      rhythm: { every: 6, delay: 6 },
      referenceTime: run.dataset === "Forecast" ? now - hours * HOUR_S : run.referenceTime,
    })),
  };
  return demoArchive(now, real);
}

beforeEach(() => serve(36.5));

const points = { points: [{ latitude: 31, longitude: -42, timestamp: time }], variables: ["wind"] };
const boxes = { bounding_boxes: [{ latitude: [30, 31], longitude: [-43, -42], timestamp: time }] };
const route = [
  { latitude: 31, longitude: -42 },
  { latitude: 31, longitude: -43 },
];
const passage = { route, departure: time, vessel: { kind: "fixed", speed_kt: 10 } };
const place = "lat=31&lon=-42";
const position = `coords=${encodeURIComponent("POINT(-42 31)")}&datetime=${time}&parameter-name=Winds_10m_Intensity`;

it.each<[string, "GET" | "POST", string, object?]>([
  ["points", "POST", "/MetOcean", points],
  ["points with meta", "POST", "/MetOcean", { ...points, include_meta: true }],
  ["a box", "POST", "/2DMetOcean", { ...boxes, variable: "wind" }],
  ["a passage", "POST", "/passages/evaluate", passage],
  ["a point by query", "GET", `/point?${place}`],
  ["a point in words", "GET", `/point?${place}&f=text`],
  ["a point as NetCDF", "GET", `/point?${place}&f=netcdf`],
  ["EDR", "GET", `/edr/collections/forecast/position?${position}`],
])("the reply says how old its forecast is, and that it is old: %s", async (_, method, path, body) => {
  const old = await ask(method, path, { body });
  expect([old.status, old.headers["x-data-age"], old.headers["x-data-provenance"]]).toEqual([
    200,
    String(36.5 * HOUR_S),
    "old",
  ]);
  serve(6);
  const fresh = await ask(method, path, { body });
  expect([fresh.headers["x-data-age"], fresh.headers["x-data-provenance"]]).toEqual([
    String(6 * HOUR_S),
    undefined,
  ]);
  expect(await textOf(fresh)).not.toContain("Forecast is");
});

it.each<[string, "GET" | "POST", string, object?, string?]>([
  ["meta of points", "POST", "/MetOcean", { ...points, include_meta: true }],
  ["meta of a box", "POST", "/2DMetOcean", { ...boxes, variable: "wind", include_meta: true }],
  ["meta of a passage", "POST", "/passages/evaluate", passage],
  ["words", "GET", `/point?${place}&f=text`],
  ["CSV", "GET", `/point?${place}&f=csv`],
  ["NetCDF", "GET", `/point?${place}&f=netcdf`],
  ["GeoJSON", "GET", `/point?${place}&f=geojson`],
  ["GPX", "POST", "/passages/evaluate", passage, "application/gpx+xml"],
  ["CoverageJSON", "GET", `/edr/collections/forecast/position?${position}`],
])("an old forecast is named in %s", async (_, method, path, body, accept) => {
  const reply = await ask(method, path, { body, headers: accept ? { accept } : {} });
  expect(await textOf(reply)).toContain("Forecast is 36 h old (GFS 0.25°, 12Z)");
});
