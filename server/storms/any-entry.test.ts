import fc from "fast-check";
import { expect, it } from "vitest";
import { stormEntry as contract } from "#lib/contract/storms.ts";
import { coneOutline } from "#lib/storms/cone.ts";
import { dangerArea } from "#lib/storms/danger.ts";
import { BASE } from "#test/storm-feed.ts";
import type { Bulletin } from "./bulletin.ts";
import { stormEntry } from "./entry.ts";

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
