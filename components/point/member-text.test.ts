import { fromKnots } from "@open-metocean/geo/knots";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilOf, type Zone, zoneWith } from "#components/view-state/civil.ts";
import { HOUR_S } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { ensembleOf } from "#test/ensemble-series.ts";
import { clockEdges, memberText } from "./member-text.ts";

type MemberZone = Zone<"ensemble">;

/** Sun 25 Oct 2026 00:00 UTC; in central Europe the clock is set back an hour later. */
const midnight = Date.UTC(2026, 9, 25) / 1000;
const zoneOf = (offset: (time: number) => number, words = en) => zoneWith(offset, words) as MemberZone;
const europe = zoneOf((time) => (time < midnight + HOUR_S ? 2 : 1) * HOUR_S);
const utc = zoneOf(() => 0);
const zones = [europe, utc, ...[5.5, 12, -9, -3.5, 14].map((ahead) => zoneOf(() => ahead * HOUR_S))];

const STEP = 3;
const STEPS = 40;

/** Winds of each member, knots, every three hours from midnight; null for unknown. */
type Winds = readonly (readonly (number | null)[])[];

const calm = (members: number): (number | null)[][] =>
  Array.from({ length: members }, () => Array.from({ length: STEPS }, () => 12));

const text = (
  winds: Winds,
  {
    now = midnight,
    zone = utc,
    units = defaultUnits,
    ...more
  }: Partial<Parameters<typeof ensembleOf>[1]> & {
    now?: number;
    zone?: MemberZone;
    units?: typeof defaultUnits;
  } = {},
) =>
  memberText(ensembleOf(winds, { midnight, step: STEP, ...more }), now, units, zone)?.replaceAll(
    "\u2060",
    "",
  );

describe("the sentence about members", () => {
  it("has the highest limit that members reach, with their count, and when the most have it", () => {
    const winds = calm(31);
    for (let member = 0; member < 12; member++) winds[member]![30 + (member % 2)] = 36;
    for (let member = 0; member < 31; member++) winds[member]![20] = 25;
    expect(text(winds)).toBe("34 kn: 12 of 31 members, most likely Wed 18:00–24:00; 22 kn: 31 of 31.");
  });

  it("counts members that have a gale at different hours, not the largest share of an hour", () => {
    const winds = calm(31);
    for (let member = 0; member < 9; member++) winds[member]![2 * member + 3] = 36;
    expect(text(winds)).toBe("34 kn: 9 of 31 members, most likely Sun 06:00 – Tue 12:00; 22 kn: 9 of 31.");
  });

  it("has at most three limits, each once, and all members where all have them", () => {
    const winds = calm(3).map((hours) => hours.map(() => 50));
    expect(text(winds)).toBe(
      "48 kn: 3 of 3 members, most likely Sun 00:00 – Thu 22:00; 34 kn: 3 of 3, 22 kn: 3 of 3.",
    );
  });

  it("says up to when no member has a strong wind", () => {
    expect(text(calm(31))).toBe("No member reaches 22 kn before Thu 21:00.");
  });

  it("names the members that have arrived, and those that have a value here", () => {
    const winds = calm(28);
    winds[0]![9] = 36;
    expect(text(winds, { size: 31 })).toBe(
      "34 kn: 1 of the 28 members that have arrived, most likely Mon 00:00–06:00; 22 kn: 1 of 28.",
    );
    expect(text(calm(28), { size: 31 })).toBe(
      "None of the 28 members that have arrived reaches 22 kn before Thu 21:00.",
    );
    const partial = calm(31);
    partial[3] = partial[3]!.map(() => null);
    expect(text(partial)).toBe("None of the 30 members with a value here reaches 22 kn before Thu 21:00.");
  });

  it("says nothing where no member has a value, and where the run keeps no members", () => {
    expect(text(calm(5).map((hours) => hours.map(() => null)))).toBeUndefined();
    expect(text(calm(5), { from: "statistics" })).toBeUndefined();
  });

  it("leaves out past hours, and those that an older run with other members answers", () => {
    const winds = calm(5);
    winds[0]![1] = 40;
    winds[1]![30] = 40;
    expect(text(winds)).toMatch(/^34 kn: 2 of 5/);
    expect(text(winds, { now: midnight + 9 * HOUR_S })).toMatch(/^34 kn: 1 of 5/);
    expect(text(winds, { newest: 20 })).toMatch(/^34 kn: 1 of 5/);
  });

  it("writes limits in the chosen unit, and names the day of the month a week ahead", () => {
    const winds = calm(2).map((hours) => [...hours, ...hours]);
    winds[0]![70] = 36;
    expect(text(winds, { units: { ...defaultUnits, speed: "m/s" } })).toBe(
      "17.5 m/s: 1 of 2 members, most likely Mon 2 18:00–24:00; 11.3 m/s: 1 of 2.",
    );
  });

  it.each([
    [de, "34 kn: 1 von 31 Mitgliedern, am wahrscheinlichsten Mo 00:00–06:00; 22 kn: 1 von 31."],
    [fr, "34 nd : 1 sur 31 membres, surtout lun. 00:00–06:00 ; 22 nd : 1 sur 31."],
    [es, "34 kn: 1 de 31 miembros, sobre todo lun 00:00–06:00; 22 kn: 1 de 31."],
    [pt, "34 kn: 1 de 31 membros, sobretudo seg 00:00–06:00; 22 kn: 1 de 31."],
    [ja, "34 kt：31 メンバー中 1、最も多いのは月 00:00〜06:00、22 kt：31 中 1。"],
    [zh, "34 节：31 个成员中有 1 个，最多在周一 00:00–06:00；22 节：31 个中有 1 个。"],
  ])("is a sentence of each language, whose hours stay on one line", (words, expected) => {
    const winds = calm(31);
    winds[0]![9] = 36;
    const zone = zoneOf(() => 0, words);
    expect(text(winds, { zone })?.replaceAll(/[\u00a0\u202f]/g, " ")).toBe(expected);
    const written = memberText(ensembleOf(winds, { midnight, step: STEP }), midnight, defaultUnits, zone);
    expect(written).toMatch(/00:00\u2060[–〜]\u206006:00/);
  });
});

const wind = fc.constantFrom(0, 10, 21.9, 22.1, 30, 33.9, 34.1, 47.9, 48.1, 60, null);
const randomWinds = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 2, max: 30 }))
  .chain(([members, steps]) =>
    fc.array(fc.array(wind, { minLength: steps, maxLength: steps }), {
      minLength: members,
      maxLength: members,
    }),
  );

it("is true in every hour and place: its numbers are those of a plain count of members", () => {
  fc.assert(
    fc.property(randomWinds, fc.nat(zones.length - 1), fc.nat(60), (winds, at, hours) => {
      const zone = zones[at]!;
      const now = midnight + hours * HOUR_S;
      const said = text(winds, { now, zone });
      const known = winds.map((member) =>
        member
          .map((value, step) => ({ value, time: midnight + step * STEP * HOUR_S }))
          .filter(({ time }) => time >= now),
      );
      const has = (member: (typeof known)[number], limit: number) =>
        member.some(({ value }) => value !== null && fromKnots(value) > fromKnots(limit));
      const silent = known[0]!.filter((_, step) => known.every((member) => member[step]!.value === null));
      const silentTimes = new Set(silent.map(({ time }) => time));
      const isKnown = (member: (typeof known)[number], limit: number) =>
        has(member, limit) || member.every(({ value, time }) => value !== null || silentTimes.has(time));
      const count = (limit: number) => known.filter((member) => has(member, limit)).length;
      const highest = [48, 34, 22].find((limit) => count(limit) > 0);
      if (known[0]!.length === silentTimes.size) {
        expect(said).toBeUndefined();
        return;
      }
      if (highest === undefined) {
        const clear = known.filter((member) => isKnown(member, 22)).length;
        if (clear === 0) expect(said).toBeUndefined();
        else expect(said).toMatch(/^No(ne of the \d+)? member/);
        return;
      }
      const of = known.filter((member) => isKnown(member, highest)).length;
      expect(said).toMatch(new RegExp(`^${highest} kn: ${count(highest)} of (the )?${of} members?`));
      for (const limit of [34, 22])
        if (limit < highest && count(22) > 0) {
          const among = known.filter((member) => isKnown(member, limit)).length;
          expect(said).toContain(`${limit} kn: ${count(limit)} of ${among}`);
        }
    }),
  );
});

it.each(zones)(
  "parts of days begin at 0, 6, 12 and 18 hours of the clock, also where it is set back",
  (zone) => {
    const edges = clockEdges(midnight - 5 * HOUR_S, midnight + 50 * HOUR_S, zone);
    for (const edge of edges.slice(1, -1)) expect(civilOf(edge, zone).hour % 6).toBe(0);
    for (const [index, edge] of edges.slice(1).entries()) {
      expect(edge).toBeGreaterThan(edges[index]!);
      expect(edge - edges[index]!).toBeLessThanOrEqual(7 * HOUR_S);
    }
  },
);
