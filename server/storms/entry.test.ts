import { describe, expect, it } from "vitest";
import { stormEntry as contract } from "#lib/contract/storms.ts";
import { inRing } from "#lib/geo/ring.ts";
import { destination } from "#lib/geo/sphere.ts";
import { coneOutline } from "#lib/storms/cone.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { ahead, BASE, bulletin, fix, forecast } from "#test/storm-feed.ts";
import { stormEntry } from "./entry.ts";

const HOUR = 3600;
const context = { now: BASE + 4 * HOUR, generatedAt: BASE + 4 * HOUR };

describe("an entry", () => {
  it("matches the published schema for each provider, with and without a forecast", () => {
    const points = forecast.points.map((point) => ({ ...point, circleKm: point.fhr ? 100 : null }));
    for (const provider of ["jtwc", "jma"] as const) {
      for (const given of [undefined, { ...forecast, points }]) {
        const entry = stormEntry(bulletin({ provider, forecast: given }), context);
        expect(contract.parse(entry)).toEqual(entry);
        expect(entry.cone === undefined).toBe(given === undefined);
      }
    }
  });

  it("has the reach of seas of 12 ft where the bulletin gives it, and its unit; otherwise neither", () => {
    const seas12ftKm = { ne: 333.36, se: 222.24, sw: 0, nw: null };
    const first = { ...fix(0, 20, -60), seas12ftKm };
    const entry = stormEntry(bulletin({ observed: [first, fix(6, 21, -61)] }), context);
    expect(contract.parse(entry)).toEqual(entry);
    expect(entry.units.sea_radii_km).toBe("km");
    expect(entry.tracks.observed.map(({ sea_radii_km }) => sea_radii_km)).toEqual([
      { "12ft": { ne: 333.4, se: 222.2, sw: 0, nw: null } },
      undefined,
    ]);
    const without = stormEntry(bulletin({ observed: [fix(0, 20, -60)] }), context);
    expect(JSON.stringify(without)).not.toContain("sea_radii_km");
  });

  it("takes the basin from the storm's id, and the season from its number", () => {
    const of = (basin: string, more = {}) => stormEntry(bulletin({ basin, ...more }), context);
    expect(of("AL")).toMatchObject({ id: "AL012026", basin: "north_atlantic", year: 2026 });
    expect(of("EP", { number: 92 })).toMatchObject({ id: "EP922026", basin: "east_pacific" });
    expect(of("CP").basin).toBe("central_pacific");
    expect(of("IO").basin).toBe("north_indian");
    expect(of("SL").basin).toBe("south_atlantic");
    expect(of("SH", { subregion: "S", season: 2027 })).toMatchObject({
      id: "SH012027",
      basin: "south_indian",
    });
    expect(of("SH", { subregion: "P" }).basin).toBe("south_pacific");
    expect(of("SH", { observed: [fix(0, -15, 134)] }).basin).toBe("south_indian");
    expect(of("SH", { observed: [fix(0, -15, 136)] }).basin).toBe("south_pacific");
    expect(of("SH", { observed: [fix(0, -15, -170)] }).basin).toBe("south_pacific");
  });

  it("has the feed's name; unnamed, jtwc's has its designator and jma's none", () => {
    const of = (more: object) => stormEntry(bulletin({ name: null, ...more }), context).name;
    expect(of({ name: "SURIGAE" })).toBe("SURIGAE");
    expect(of({ number: 25, subregion: "W" })).toBe("25W");
    expect(of({ number: 92, isInvest: true })).toBe("INVEST");
    expect(of({ provider: "jma", number: 91, isInvest: true })).toBeNull();
  });

  it("bounds the whole track, and its box crosses the antimeridian if the track does", () => {
    const entry = stormEntry(bulletin({ forecast }), context);
    expect(entry.track_bbox).toEqual({ s: 19, n: 24, w: 178, e: -172 });
  });

  it("keeps an older bulletin's values of a fix of which the new one has only the place, unless it was relocated", () => {
    const earlier = stormEntry(
      bulletin({
        observed: [fix(0, 20, 180, { radiiKm: { 34: { ne: 100, se: 0, sw: 0, nw: 0 } }, stage: "TY" })],
      }),
      context,
    );
    const bare = { vmaxKt: null, mslpHpa: null };
    const next = (latitude: number) =>
      stormEntry(bulletin({ observed: [fix(0, latitude, 180, bare), fix(3, 20.5, 180.5 - 360)] }), {
        ...context,
        previous: earlier,
      }).tracks.observed[0];
    expect(next(20)).toEqual(earlier.tracks.observed[0]);
    expect(next(20.5)).toMatchObject({ vmax_kt: null, category: null, wind_radii_km: null });
  });

  it("is refused for a bulletin without a position", () => {
    expect(() => stormEntry(bulletin({ observed: [] }), context)).toThrow(/WP012026 has neither/);
  });
});

describe("a storm", () => {
  const ended = (more: object, now = BASE + 4 * HOUR) =>
    !stormEntry(bulletin({ forecast, ...more }), { now, generatedAt: now }).is_active;

  it("ends with its provider's final bulletin, and then has neither forecast nor cone", () => {
    const entry = stormEntry(bulletin({ forecast, isFinal: true }), context);
    expect(entry.is_active).toBe(false);
    expect(entry.tracks).not.toHaveProperty("forecast");
    expect(entry).not.toHaveProperty("cone");
  });

  it("ends after 24 h without a bulletin, an invest 18 h after the newest text that names it", () => {
    expect(ended({}, BASE + 24 * HOUR)).toBe(false);
    expect(ended({}, BASE + 24 * HOUR + 1)).toBe(true);
    const invest = { isInvest: true, issued: BASE + 5 * HOUR };
    expect(ended(invest, BASE + 23 * HOUR)).toBe(false);
    expect(ended(invest, BASE + 23 * HOUR + 1)).toBe(true);
  });
});

describe("a forecast", () => {
  it("is timed from its base, and at hour 0 has the motion of the newest fix", () => {
    const { observed, forecast: made } = stormEntry(bulletin({ forecast }), context).tracks;
    expect(made!.issued_at).toBe(BASE);
    expect(made!.points.map(({ time, fhr }) => time - 3600 * fhr)).toEqual([BASE, BASE, BASE, BASE]);
    expect(made!.points[0]!.heading_deg).toBe(observed.at(-1)!.heading_deg);
    expect(made!.points[0]!.speed_kmh).toBe(observed.at(-1)!.speed_kmh);
    expect(made!.points[1]!.heading_deg).toBeCloseTo(62, 0);
  });

  it("has the radii of the borrowed table at its hours, none at hour 0 and null after day 5", () => {
    const points = [...forecast.points, ahead(120, 30, -160), ahead(144, 31, -158)];
    const entry = stormEntry(bulletin({ forecast: { ...forecast, points } }), context);
    expect(entry.tracks.forecast!.points.map((point) => point.cone_radius_km)).toEqual([
      undefined,
      46.3,
      72.2,
      114.8,
      370.4,
      null,
    ]);
    expect(entry.cone!.circles.map(({ fhr }) => fhr)).toEqual([12, 24, 48, 120]);
    expect(entry.cone).toMatchObject({ source: "borrowed_nhc", source_basin: "north_atlantic", year: 2026 });
  });

  it("of jma has its own circles, null for an hour without one", () => {
    const points = [ahead(0, 20, 180), ahead(1, 20.1, -179.8), ahead(24, 22, -176, { circleKm: 83.34 })];
    const entry = stormEntry(bulletin({ provider: "jma", forecast: { base: BASE, points } }), context);
    expect(entry.tracks.forecast!.points.map((point) => point.cone_radius_km)).toEqual([
      undefined,
      null,
      83.3,
    ]);
    expect(entry.cone).toMatchObject({
      source: "jma",
      source_basin: null,
      year: null,
      radii_table_km: null,
      circles: [{ fhr: 24, r_km: 83.3 }],
      envelope_polygon: null,
    });
  });

  it("of hour 0 alone has no cone", () => {
    const entry = stormEntry(bulletin({ forecast: { base: BASE, points: [ahead(0, 20, 180)] } }), context);
    expect(entry.tracks.forecast!.points).toHaveLength(1);
    expect(entry).not.toHaveProperty("cone");
  });
});

describe("a cone", () => {
  it("contains every circle and the centre at hour 0, also across the antimeridian", () => {
    const entry = stormEntry(bulletin({ forecast }), context);
    const ring = entry.cone!.envelope_polygon!.map(ofWire);
    expect(ring.at(-1)).toEqual(ring[0]);
    expect(inRing(ring, { latitude: 20, longitude: 180 })).toBe(true);
    for (const circle of entry.cone!.circles) {
      for (let bearing = 0; bearing < 360; bearing += 15) {
        expect(inRing(ring, destination(ofWire(circle), bearing, circle.r_km - 1))).toBe(true);
      }
    }
    expect(ring.some(({ longitude }) => longitude > 179)).toBe(true);
    expect(ring.some(({ longitude }) => longitude < -179)).toBe(true);
    // A straight track needs its two ends.
    expect(entry.cone!.center_line).toEqual([
      { lat: 20, lon: 180 },
      { lat: 24, lon: -172 },
    ]);
  });

  it("begins at the newest fix if the forecast has no hour 0", () => {
    const given = { base: BASE, points: forecast.points.slice(1) };
    const entry = stormEntry(bulletin({ forecast: given }), context);
    const ring = entry.cone!.envelope_polygon!.map(ofWire);
    expect(inRing(ring, { latitude: 20, longitude: 180 })).toBe(true);
  });

  it("of jma has an outline for the map, from its own circles", () => {
    const points = forecast.points.map((point) => ({ ...point, circleKm: point.fhr ? 100 : null }));
    const entry = stormEntry(bulletin({ provider: "jma", forecast: { ...forecast, points } }), context);
    expect(entry.cone!.envelope_polygon).toBeNull();
    expect(inRing(coneOutline(entry)!, { latitude: 24.8, longitude: -172 })).toBe(true);
    expect(coneOutline(stormEntry(bulletin(), context))).toBeNull();
  });
});
