import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { type ArrivalWish, arrivedAs } from "./arrival.ts";
import type { PassedGate } from "./gates.ts";

const brest = { latitude: 48.38, longitude: -4.49 };

interface Case {
  from?: typeof brest;
  to?: typeof brest;
  leaves?: string;
  arrives: string;
}

function arrivalOf(
  wish: ArrivalWish,
  { from = brest, to = brest, leaves, arrives }: Case,
  gate?: PassedGate,
) {
  const departure = leaves === undefined ? parseInstant(arrives) - 12 * 3600 : parseInstant(leaves);
  const end = { ...to, time: parseInstant(arrives) };
  const passes = [{ time: departure, waited: 0 }];
  return arrivedAs(wish, { ending: "arrived", end, passes }, { ...from, time: departure }, gate);
}

const by = (instant: string) => ({ by: parseInstant(instant) });

describe("an arrival by a time", () => {
  it("is in time up to that second, and otherwise late by so long", () => {
    const wish = by("2026-09-20T12:00:00Z");
    const early = arrivalOf(wish, { arrives: "2026-09-20T11:20:00Z" });
    expect(early).toMatchObject({ wire: { meets: true, spare_s: 2400 }, missed: undefined });
    expect(arrivalOf(wish, { arrives: "2026-09-20T12:00:00Z" }).wire.meets).toBe(true);
    const late = arrivalOf(wish, { arrives: "2026-09-20T14:10:00Z" });
    expect(late.wire).toMatchObject({ meets: false, spare_s: -7800 });
    expect(late.missed).toMatchObject({
      by: "arrives_late",
      text: "Arrives 2 h 10 min after 2026-09-20T12:00:00Z, the latest wished",
    });
  });

  it("is judged across midnight and New Year", () => {
    const wish = by("2027-01-01T00:30:00Z");
    expect(arrivalOf(wish, { arrives: "2026-12-31T23:50:00Z" }).wire).toMatchObject({ spare_s: 2400 });
    expect(arrivalOf(wish, { arrives: "2027-01-01T00:31:00Z" }).missed?.text).toContain(
      "Arrives 1 min after",
    );
  });
});

describe("an arrival in daylight", () => {
  const wish: ArrivalWish = { daylight: "arrival" };
  const minute = (instant: string | null) =>
    instant && formatInstant(60 * Math.round(parseInstant(instant) / 60)).slice(0, 16);

  // Sunset and sunrise of the tables of the U.S. Naval Observatory.
  it("is before the sunset of the tables, and says when the sun sets and rises next", () => {
    const singapore = { latitude: 1.283333, longitude: 103.833333 };
    const evening = arrivalOf(wish, { to: singapore, arrives: "2020-10-25T10:49:00Z" }).wire;
    expect([evening.meets, minute(evening.sunset)]).toEqual([true, "2020-10-25T10:51"]);
    const dark = arrivalOf(wish, { to: singapore, arrives: "2020-10-25T10:53:00Z" });
    expect(dark.missed).toMatchObject({ by: "arrives_in_dark" });
    const night = arrivalOf(wish, { to: singapore, arrives: "2020-10-25T20:00:00Z" });
    expect([night.wire.meets, minute(night.wire.sunrise)]).toEqual([false, "2020-10-25T22:46"]);
    expect(night.missed!.text).toBe(`Arrives while the sun is down; it rises ${night.wire.sunrise}`);
  });

  it("is light by the sun of the destination, wherever the clock of the departure is", () => {
    const [fiji, tonga] = [
      { latitude: -18, longitude: 179.9 },
      { latitude: -18, longitude: -179.9 },
    ];
    // It is about noon there at midnight UTC, on both sides of the date line.
    for (const to of [fiji, tonga])
      expect(arrivalOf(wish, { from: brest, to, arrives: "2027-01-01T00:00:00Z" }).wire.meets).toBe(true);
    const noon = arrivalOf(wish, { from: tonga, to: fiji, arrives: "2026-12-31T12:00:00Z" });
    expect(noon.missed?.by).toBe("arrives_in_dark");
  });

  it("has no sunset in the polar day, and no sunrise in the polar night", () => {
    const svalbard = { latitude: 78.2, longitude: 13 };
    const summer = arrivalOf(wish, { to: svalbard, arrives: "2026-06-21T23:00:00Z" });
    expect(summer.wire).toEqual({ meets: true, spare_s: null, sunrise: null, sunset: null });
    const winter = arrivalOf(wish, { to: svalbard, arrives: "2026-12-21T11:00:00Z" });
    expect(winter.wire).toEqual({ meets: false, spare_s: null, sunrise: null, sunset: null });
    expect(winter.missed!.text).toBe("Arrives while the sun is down; it does not rise within a day");
  });

  it("at both ends needs the sun at the departure too, after waiting for a gate there", () => {
    const both: ArrivalWish = { daylight: "both_ends" };
    const noon = "2026-09-21T12:00:00Z";
    expect(arrivalOf(both, { leaves: "2026-09-20T12:00:00Z", arrives: noon }).wire.meets).toBe(true);
    const dark = arrivalOf(both, { leaves: "2026-09-21T03:00:00Z", arrives: noon });
    expect(dark.missed).toMatchObject({
      by: "leaves_in_dark",
      text: "Leaves while the sun is down",
      at: { ...brest, time: parseInstant("2026-09-21T03:00:00Z") },
    });
    expect(arrivalOf(wish, { leaves: "2026-09-21T03:00:00Z", arrives: noon }).wire.meets).toBe(true);
    const end = { ...brest, time: parseInstant(noon) };
    const passes = [{ time: parseInstant("2026-09-21T09:00:00Z"), waited: 6 * 3600 }];
    const start = { ...brest, time: parseInstant("2026-09-21T03:00:00Z") };
    expect(arrivedAs(both, { ending: "arrived", end, passes }, start, undefined).wire.meets).toBe(true);
  });
});

it("a vessel that does not arrive does not arrive as wished, and another cause says why", () => {
  const end = { ...brest, time: 0 };
  expect(arrivedAs(by("2026-09-20T12:00:00Z"), { ending: "held", end, passes: [] }, end, undefined)).toEqual({
    wire: { meets: false, spare_s: null, sunrise: null, sunset: null },
    missed: undefined,
  });
});
