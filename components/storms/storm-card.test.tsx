import { between, destination, distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import type { ForecastPoint, StormEntry } from "@open-metocean/storms/schema";
import { expect, it } from "vitest";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { seeded } from "#test/seeded.ts";
import { stormPanel } from "#test/storm-panel.tsx";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";
import { stormsQuery } from "./storm-queries.ts";

const clock = { now: BASE, time: BASE };
const HOURS = [0, 12, 24, 36, 48, 72, 96, 120];

type Random = () => number;

/** A wind that equals no threshold, so that a wind in the text can be identified. */
const windOf = (least: number, most: number, random: Random) =>
  5 * Math.round((least + (most - least) * random()) / 5) + 1;

/** A weak or strong storm, with radii, without them, or with radii at some hours only. */
function randomStorm(random: Random): StormEntry {
  const isJma = random() < 0.3;
  const [least, most] = random() < 0.5 ? [15, isJma ? 24 : 29] : [20, 120];
  const radii = random();
  const heading = 360 * random();
  const speed = random() < 0.1 ? 0 : 40 * random();
  const place: Place = { latitude: -25 + 50 * random(), longitude: -180 + 360 * random() };
  const points = HOURS.slice(0, 3 + Math.floor(6 * random())).map((hour): ForecastPoint => {
    const wind = random() < 0.05 ? null : windOf(least, most, random);
    const point = aheadPoint(hour, destination(place, heading + hour / 3, speed * hour), {
      vmax_kt: wind,
      category: 0,
      type: wind !== null && wind >= 64 ? "HU" : wind !== null && wind >= 34 ? "TS" : "TD",
    });
    if (wind === null || radii < 0.3 || random() < 0.2) return point;
    const reach = (least: number) => (wind >= least ? 30 + 200 * random() : null);
    if (!isJma && wind >= 34) return { ...point, ...allRound(reach(34)!, reach(50), reach(64)) };
    const all = (km: number | null) => (km === null ? null : { ne: km, se: km, sw: km, nw: km });
    return isJma && wind >= 30
      ? { ...point, wind_radii_km: { "30kn": all(reach(30)), "50kn": all(reach(50)), "64kn": null } }
      : point;
  });
  return stormOf(points, isJma ? { provider: "jma", id: "WP012026" } : {});
}

/** Thresholds that no hour of a forecast reaches, as a reader of its table sees it. */
function absentWinds({ provider, tracks }: StormEntry): number[] {
  const points = tracks.forecast!.points;
  return (provider === "jma" ? [30, 50] : [34, 50, 64]).filter((kt) =>
    points.every(({ vmax_kt, wind_radii_km }) => {
      const radii = (wind_radii_km as Record<string, { ne: number | null } | null> | null)?.[`${kt}kn`];
      return (vmax_kt === null || vmax_kt < kt) && !radii?.ne;
    }),
  );
}

/** Distances from a place at each hour of the forecast. */
function distancesOf({ tracks }: StormEntry, from: Place): number[] {
  const places = tracks.forecast!.points.map(({ lat, lon, fhr }) => ({ latitude: lat, longitude: lon, fhr }));
  const hours = Array.from({ length: places.at(-1)!.fhr + 1 }, (_, hour) => hour);
  return hours.map((hour) => {
    const next = places.findIndex(({ fhr }) => fhr >= hour);
    const [one, other] = [places[Math.max(0, next - 1)]!, places[next]!];
    const share = other.fhr > one.fhr ? (hour - one.fhr) / (other.fhr - one.fhr) : 1;
    return distanceKm(from, between(one, other, share));
  });
}

function cardOf(storm: StormEntry, from: Place): string {
  const { provider, id } = storm;
  const cache = filledCache(stormsQuery(TEST_KEY, provider), { entries: [storm], ageSeconds: 60 });
  const search = `storm=${id}&sp=${provider}&danger=classic&p=${from.latitude},${from.longitude}`;
  const html = renderInPage(stormPanel, { clock, cache, search });
  return html.replaceAll(/<[^>]+>/g, " ").replaceAll("\u00a0", " ");
}

/** `THOROUGH=1` tries 500. */
const STORMS = process.env.THOROUGH === "1" ? 500 : 150;

it("cards of weak and strong storms name no wind that is not forecast, and no side of a storm that is far or has no gales", () => {
  const random = seeded(500);
  const counts = { weak: 0, sides: 0, closing: 0, leaving: 0, between: 0 };
  for (let number = 0; number < STORMS; number++) {
    const storm = randomStorm(random);
    const middle = storm.tracks.forecast!.points[1]!;
    const miles = random() < 0.5 ? 700 * random() : 3000 * random();
    const from = destination(
      { latitude: middle.lat, longitude: middle.lon },
      360 * random(),
      miles * MILE_KM,
    );
    from.latitude = Math.max(-80, Math.min(80, Math.round(from.latitude * 100) / 100));
    from.longitude = Math.round(from.longitude * 100) / 100;
    const card = cardOf(storm, from);
    expect(card).toContain("Closest approach to your point");
    const absent = absentWinds(storm);
    for (const kt of absent)
      expect([number, card]).toEqual([number, expect.not.stringMatching(`\\b${kt} kn\\b`)]);
    const gale = storm.provider === "jma" ? 30 : 34;
    if (absent.includes(gale)) {
      counts.weak++;
      expect(card).not.toMatch(/winds? (estimated|come)|their reach|kn winds/);
    }
    const distances = distancesOf(storm, from);
    const least = Math.min(...distances);
    if (card.includes("semicircle")) {
      counts.sides++;
      expect(least).toBeLessThan(501 * MILE_KM);
      expect(absent).not.toContain(gale);
    }
    // The nearest hour tells whether the storm approaches, moves away or passes; if the minimum is within an
    // hour of an end, neither is tested.
    const [at, last] = [distances.indexOf(least), distances.length - 1];
    const nears = (hour: number) => distances[hour - 1]! - distances[hour]!;
    if (at === last && nears(last) > 0.5 && nears(last) > 0.8 * nears(last - 1)) {
      counts.closing++;
      expect(card).toMatch(/Still closing: .*\(end of forecast\)/);
    }
    if (at === 0 && nears(1) < -0.5 && nears(1) < 0.8 * nears(2)) {
      counts.leaving++;
      expect(card).toMatch(/Moving away: .*, now/);
    }
    if (at > 1 && at < last - 1) {
      counts.between++;
      expect(card).toMatch(/Closest [\d.,]+ n mi, \w{3}/);
    }
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10);
});

it("a depression without any wind of 34 kn at 2,653 n mi says nothing of such winds, of sides, nor of a closest approach that only ends the forecast", () => {
  const points = [0, 24, 48, 72].map((hour) =>
    aheadPoint(hour, { latitude: -18, longitude: 70 - hour / 12 }, { vmax_kt: 26, type: "TD", category: 0 }),
  );
  const card = cardOf(stormOf(points, { id: "SH062027" }), { latitude: -18, longitude: 18 });
  expect(card).toMatch(/Still closing: [\d,]+ n mi, Fri 12:00 \(end of forecast\)/);
  expect(card).not.toMatch(/\b(34|50|64) kn\b|semicircle|estimated/);
  expect(card).toContain("The error of the track, 100 n mi a day (1-2-3 rule), to 72 h.");
});
