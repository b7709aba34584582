import { inRing } from "@open-metocean/geo/ring";
import { coneTable, stormCone } from "@open-metocean/storms/cone";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { aheadPoint, allRound, stormOf } from "#test/storms.ts";
import { stormCsv, stormGpx, stormsGeojson } from "./export.ts";

const points = [0, 12, 24, 48, 72].map((hour) =>
  aheadPoint(
    hour,
    { latitude: 20 + hour / 24, longitude: hour < 24 ? 178 + hour / 8 : -182 + hour / 12 },
    allRound(200, 90, null),
  ),
);
const basin = "west_pacific";
const cone = stormCone({ basin, table: coneTable(basin, 2026), points, start: undefined })!;
const entry = stormOf(points, { name: 'A & <B> "C"', basin, cone });

describe("GeoJSON", () => {
  const collection = JSON.parse(JSON.stringify(stormsGeojson([entry]))) as ReturnType<typeof stormsGeojson>;
  const of = (kind: string) => collection.features.find(({ properties }) => properties.kind === kind)!;

  it("has tracks, points, cone and danger area, each with provider, averaging period and a warning", () => {
    const kinds = new Set(collection.features.map(({ properties }) => properties.kind));
    expect([...kinds].sort()).toEqual([
      "cone",
      "danger-area",
      "forecast-point",
      "forecast-track",
      "observed-point",
    ]);
    for (const { properties, id } of collection.features) {
      expect(properties).toMatchObject({
        provider: "jtwc",
        wind_average_minutes: 1,
        notice: "Not for navigation",
      });
      expect(id).toMatch(/^jtwc-AL012026-/);
    }
    expect(new Set(collection.features.map(({ id }) => id)).size).toBe(collection.features.length);
    expect(collection.provenance[0]).toContain("borrowed from the North Atlantic");
  });

  it("is cut at 180°, with counter-clockwise rings that cover the same area", () => {
    expect(of("forecast-track").geometry.type).toBe("MultiLineString");
    for (const kind of ["cone", "danger-area"]) {
      const { geometry } = of(kind);
      if (geometry.type !== "MultiPolygon") throw new Error(`${kind} is ${geometry.type}`);
      const rings = geometry.coordinates.map(([ring]) =>
        ring!.map(([longitude, latitude]) => ({ latitude, longitude })),
      );
      for (const ring of rings) {
        const longitudes = ring.map(({ longitude }) => longitude);
        expect(Math.max(...longitudes) - Math.min(...longitudes)).toBeLessThan(180);
        const twice = ring.slice(1).reduce((sum, { latitude, longitude }, index) => {
          const before = ring[index]!;
          return sum + before.longitude * latitude - longitude * before.latitude;
        }, 0);
        expect(twice).toBeGreaterThan(0);
      }
      for (const { lat, lon } of points) {
        expect(rings.some((ring) => inRing(ring, { latitude: lat, longitude: lon }))).toBe(true);
      }
    }
  });
});

describe("GPX", () => {
  const gpx = stormGpx(entry);

  it("is well-formed for any name, with a waypoint per forecast point and segments cut at 180°", () => {
    expect(XMLValidator.validate(gpx)).toBe(true);
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(gpx).gpx;
    expect(parsed.wpt).toHaveLength(points.length);
    const segments = parsed.trk.flatMap((track: { trkseg: unknown }) => track.trkseg);
    for (const { trkpt } of segments as { trkpt: { "@_lon": string }[] }[]) {
      const longitudes = trkpt.map((one) => Number(one["@_lon"]));
      expect(Math.max(...longitudes) - Math.min(...longitudes)).toBeLessThan(180);
    }
    expect(gpx).toContain("Not for navigation");
    expect(gpx).toContain("1-minute mean");
  });
});

describe("CSV", () => {
  const rows = (text: string) =>
    text
      .trimEnd()
      .split("\r\n")
      .filter((line) => !line.startsWith("#"))
      .map((line) => line.split(","));

  it("begins with its provenance", () => {
    for (const part of ["track", "cone", "danger"] as const) {
      expect(stormCsv(entry, part)).toMatch(/^# A & <B> "C" \(AL012026\)\r\n# Provider: jtwc/);
      expect(stormCsv(entry, part)).toContain("# Not for navigation");
    }
  });

  it("has a row per point with all values, missing ones empty", () => {
    const [head, ...track] = rows(stormCsv(entry, "track"));
    expect(track).toHaveLength(1 + points.length);
    for (const row of track) expect(row).toHaveLength(head!.length);
    const last = Object.fromEntries(head!.map((name, index) => [name, track.at(-1)![index]]));
    expect(last).toMatchObject({
      kind: "forecast",
      time: "2026-09-18T12:00:00Z",
      fhr: "72",
      vmax_kt: "70",
      wind_average_min: "1",
      r34_ne_km: "200",
      r64_sw_km: "",
      cone_radius_km: "144",
    });
  });

  it("has the cone's vertices and the danger area's circles", () => {
    expect(rows(stormCsv(entry, "cone"))).toHaveLength(1 + cone.envelope_polygon!.length);
    expect(rows(stormCsv(entry, "danger"))).toHaveLength(1 + points.length);
    expect(rows(stormCsv(stormOf(points), "cone"))).toEqual([["vertex", "lat", "lon"]]);
  });
});
