import { normaliseLongitude } from "@open-metocean/geo/grid";
import { inRing } from "@open-metocean/geo/ring";
import { destination } from "@open-metocean/geo/sphere";
import { stormOutlooks } from "@open-metocean/storms/schema";
import { ofWire } from "@open-metocean/storms/wire";
import { describe, expect, it } from "vitest";
import { smoothWind } from "#server/demo/fields/wind.ts";
import { landMask } from "#server/demo/static/relief.ts";
import type { World } from "#server/demo/static/world.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import { box } from "#test/demo-world.ts";
import { cyclones, KNOT, stormOf, stormSlots, stormState } from "./cyclones.ts";
import { feedTexts } from "./feed.ts";
import { windRadii } from "./fixes.ts";
import { demoJma } from "./jma.ts";

const HOUR = 3600;
const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const start = Date.parse("2024-01-01T00:00:00Z") / 1000;
/** Every hour of the day and every phase of a cycle, throughout a year. */
const moments = Array.from({ length: 35 }, (_, step) => now + step * 253 * HOUR);

describe("tracks", () => {
  it("include strong storms in the months of their basin, one or two at almost any time of the year", () => {
    const counts = [0, 0, 0, 0];
    for (let day = 0; day < 5 * 365; day++) {
      const time = start + day * 24 * HOUR;
      const month = new Date(time * 1000).getUTCMonth() + 1;
      let seasons = 0;
      for (const slot of stormSlots) {
        const state = stormState(1, stormOf(slot, time), time)!;
        expect(state.windKnots).toBeGreaterThanOrEqual(14);
        expect(state.windKnots).toBeLessThan(125);
        if (slot === "south") expect(state.latitude).toBeLessThan(0);
        if (stormState(1, state.storm, state.storm.begins + 7 * 24 * HOUR)!.windKnots > 34) seasons++;
        if (state.windKnots < 34) continue;
        if (slot === "south") expect([11, 12, 1, 2, 3, 4, 5]).toContain(month);
        if (slot === "atlantic") expect([7, 8, 9, 10, 11]).toContain(month);
        if (slot === "antimeridian") expect([1, 2, 3]).not.toContain(month);
      }
      counts[seasons]!++;
    }
    expect(counts[0]! / (5 * 365)).toBeLessThan(0.1);
    expect(counts[3]! / (5 * 365)).toBeLessThan(0.03);
  });

  it("cross 180° within the observed track and the five days to come, throughout the antimeridian storm's life", () => {
    for (const time of moments) {
      const storm = stormOf("antimeridian", time);
      expect(stormState(1, storm, storm.begins)!.longitude).toBeLessThan(0);
      expect(stormState(1, storm, storm.begins + 120 * HOUR)!.longitude).toBeGreaterThan(0);
    }
  });
});

describe("the wind of a tropical cyclone", () => {
  const land = landMask().map(() => 0);
  /** The same air over a planet without land, for rules about the open sea. */
  const water = {
    seed: 1,
    static: { land, coastDistance: new Float32Array(land.length).fill(1000) },
  } as World;
  const january = Date.parse("2026-01-20T12:00:00Z") / 1000;
  const strong = [now, january]
    .flatMap((from) => [0, 2, 4, 6, 8].map((day) => from + day * 24 * HOUR))
    .flatMap((at) => cyclones(1, at).filter((one) => one.windKnots > 40));
  const speeds = (grid: ReturnType<typeof box>, time: number) => {
    const { eastward, northward } = smoothWind(water, { grid, time });
    return eastward.map((u, at) => Math.hypot(u, northward[at]!));
  };

  it("is what its track says, within 3 kt, and rotates in the direction of its hemisphere", () => {
    expect(new Set(strong.map(({ latitude }) => Math.sign(latitude)))).toEqual(new Set([1, -1]));
    for (const { latitude, longitude, time, windKnots, coreRadius } of strong) {
      const near = speeds(box(latitude - 1.5, longitude - 2, 0.025, 121, 161), time);
      const greatest = near.reduce((most, speed) => Math.max(most, speed), 0);
      expect(Math.abs(greatest / KNOT - windKnots)).toBeLessThan(3);
      const wide = (1.2 * coreRadius) / 105;
      const [west, east] = [-wide, wide].map(
        (off) => smoothWind(water, { grid: box(latitude, longitude + off, 1, 1, 1), time }).northward[0]!,
      );
      expect(Math.sign(east! - west!)).toBe(Math.sign(latitude));
    }
  });

  it("reaches gale force out to the radii of the decks, within 5 nautical miles", () => {
    for (const one of strong.filter((_, index) => index % 3 === 0)) {
      const [gales] = windRadii(1, one, [34]);
      const [step, half] = [0.05, 180];
      const size = 2 * half + 1;
      const grid = box(one.latitude - half * step, one.longitude - half * step, step, size, size);
      const around = speeds(grid, one.time);
      const far = { ne: 0, se: 0, sw: 0, nw: 0 };
      for (let towards = 1; towards < 360; towards += 2) {
        const quadrant = (["ne", "se", "sw", "nw"] as const)[Math.floor(towards / 90)]!;
        let gale = 0;
        for (let miles = 10; miles < 500; miles++) {
          const place = destination(one, towards, miles * 1.852);
          const row = Math.round((place.latitude - grid.latitude.start) / step);
          const column = Math.round(normaliseLongitude(place.longitude - grid.longitude.start) / step);
          if (around[row * size + column]! >= 34 * KNOT) gale = miles;
          else if (gale > 0 || miles > 100) break;
        }
        far[quadrant] = Math.max(far[quadrant], gale);
      }
      for (const quadrant of ["ne", "se", "sw", "nw"] as const)
        expect(Math.abs((gales?.[quadrant] ?? 0) / 1.852 - far[quadrant]), quadrant).toBeLessThan(5);
    }
  });
});

it("texts are read without a problem; the eastern Pacific's invest has an area and an alert", () => {
  for (const time of moments.slice(0, 9)) {
    const input = {
      provider: "jtwc",
      texts: feedTexts("jtwc", time, { seed: 1 }),
      previous: [],
      now: time,
    } as const;
    const { areas, storms, problems, failures } = deriveStorms(input);
    // The last warning on a storm that has ended may be old.
    expect(problems.filter(({ source }) => !source.endsWith(".tcw"))).toEqual([]);
    expect(failures).toEqual([]);
    const outlooks = stormOutlooks.parse({ results: areas.outlooks }).results;
    expect(outlooks.at(-1)).toMatchObject({
      product: "ABPW10",
      areas: [{ storm_id: null, designation: null }],
    });
    const invest = storms
      .map(({ entry }) => entry)
      .find(({ id, is_active }) => id.startsWith("EP") && is_active)!;
    expect(outlooks).toHaveLength(2);
    const { formation_alert: alert, development, tracks, id } = invest;
    expect(outlooks[0]).toMatchObject({ product: "gtwo_pac", areas: [{ storm_id: id }] });
    const { polygon, percent_7d } = outlooks[0]!.areas[0]!;
    expect(development).toMatchObject({ percent_7d, within_hours: 168 });
    expect(alert!.valid_until - alert!.issued_at).toBe(24 * HOUR);
    const centre = ofWire(tracks.observed.at(-1)!);
    expect(inRing(alert!.corridor.map(ofWire), centre)).toBe(true);
    expect(inRing(polygon!.map(ofWire), centre)).toBe(true);
  }
});

describe("JMA's files", () => {
  const read = (time: number) =>
    Object.fromEntries(
      Object.entries(demoJma(1, time)).map(([name, text]) => [name, JSON.parse(text) as Part[]]),
    );
  interface Part {
    tropicalCyclone?: string;
    typhoonNumber?: string;
    [key: string]: unknown;
  }
  it("list a storm west of 180°, and always a depression without a name and a wind", () => {
    let typhoons = 0;
    for (const time of moments) {
      const files = read(time);
      const listed = files["targetTc.json"]!;
      expect(Object.keys(files)).toHaveLength(1 + 2 * listed.length);
      const depression = files[`${listed.at(-1)!.tropicalCyclone}/specifications.json`]!;
      expect(depression[0]).toMatchObject({ typhoonNumber: "a" });
      expect(depression[0]).not.toHaveProperty("name");
      for (const part of depression.slice(1)) expect(part).not.toHaveProperty("maximumWind");
      typhoons += listed.length - 1;
    }
    // A typhoon is in the area for about two thirds of its cycle.
    expect(typhoons / moments.length).toBeGreaterThan(0.5);
    expect(typhoons / moments.length).toBeLessThan(0.85);
  });
});
