import { discBox } from "@open-metocean/geo/box";
import { inRing } from "@open-metocean/geo/ring";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeWithSamples } from "../../test/samples.ts";
import { ahead, BASE, bulletin, fix, forecast } from "../../test/storm-feed.ts";
import { parseReceived, readSample, sampleFiles } from "../../test/storm-texts.ts";
import type { Bulletin, Provider } from "./bulletin.ts";
import { coneOutline } from "./cone.ts";
import { dangerArea } from "./danger.ts";
import { affectance, estimatedKm, motionAlong, stormCategory, stormEntry, stormType } from "./entry.ts";
import { deckRow } from "./parse/deck.ts";
import { stormEntry as contract } from "./schema.ts";
import { ofWire } from "./wire.ts";

const HOUR = 3600;
const context = { now: BASE + 4 * HOUR, generatedAt: BASE + 4 * HOUR };
const entryOf = (more: Partial<Bulletin> = {}) => stormEntry(bulletin(more), context);

describe("an entry", () => {
  it("has the reach of seas of 12 ft where the bulletin gives it, and its unit; otherwise neither", () => {
    const seas12ftKm = { ne: 333.36, se: 222.24, sw: 0, nw: null };
    const { units, tracks } = entryOf({ observed: [{ ...fix(0, 20, -60), seas12ftKm }, fix(6, 21, -61)] });
    expect(units.sea_radii_km).toBe("km");
    expect(tracks.observed[0]!.sea_radii_km).toEqual({ "12ft": { ne: 333.4, se: 222.2, sw: 0, nw: null } });
    expect(tracks.observed[1]).not.toHaveProperty("sea_radii_km");
    expect(JSON.stringify(entryOf())).not.toContain("sea_radii_km");
  });

  it.each<[Partial<Bulletin>, id: string, basin: string]>([
    [{ basin: "AL" }, "AL012026", "north_atlantic"],
    [{ basin: "EP", number: 92 }, "EP922026", "east_pacific"],
    [{ basin: "CP" }, "CP012026", "central_pacific"],
    [{ basin: "IO" }, "IO012026", "north_indian"],
    [{ basin: "SL" }, "SL012026", "south_atlantic"],
    [{ basin: "SH", subregion: "S", season: 2027 }, "SH012027", "south_indian"],
    [{ basin: "SH", subregion: "P" }, "SH012026", "south_pacific"],
    [{ basin: "SH", observed: [fix(0, -15, 134)] }, "SH012026", "south_indian"],
    [{ basin: "SH", observed: [fix(0, -15, 136)] }, "SH012026", "south_pacific"],
    [{ basin: "SH", observed: [fix(0, -15, -170)] }, "SH012026", "south_pacific"],
  ])("takes the basin from the storm's id, and the season from its number: %o", (more, id, basin) => {
    expect(entryOf(more)).toMatchObject({ id, basin, year: Number(id.slice(4)) });
  });

  it("has the feed's name; unnamed, jtwc's has its designator and jma's none", () => {
    const of = (more: object) => entryOf({ name: null, ...more }).name;
    expect(of({ name: "SURIGAE" })).toBe("SURIGAE");
    expect(of({ number: 25, subregion: "W" })).toBe("25W");
    expect(of({ number: 92, isInvest: true })).toBe("INVEST");
    expect(of({ provider: "jma", number: 91, isInvest: true })).toBeNull();
  });

  it("bounds the whole track, and its box crosses the antimeridian if the track does", () => {
    expect(entryOf({ forecast }).track_bbox).toEqual({ s: 19, n: 24, w: 178, e: -172 });
  });

  it("keeps an older bulletin's values of a fix of which the new one has only the place, unless it was relocated", () => {
    const radiiKm = { 34: { ne: 100, se: 0, sw: 0, nw: 0 } };
    const previous = entryOf({ observed: [fix(0, 20, 180, { radiiKm, stage: "TY" })] });
    const next = (latitude: number) => {
      const observed = [fix(0, latitude, 180, { vmaxKt: null, mslpHpa: null }), fix(3, 20.5, -179.5)];
      return stormEntry(bulletin({ observed }), { ...context, previous }).tracks.observed[0];
    };
    expect(next(20)).toEqual(previous.tracks.observed[0]);
    expect(next(20.5)).toMatchObject({ vmax_kt: null, category: null, wind_radii_km: null });
  });

  it.each([
    ["storm", {}, 24],
    ["invest", { isInvest: true, issued: BASE + 5 * HOUR }, 23],
  ])("ends after its silence: a %s", (_, more, hours) => {
    const isActive = (now: number) => stormEntry(bulletin(more), { now, generatedAt: now }).is_active;
    expect([isActive(BASE + hours * HOUR), isActive(BASE + hours * HOUR + 1)]).toEqual([true, false]);
  });
});

describe("a forecast", () => {
  it("is timed from its base, and at hour 0 has the motion of the newest fix", () => {
    const { observed, forecast: made } = entryOf({ forecast }).tracks;
    expect(made!.issued_at).toBe(BASE);
    expect(made!.points.map(({ time, fhr }) => time - 3600 * fhr)).toEqual([BASE, BASE, BASE, BASE]);
    const { heading_deg, speed_kmh } = observed.at(-1)!;
    expect(made!.points[0]).toMatchObject({ heading_deg, speed_kmh });
    expect(made!.points[1]!.heading_deg).toBeCloseTo(62, 0);
  });

  it("has the radii of the borrowed table at its hours, none at hour 0 and null after day 5", () => {
    const points = [...forecast.points, ahead(120, 30, -160), ahead(144, 31, -158)];
    const { cone, tracks } = entryOf({ forecast: { ...forecast, points } });
    const radii = tracks.forecast!.points.map((point) => point.cone_radius_km);
    expect(radii).toEqual([undefined, 46.3, 72.2, 114.8, 370.4, null]);
    expect(cone!.circles.map(({ fhr }) => fhr)).toEqual([12, 24, 48, 120]);
    expect(cone).toMatchObject({ source: "borrowed_nhc", source_basin: "north_atlantic", year: 2026 });
  });

  it("of jma has its own circles, null for an hour without one", () => {
    const points = [ahead(0, 20, 180), ahead(1, 20.1, -179.8), ahead(24, 22, -176, { circleKm: 83.34 })];
    const { cone, tracks } = entryOf({ provider: "jma", forecast: { base: BASE, points } });
    const radii = tracks.forecast!.points.map((point) => point.cone_radius_km);
    expect(radii).toEqual([undefined, null, 83.3]);
    expect(cone).toMatchObject({
      source: "jma",
      source_basin: null,
      year: null,
      radii_table_km: null,
      circles: [{ fhr: 24, r_km: 83.3 }],
      envelope_polygon: null,
    });
  });

  it("without an hour 0 has a cone that begins at the newest fix", () => {
    const { cone } = entryOf({ forecast: { base: BASE, points: forecast.points.slice(1) } });
    expect(inRing(cone!.envelope_polygon!.map(ofWire), { latitude: 20, longitude: 180 })).toBe(true);
  });
});

const at = (hour: number, latitude: number, longitude: number) => ({
  time: hour * HOUR,
  latitude,
  longitude,
});

describe("motion", () => {
  it("is the final bearing of the great circle, and distance over time; of a stationary storm 0 km/h", () => {
    const [first, second] = motionAlong([at(0, 0, 179.5), at(6, 0, -179.5)], "jtwc");
    expect(first).toBeNull();
    expect(second).toEqual({ heading: expect.closeTo(90, 9), speed: expect.closeTo(111.19 / 6, 2) });
    // Along a parallel in the north a great circle arrives heading south of east.
    expect(motionAlong([at(0, 60, 0), at(6, 60, 10)], "jtwc")[1]!.heading).toBeCloseTo(94.3, 1);
    const still = motionAlong([at(0, 20, 130), at(6, 21, 130), at(12, 21, 130)], "jtwc");
    expect(still[2]).toEqual({ heading: expect.closeTo(0, 9), speed: 0 });
  });

  it("of jma is taken from the fix nearest to 6 h before", () => {
    // A jump of 0.1° an hour before would change the heading.
    const track = [at(0, 20, 130), at(3, 20.5, 130), at(5, 20.9, 130), at(6, 21, 130.1)];
    expect(motionAlong(track, "jma").at(-1)!.speed).toBeCloseTo(111.7 / 6, 0);
    expect(motionAlong(track.slice(2), "jma").at(-1)!.heading).toBeGreaterThan(30);
  });
});

describe("an affectance box", () => {
  const box = (radiiKm: Bulletin["observed"][number]["radiiKm"], provider: Provider = "jtwc") =>
    affectance(fix(0, 20, 130, { radiiKm }), provider);

  it("follows the lowest threshold of the provider by quadrant; a blank quadrant among others is no wind", () => {
    const gales = { ne: 300, se: 200, sw: 100, nw: null };
    const { box: sides, estimated } = box({ 34: gales, 50: { ne: 500, se: 500, sw: 500, nw: 500 } });
    expect(estimated).toBe(false);
    expect(sides.north).toBeCloseTo(20 + 300 / 111.19, 2);
    expect(sides.south).toBeCloseTo(20 - 200 / 111.19, 2);
    expect(130 - sides.west).toBeLessThan(sides.east - 130);
    const circle = { ne: 400, se: 400, sw: 400, nw: 400 };
    const disc = discBox({ latitude: 20, longitude: 130 }, 400);
    expect(box({ 30: circle }, "jma")).toEqual({ box: disc, estimated: false });
  });

  it("is an estimate without them: four zeros are not given", () => {
    const none = { ne: 0, se: 0, sw: 0, nw: 0 };
    for (const radiiKm of [{}, { 34: none }, { 50: { ...none, ne: 90 } }, { 30: { ...none, ne: 90 } }])
      expect(box(radiiKm).estimated).toBe(true);
  });

  const km = (vmaxKt: number | null, latitude = 20) => estimatedKm({ vmaxKt, latitude }, "jtwc");

  it("is estimated to grow with wind and latitude in both hemispheres, between 75 and 600 km", () => {
    const winds = [20, 35, 50, 65, 100, 130];
    for (const [index, wind] of winds.entries()) {
      expect(km(wind)).toBeGreaterThan(km(winds[index - 1] ?? 5));
      expect(km(wind, 40)).toBeGreaterThan(km(wind, 10));
      expect(km(wind, -25)).toBe(km(wind, 25));
    }
    expect([km(5), km(180, 70), km(null)]).toEqual([75, 600, km(25)]);
    expect(estimatedKm({ vmaxKt: 50, latitude: 20 }, "jma")).toBeCloseTo(200 * 1.852, 9);
  });

  it("is estimated near the medians of the largest quadrant over 1,808 real fixes, n mi", () => {
    const medians = { 50: 110, 60: 110, 70: 120, 80: 135, 90: 155, 110: 150 };
    for (const [wind, miles] of Object.entries(medians))
      expect(Math.abs(km(Number(wind), 22) / 1.852 - miles)).toBeLessThan(0.25 * miles);
  });
});

it.each<[type: string, stages: string, provider?: Provider]>([
  ["DB", "DB WV MD"],
  ["TD", "TD SD"],
  ["TS", "TS SS"],
  ["HU", "HU TY ST"],
  ["PT", "EX PT ET"],
  ["LO", "LO DS"],
  ["TD", "TD", "jma"],
  ["TS", "TS STS", "jma"],
  ["HU", "TY", "jma"],
  ["PT", "LOW", "jma"],
])("is of type %s at the stages %s", (type, stages, provider = "jtwc") => {
  for (const stage of stages.split(" ")) {
    expect(stormType({ provider, isInvest: false }, { stage, vmaxKt: 60 })).toBe(type);
    expect(stormType({ provider: "jma", isInvest: true }, { stage, vmaxKt: 60 })).toBeNull();
  }
});

it.each([
  [33, "TD", 0],
  [34, "TS", 0],
  [63, "TS", 0],
  [64, "HU", 1],
  [82, "HU", 1],
  [83, "HU", 2],
  [95, "HU", 2],
  [96, "HU", 3],
  [112, "HU", 3],
  [113, "HU", 4],
  [136, "HU", 4],
  [137, "HU", 5],
  [null, null, null],
])("of an unspecific stage has type and category of its wind: %s kt is %s, %s", (wind, type, category) => {
  for (const stage of ["TC", "IN", "XX", null])
    expect(stormType({ provider: "jtwc", isInvest: false }, { stage, vmaxKt: wind })).toBe(type);
  expect([stormCategory(null, wind), stormCategory("PT", wind)]).toEqual([category, wind && 0]);
});

const tenth = (min: number, max: number) =>
  fc.integer({ min: min * 10, max: max * 10 }).map((value) => value / 10);
const km = fc.option(fc.integer({ min: 0, max: 900 }));
const quadrants = fc.record({ ne: km, se: km, sw: km, nw: km });
const stated = {
  latitude: tenth(-90, 90),
  longitude: tenth(-180, 180),
  vmaxKt: fc.option(fc.integer({ min: 5, max: 200 })),
  mslpHpa: fc.option(fc.integer({ min: 850, max: 1040 })),
  stage: fc.option(fc.constantFrom("TS", "TY", "EX", "LOW", "XX", "DB", "??")),
  radiiKm: fc.record({ 30: quadrants, 34: quadrants, 50: quadrants, 64: quadrants }, { requiredKeys: [] }),
};
/** Hours with the values given for each, ascending. */
const series = (min: number, max: number, least: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: least, maxLength: 12 })
    .chain((hours) =>
      fc.tuple(
        ...hours.sort((a, b) => a - b).map((hour) => fc.record({ hour: fc.constant(hour), ...stated })),
      ),
    );

const bulletins: fc.Arbitrary<Bulletin> = fc
  .record({
    provider: fc.constantFrom("jtwc" as const, "jma" as const),
    basin: fc.constantFrom("AL", "EP", "CP", "WP", "IO", "SH", "SL"),
    number: fc.integer({ min: 1, max: 99 }),
    season: fc.integer({ min: 2000, max: 2030 }),
    name: fc.option(fc.constant("DEMOPIER")),
    isInvest: fc.boolean(),
    subregion: fc.option(fc.constantFrom("S", "P", "W")),
    isFinal: fc.boolean(),
    issued: fc.constant(BASE),
    past: series(-72, 0, 1),
    ahead: fc.option(series(0, 168, 0)),
    circleKm: km,
  })
  .map(({ past, ahead, circleKm, ...rest }) => {
    const observed = past.map(({ hour, ...fix }) => ({ ...fix, time: BASE + 3600 * hour }));
    const points = ahead?.map(({ hour: fhr, ...fix }) => ({
      ...fix,
      time: BASE + 3600 * fhr,
      fhr,
      circleKm,
    }));
    return { ...rest, observed, ...(points ? { forecast: { base: BASE, points } } : {}) };
  });

it("matches the published schema for any bulletin, anywhere on the globe; ended it has no forecast and cone", () => {
  fc.assert(
    fc.property(bulletins, (of) => {
      const entry = stormEntry(of, { now: BASE, generatedAt: BASE });
      const issues = contract.safeParse(entry).error?.issues ?? [];
      expect(issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
      if (of.isFinal) expect([entry.cone, entry.tracks.forecast]).toEqual([undefined, undefined]);
      for (const ring of [coneOutline(entry), dangerArea(entry, "classic")?.outline]) {
        if (!ring) continue;
        expect(ring.length).toBeLessThanOrEqual(120);
        expect(ring[0]).toEqual(ring.at(-1));
        for (const { latitude, longitude } of ring)
          expect(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180).toBe(true);
      }
    }),
    { numRuns: 120, seed: 20_261_121 },
  );
});

describeWithSamples("of a real text", (samples) => {
  it.each(["atcf", "jtwc", "jma"])("matches the published schema: %s", (folder) => {
    for (const file of sampleFiles(samples, folder))
      for (const report of parseReceived(file, readSample(samples, file)).reports) {
        if (report.observed.length === 0 && !report.forecast) continue;
        const entry = stormEntry(report, { now: report.issued, generatedAt: report.issued });
        expect([file, contract.safeParse(entry).error?.issues[0]]).toEqual([file, undefined]);
      }
  });

  it("agrees with the headings and speeds that decks publish", () => {
    const turns: number[] = [];
    const speeds: number[] = [];
    for (const file of sampleFiles(samples, "atcf/bdeck")) {
      const rows = readSample(samples, file)
        .split(/\r?\n/)
        .map((line) => ({ line, columns: line.split(",").map((column) => column.trim()) }))
        .filter(({ columns }) => columns[4] === "BEST" && columns[6] !== "" && columns[3] === "");
      const published = new Map(rows.map(({ line, columns }) => [deckRow(line).base, columns]));
      const track = new Map(rows.map(({ line }) => [deckRow(line).base, deckRow(line).fix]));
      const fixes = [...track.values()];
      for (const [index, motion] of motionAlong(fixes, "jtwc").entries()) {
        const { time } = fixes[index]!;
        const [heading, knots] = published.get(time)!.slice(25, 27).map(Number);
        // The columns are over 6 h, so pairs with another interval differ.
        if (!knots || !motion || time - fixes[index - 1]!.time !== 6 * HOUR) continue;
        turns.push(Math.abs(((heading! - motion.heading + 540) % 360) - 180));
        speeds.push(Math.abs(knots * 1.852 - motion.speed));
      }
    }
    const share = (values: number[], part: number) =>
      values.sort((a, b) => a - b)[Math.floor(values.length * part)]!;
    expect(turns.length).toBeGreaterThan(600);
    expect(share(turns, 0.5)).toBeLessThanOrEqual(0.5);
    expect(share(turns, 0.9)).toBeLessThanOrEqual(1.5);
    expect(share(speeds, 0.9)).toBeLessThanOrEqual(1);
  });
});
