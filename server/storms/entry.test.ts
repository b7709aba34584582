import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stormEntry as contract } from "#lib/contract/storms.ts";
import { discBox } from "#lib/geo/box.ts";
import { inRing } from "#lib/geo/ring.ts";
import { coneOutline } from "#lib/storms/cone.ts";
import { dangerArea } from "#lib/storms/danger.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { deckRow } from "#server/storms/parse/deck.ts";
import { parseText } from "#server/storms/parse/text.ts";
import { describeWithSamples } from "#test/samples.ts";
import { ahead, BASE, bulletin, fix, forecast } from "#test/storm-feed.ts";
import type { Bulletin, Provider } from "./bulletin.ts";
import { affectance, estimatedKm, motionAlong, stormCategory, stormEntry, stormType } from "./entry.ts";
import { jtwcBulletins } from "./from-jtwc.ts";

const HOUR = 3600;
const context = { now: BASE + 4 * HOUR, generatedAt: BASE + 4 * HOUR };

describe("an entry", () => {
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
});

describe("a storm", () => {
  const ended = (more: object, now = BASE + 4 * HOUR) =>
    !stormEntry(bulletin({ forecast, ...more }), { now, generatedAt: now }).is_active;

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
});

describe("a cone", () => {
  it("begins at the newest fix if the forecast has no hour 0", () => {
    const given = { base: BASE, points: forecast.points.slice(1) };
    const entry = stormEntry(bulletin({ forecast: given }), context);
    const ring = entry.cone!.envelope_polygon!.map(ofWire);
    expect(inRing(ring, { latitude: 20, longitude: 180 })).toBe(true);
  });
});

const at = (hour: number, latitude: number, longitude: number) => ({
  time: hour * HOUR,
  latitude,
  longitude,
});

describe("motion", () => {
  it("is the final bearing of the great circle, and distance over time", () => {
    const [first, second] = motionAlong([at(0, 0, 179.5), at(6, 0, -179.5)], "jtwc");
    expect(first).toBeNull();
    expect(second!.heading).toBeCloseTo(90, 9);
    expect(second!.speed).toBeCloseTo(111.19 / 6, 2);
    // Along a parallel in the north a great circle arrives heading south of east.
    expect(motionAlong([at(0, 60, 0), at(6, 60, 10)], "jtwc")[1]!.heading).toBeCloseTo(94.3, 1);
  });

  it("of a stationary storm is 0 km/h, with its last heading", () => {
    const still = motionAlong([at(0, 20, 130), at(6, 21, 130), at(12, 21, 130), at(18, 21, 130)], "jtwc");
    expect(still.slice(1).map((motion) => motion!.speed > 0)).toEqual([true, false, false]);
    for (const motion of still.slice(1)) expect(motion!.heading).toBeCloseTo(0, 9);
  });

  it("of jma is taken from the fix nearest to 6 h before", () => {
    // A jump of 0.1° an hour before would change the heading.
    const track = [at(0, 20, 130), at(3, 20.5, 130), at(5, 20.9, 130), at(6, 21, 130.1)];
    expect(motionAlong(track, "jma").at(-1)!.speed).toBeCloseTo(111.7 / 6, 0);
    expect(motionAlong(track, "jtwc").at(-1)!.speed).toBeGreaterThan(14);
    expect(motionAlong(track.slice(2), "jma").at(-1)!.heading).toBeGreaterThan(30);
  });
});

describeWithSamples("against the columns of real decks", (samples) => {
  it("agrees with the published headings and speeds", () => {
    const turns: number[] = [];
    const speeds: number[] = [];
    const folder = join(samples, "atcf/bdeck");
    for (const name of readdirSync(folder)) {
      const published = new Map<number, { heading: number; knots: number }>();
      const track = new Map<number, ReturnType<typeof at>>();
      for (const line of readFileSync(join(folder, name), "utf8").split(/\r?\n/)) {
        const columns = line.split(",").map((column) => column.trim());
        if (columns[4] !== "BEST" || columns[6] === "" || columns[3] !== "") continue;
        const { base: time, fix } = deckRow(line);
        track.set(time, { time, latitude: fix.latitude, longitude: fix.longitude });
        const [heading, knots] = [Number(columns[25]), Number(columns[26])];
        if (knots > 0) published.set(time, { heading, knots });
      }
      const fixes = [...track.values()];
      const motions = motionAlong(fixes, "jtwc");
      for (const [index, { time }] of fixes.entries()) {
        const expected = published.get(time);
        const motion = motions[index];
        // The columns are over 6 h, so pairs with another interval differ.
        if (!expected || !motion || time - fixes[index - 1]!.time !== 6 * HOUR) continue;
        turns.push(Math.abs(((expected.heading - motion.heading + 540) % 360) - 180));
        speeds.push(Math.abs(expected.knots * 1.852 - motion.speed));
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

const none = { ne: 0, se: 0, sw: 0, nw: 0 };

describe("an affectance box", () => {
  it("follows the lowest threshold by quadrant and is not an estimate", () => {
    const radii = { 34: { ne: 300, se: 200, sw: 100, nw: 150 }, 50: { ne: 500, se: 500, sw: 500, nw: 500 } };
    const { box, estimated } = affectance(fix(0, 20, 130, { radiiKm: radii }), "jtwc");
    expect(estimated).toBe(false);
    expect(box.north).toBeCloseTo(20 + 300 / 111.19, 2);
    expect(box.south).toBeCloseTo(20 - 200 / 111.19, 2);
    expect(130 - box.west).toBeLessThan(box.east - 130);
  });

  it("takes a blank quadrant among others as no wind, and four zeros as not given", () => {
    const partly = { 34: { ne: 300, se: null, sw: null, nw: null } };
    expect(affectance(fix(0, 20, 130, { radiiKm: partly }), "jtwc").box.south).toBeCloseTo(20 - 0.01, 1);
    for (const radiiKm of [{}, { 34: none }, { 50: { ...none, ne: 90 } }]) {
      expect(affectance(fix(0, 20, 130, { radiiKm }), "jtwc").estimated).toBe(true);
    }
  });

  it("uses 34 kt for jtwc and 30 kt for jma", () => {
    const radiiKm = { 30: { ne: 400, se: 400, sw: 400, nw: 400 } };
    expect(affectance(fix(0, 20, 130, { radiiKm }), "jma")).toEqual({
      box: discBox({ latitude: 20, longitude: 130 }, 400),
      estimated: false,
    });
    expect(affectance(fix(0, 20, 130, { radiiKm }), "jtwc").estimated).toBe(true);
  });
});

describe("an estimate", () => {
  const km = (vmaxKt: number | null, latitude = 20) => estimatedKm({ vmaxKt, latitude }, "jtwc");

  it("grows with wind and latitude in both hemispheres, between 75 and 600 km", () => {
    const winds = [20, 35, 50, 65, 100, 130];
    for (const [index, wind] of winds.entries()) {
      if (index > 0) expect(km(wind)).toBeGreaterThan(km(winds[index - 1]!));
      expect(km(wind, 40)).toBeGreaterThan(km(wind, 10));
      expect(km(wind, -25)).toBe(km(wind, 25));
    }
    expect(km(5)).toBe(75);
    expect(km(180, 70)).toBe(600);
    expect(km(null)).toBe(km(25));
  });

  // Medians of the largest quadrant over 1,808 real fixes, nautical miles.
  it.each([
    [50, 110],
    [60, 110],
    [70, 120],
    [80, 135],
    [90, 155],
    [110, 150],
  ])("at %s kt is near what storms of that wind have, %s n mi", (wind, miles) => {
    expect(Math.abs(km(wind, 22) / 1.852 - miles)).toBeLessThan(0.25 * miles);
  });

  it("for jma follows its larger 30-kt areas", () => {
    expect(estimatedKm({ vmaxKt: 50, latitude: 20 }, "jma")).toBeCloseTo(200 * 1.852, 9);
  });
});

const type = (stage: string | null, vmaxKt: number | null, provider: Provider = "jtwc", isInvest = false) =>
  stormType({ provider, isInvest }, { stage, vmaxKt });

it("maps every stage of the decks to a type of the API", () => {
  const words = { DB: "DB WV MD", TD: "TD SD", TS: "TS SS", HU: "HU TY ST", PT: "EX PT ET", LO: "LO DS" };
  for (const [expected, stages] of Object.entries(words)) {
    for (const stage of stages.split(" ")) expect(type(stage, 70)).toBe(expected);
  }
});

it.each([
  [33, "TD"],
  [34, "TS"],
  [63, "TS"],
  [64, "HU"],
  [null, null],
])("derives the type of an unspecific stage from its wind: %s kt is %s", (wind, expected) => {
  for (const stage of ["TC", "IN", "XX", null]) expect(type(stage, wind)).toBe(expected);
});

it.each([
  [64, 1],
  [82, 1],
  [83, 2],
  [95, 2],
  [96, 3],
  [112, 3],
  [113, 4],
  [136, 4],
  [137, 5],
])("puts %s kt in category %s", (wind, category) => {
  expect(stormCategory("HU", wind)).toBe(category);
  expect(stormCategory(null, wind)).toBe(category);
});

it("has category 0 for everything but hurricanes, and none without a wind", () => {
  for (const other of ["DB", "TD", "TS", "PT", "LO"] as const) expect(stormCategory(other, 70)).toBe(0);
  expect(stormCategory(null, 63)).toBe(0);
  expect(stormCategory("HU", null)).toBeNull();
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
    const fixes = past.map(({ hour, ...fix }) => ({ ...fix, time: BASE + 3600 * hour }));
    const points = ahead?.map(({ hour, ...fix }) => ({
      ...fix,
      time: BASE + 3600 * hour,
      fhr: hour,
      circleKm,
    }));
    return { ...rest, observed: fixes, ...(points ? { forecast: { base: BASE, points } } : {}) };
  });

it("derives an entry that matches the published schema from any bulletin, anywhere on the globe", () => {
  fc.assert(
    fc.property(bulletins, (bulletin) => {
      const entry = stormEntry(bulletin, { now: BASE, generatedAt: BASE });
      const result = contract.safeParse(entry);
      expect(
        result.success ? [] : result.error.issues.map(({ path, message }) => `${path}: ${message}`),
      ).toEqual([]);
      for (const ring of [coneOutline(entry), dangerArea(entry, "classic")?.outline]) {
        if (!ring) continue;
        expect(ring.length).toBeLessThanOrEqual(120);
        expect(ring[0]).toEqual(ring.at(-1));
        for (const { latitude, longitude } of ring) {
          expect(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180).toBe(true);
        }
      }
    }),
    { numRuns: 120, seed: 20_261_121 },
  );
});

describeWithSamples("with the real samples", (samples) => {
  const folders = ["atcf/adeck", "atcf/bdeck", "jtwc", "jma/bulletins", "jma/xml"];
  it.each(folders)("every report of %s has an entry that matches the published schema", (folder) => {
    let entries = 0;
    for (const name of readdirSync(join(samples, folder))) {
      const file = join(samples, folder, name);
      if (!statSync(file).isFile()) continue;
      const now = Date.parse("2026-09-25T15:30:00Z") / 1000;
      for (const report of parseText(file, readFileSync(file, "utf8"), now).reports) {
        if (report.observed.length === 0 && !report.forecast) continue;
        const entry = stormEntry(report, { now: report.issued, generatedAt: report.issued });
        const result = contract.safeParse(entry);
        expect(result.success ? "" : `${name} ${entry.id}: ${result.error.issues[0]?.message}`).toBe("");
        if (entry.tracks.forecast && entry.provider === "jtwc" && entry.tracks.forecast.points.length > 1) {
          expect(entry.cone!.envelope_polygon!.length).toBeLessThanOrEqual(120);
        }
        entries++;
      }
    }
    expect(entries).toBeGreaterThan(0);
  });
});

describeWithSamples("decks of one storm", (samples) => {
  it("merges best track, analyses and forecast of Florence under one id", () => {
    const files = [
      "atcf/bdeck/bal062018.dat",
      "atcf/adeck/florence2018_OFCL.dat",
      "atcf/adeck/a-deck_CARQ.22",
    ];
    const now = Date.parse("2018-09-18T15:00:00Z") / 1000;
    const texts = files.map((file) => parseText(file, readFileSync(join(samples, file), "utf8"), now));
    const [florence, ...others] = jtwcBulletins(texts, [], now);
    expect(others).toEqual([]);
    expect(florence).toMatchObject({ basin: "AL", number: 6, season: 2018, name: "FLORENCE" });
    expect(florence!.observed).toHaveLength(79);
    expect(florence!.forecast!.points.map(({ fhr }) => fhr)).toEqual([0, 3, 12]);
  });
});
