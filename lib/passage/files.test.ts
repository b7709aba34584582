import { describe, expect, it } from "vitest";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { readGpx } from "#lib/points/route-files.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { openNetcdf3 } from "#server/ingest/netcdf/netcdf3.ts";
import { planOf } from "#test/passage.ts";
import { passageFormats } from "./files.ts";
import { knowledgeOf } from "./to-wire.ts";

const start = parseInstant("2026-01-10T00:00:00Z");
const weather = { Winds_10m_Intensity: 7.2, Winds_10m_Direction: 200, Gust_10m: null };
const route = [179.8, -179.9].map((longitude) => ({ latitude: 40, longitude, leg: "great_circle" as const }));

function plan(withPieces: boolean): PassagePlan {
  const { pieces, ...whole } = planOf(() => weather, start, route);
  return { ...whole, ...(withPieces && { pieces }) };
}

const meta = {
  provenance: [{ variable: "wind", dataset: "Forecast", model: "GFS", run: "gfs.1" }],
  knowledge: knowledgeOf({ withStorms: false }),
} as unknown as PassageMeta;

const fileOf = (type: keyof typeof passageFormats, withPieces = true) => {
  const answer = { plans: [plan(withPieces)], meta, synthetic: true };
  return Buffer.concat([...passageFormats[type](answer)]).toString();
};

describe("files of passages", () => {
  it("are CSV with a row a piece, whose first row says what is not known", () => {
    const [header = "", first = "", ...others] = fileOf("text/csv").trimEnd().split("\r\n");
    expect(others).toHaveLength(plan(true).pieces!.length - 1);
    const names = header.split(",");
    const cells = first.split(",");
    const cell = (name: string) => cells[names.indexOf(name)];
    expect(cell("wind_kt")).toBe("14");
    expect(cell("gust_kt")).toBeUndefined();
    expect(cell("Winds_10m_Intensity [m/s]")).toBe("7.2");
    expect(cell("Gust_10m [m/s]")).toBe("");
    expect(cell("flags")).toBe("no_sea_data");
    expect(first).toContain("Not for navigation; synthetic");
    expect(first).toContain("Land is that of OpenStreetMap of 2017");
    expect(first).toContain("gfs.1");
  });

  it("are CSV with a row a departure where there are no pieces", () => {
    const [header = "", ...rows] = fileOf("text/csv", false).trimEnd().split("\r\n");
    expect(rows).toHaveLength(1);
    const cells = rows[0]!.split(",");
    expect(cells[header.split(",").indexOf("verdict")]).toBe(plan(false).verdict);
    expect(cells[header.split(",").indexOf("departure")]).toBe(formatInstant(start));
  });

  it("are GeoJSON of the places where the weather was read", () => {
    const { type, features, notice } = JSON.parse(fileOf("application/geo+json"));
    const { at, sog_kt } = plan(true).pieces![0]!;
    expect([type, features.length]).toEqual(["FeatureCollection", plan(true).pieces!.length]);
    expect(features[0].geometry.coordinates).toEqual([at.longitude, at.latitude]);
    expect(features[0].properties).toMatchObject({
      timestamp: at.timestamp,
      sog_kt,
      mode: "motor",
      Gust_10m: null,
    });
    expect(notice).toContain("Not for navigation");
  });

  it("are GPX that our own reader and others take for a route with its times, the weather in extensions", () => {
    const text = fileOf("application/gpx+xml");
    const [route] = readGpx(text);
    const { pieces, end } = plan(true);
    expect(route).toMatchObject({ kind: "route", timesLeftOut: false });
    expect(route!.points).toHaveLength(pieces!.length + 1);
    expect(route!.points.at(-1)).toMatchObject({ latitude: end.latitude, time: parseInstant(end.timestamp) });
    expect(text).toContain('wind_kt="14"');
    expect(text).not.toContain("null");
    const [waypoints] = readGpx(fileOf("application/gpx+xml", false));
    expect(waypoints).toMatchObject({ kind: "waypoints" });
    expect(waypoints!.points).toHaveLength(1);
  });

  const netcdf = (withPieces: boolean) => {
    const plans = [plan(withPieces), plan(withPieces)];
    const bytes = Buffer.concat([
      ...passageFormats["application/x-netcdf"]({ plans, meta, synthetic: true }),
    ]);
    const source = {
      size: bytes.length,
      read: (from: number, length: number) => bytes.subarray(from, from + length),
    };
    const file = openNetcdf3(source);
    const column = (name: string) => file.variables.get(name)!;
    const read = (name: string, count: number) => [...file.read(name, [0], [count]).values()];
    return { file, column, read };
  };

  it("are NetCDF with a trajectory a plan: contiguous ragged arrays of its pieces", () => {
    const { file, column, read } = netcdf(true);
    const { pieces } = plan(true);
    const count = pieces!.length;
    expect(file.attributes).toMatchObject({ featureType: "trajectory", Conventions: "CF-1.6" });
    expect(file.attributes.comment).toContain("Not for navigation; synthetic");
    expect(column("row_size").attributes).toMatchObject({ sample_dimension: "obs" });
    expect(column("trajectory").attributes).toMatchObject({ cf_role: "trajectory_id" });
    expect([read("trajectory", 2), read("row_size", 2)]).toEqual([
      [0, 1],
      [count, count],
    ]);
    expect(read("longitude", 2 * count)).toEqual([...pieces!, ...pieces!].map(({ at }) => at.longitude));
    expect(read("time", count)).toEqual(pieces!.map(({ at }) => parseInstant(at.timestamp)));
    expect(read("wind_kt", count)).toEqual(pieces!.map(({ wind_kt }) => wind_kt));
    expect(read("verdict", 2)).toEqual([1, 1]);
    expect(column("verdict").attributes).toMatchObject({ flag_meanings: "GO CAUTION NO" });
    const marks = String(column("flags").attributes.flag_meanings).split(" ");
    expect(read("flags", 1)[0]).toBe(2 ** marks.indexOf("no_sea_data"));
    expect(column("sog_kt").attributes).toMatchObject({
      units: "knot",
      coordinates: "time latitude longitude",
    });
    expect(column("Winds_10m_Intensity").attributes).toMatchObject({
      standard_name: "wind_speed",
      units: "m s-1",
    });
    expect(read("Gust_10m", 2 * count).every(Number.isNaN)).toBe(true);
  });

  it("are NetCDF of points where there are no pieces", () => {
    const { file, read } = netcdf(false);
    expect(file.attributes.featureType).toBe("point");
    const { end, totals } = plan(false);
    expect(read("time", 2)).toEqual([end, end].map(({ timestamp }) => parseInstant(timestamp)));
    expect(read("distance_nm", 2)).toEqual([totals.distance_nm, totals.distance_nm]);
  });
});
