import { afterAll, describe, expect, it } from "vitest";
import { type PassagePlan, passageResponse } from "#lib/contract/passage-reply.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { openTides } from "#server/tides/tides.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, issuesOf, textOf } from "#test/send.ts";

const tides = openTides({ nonCommercial: false });
afterAll(() => tides.close());

const SAINT_MALO = "ticon:saint_malo-410-fra-refmar";

type Place = { latitude: number; longitude: number };
const place = (latitude: number, longitude: number): Place => ({ latitude, longitude });

interface Situation {
  now: number;
  route: Place[];
  days: number;
  /** Times of high waters near the destination, by the endpoint of its station. */
  highs: number[];
}

let connect = () => {};

function open(now: number): void {
  const archive = demoArchive(now);
  connect = () => connectWeather(now, { archive, tides });
  connect();
}

async function resultOf(request: object) {
  // The rate limit of a caller does not allow so many requests in a minute.
  connect();
  const reply = await ask("POST", "/passages/evaluate", { body: request });
  const answer = JSON.parse(await textOf(reply));
  expect(reply.status, JSON.stringify(answer)).toBe(200);
  return passageResponse.parse(answer).result;
}

async function highWaters(station: string, from: number, days: number): Promise<number[]> {
  const period = `from=${formatInstant(from)}&to=${formatInstant(from + days * DAY_S)}`;
  const reply = await ask("GET", `/tides/${encodeURIComponent(station)}?${period}`);
  const { extremes } = JSON.parse(await textOf(reply)) as { extremes: { time: string; type: string }[] };
  return extremes.filter(({ type }) => type === "high").map(({ time }) => parseInstant(time));
}

const vessel = { kind: "fixed", speed_kt: 6 };
// Only the arrival and the coast decide.
const limits = Object.fromEntries(
  Object.keys(passageResponse.shape.result.shape.meta.shape.limits.def.keyType.enum).map((name) => [
    name,
    null,
  ]),
);

/**
 * Altitude of the sun, degrees, by the series of Spencer that NOAA's "General Solar Position Calculations" have; within
 * a degree. The service computes it from the ecliptic longitude.
 */
function altitude(time: number, { latitude, longitude }: Place): number {
  const date = new Date(time * 1000);
  const hour = (time % DAY_S) / HOUR_S;
  const day =
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
      Date.UTC(date.getUTCFullYear(), 0, 1)) /
    86_400_000;
  const g = ((2 * Math.PI) / 365) * (day + (hour - 12) / 24);
  const minutes =
    229.18 *
    (0.000075 +
      0.001868 * Math.cos(g) -
      0.032077 * Math.sin(g) -
      0.014615 * Math.cos(2 * g) -
      0.040849 * Math.sin(2 * g));
  const declination =
    0.006918 -
    0.399912 * Math.cos(g) +
    0.070257 * Math.sin(g) -
    0.006758 * Math.cos(2 * g) +
    0.000907 * Math.sin(2 * g) -
    0.002697 * Math.cos(3 * g) +
    0.00148 * Math.sin(3 * g);
  const angle = ((60 * hour + minutes + 4 * longitude) / 4 - 180) * (Math.PI / 180);
  const north = latitude * (Math.PI / 180);
  return (
    Math.asin(
      Math.sin(north) * Math.sin(declination) + Math.cos(north) * Math.cos(declination) * Math.cos(angle),
    ) *
    (180 / Math.PI)
  );
}

const RISE = -0.833;

/** Whether the sun is up; undefined if that is within the error of the series. */
function isUp(time: number, at: Place): boolean | undefined {
  const above = altitude(time, at) - RISE;
  return Math.abs(above) < 1 ? undefined : above > 0;
}

interface Wish {
  by?: string;
  daylight?: "arrival" | "both_ends";
  high_water?: { from_h: number; to_h: number };
}

/** Whether a departure arrives as wished; undefined if that cannot be told. */
function meets(
  wish: Wish,
  departure: number,
  arrival: number,
  { route, highs }: Situation,
): boolean | undefined {
  const { by, daylight, high_water: hw } = wish;
  const minute = 60 * Math.floor(arrival / 60);
  const told = [
    by === undefined || arrival <= parseInstant(by),
    daylight === undefined || isUp(arrival, route.at(-1)!),
    daylight !== "both_ends" || isUp(departure, route[0]!),
    hw === undefined ||
      highs.some((high) => minute >= high + hw.from_h * HOUR_S && minute <= high + hw.to_h * HOUR_S),
  ];
  return told.includes(false) ? false : told.includes(undefined) ? undefined : true;
}

/** Compares each wish with departures that are evaluated one by one, without it. */
async function compare(situation: Situation, wishes: readonly Wish[]) {
  const { now, route, days } = situation;
  const departures = Array.from({ length: days * 12 + 1 }, (_, index) => now + 2 * index * HOUR_S);
  const single: PassagePlan[] = [];
  for (const departure of departures) {
    const { results } = await resultOf({
      route,
      vessel,
      limits,
      departure: formatInstant(departure),
      include_pieces: false,
    });
    single.push(results[0]!);
  }
  const found = { met: 0, missed: 0, unclear: 0, none: 0 };
  for (const wish of wishes) {
    const sweep = { from: formatInstant(now), to: formatInstant(now + days * DAY_S), step_hours: 2 };
    const { results, meta } = await resultOf({ route, vessel, limits, departures: sweep, arrive: wish });
    const good = departures.map((departure, index) =>
      meets(wish, departure, parseInstant(single[index]!.arrival!), situation),
    );
    for (const [index, plan] of results.entries()) {
      const isGood = good[index];
      expect(plan.arrival).toBe(single[index]!.arrival);
      found[isGood === undefined ? "unclear" : isGood ? "met" : "missed"]++;
      if (isGood === undefined) good[index] = plan.arrive!.meets;
      expect([plan.departure, wish, plan.arrive!.meets]).toEqual([plan.departure, wish, good[index]]);
      expect([plan.departure, plan.verdict]).toEqual([
        plan.departure,
        good[index] ? single[index]!.verdict : "NO",
      ]);
    }
    // The best is found by looking backwards from the last departure: GO, else CAUTION.
    const last = (verdict: string) =>
      good.findLastIndex((is, index) => is === true && single[index]!.verdict === verdict);
    const best = [last("GO"), last("CAUTION")].find((index) => index >= 0);
    if (best === undefined) found.none++;
    const first = meta.order.latest[0]!;
    expect([wish, results[first]!.departure]).toEqual([
      wish,
      formatInstant(departures[best ?? departures.length - 1]!),
    ]);
  }
  return found;
}

describe("the latest departure that arrives as wished is that of brute force over departures", {
  timeout: 60_000,
}, () => {
  it("into a harbour with tides, by a time, in daylight and around high water", async () => {
    const now = parseInstant("2026-09-15T12:00:00Z");
    open(now);
    const route = [place(48.95, -2.7), place(48.75, -2.3), place(48.67, -2.06)];
    const situation = { now, route, days: 3, highs: await highWaters(SAINT_MALO, now - DAY_S, 6) };
    const at = (hours: number) => formatInstant(now + hours * HOUR_S);
    const wishes: Wish[] = [
      { by: at(40) },
      { by: at(5) },
      { by: at(200) },
      { daylight: "arrival" },
      { daylight: "both_ends" },
      { high_water: { from_h: -2, to_h: 2 } },
      { high_water: { from_h: 0, to_h: 0.25 } },
      { by: at(60), daylight: "arrival" },
      { by: at(47), daylight: "both_ends", high_water: { from_h: -2, to_h: 2 } },
      { daylight: "both_ends", high_water: { from_h: -3, to_h: -1 } },
    ];
    const found = await compare(situation, wishes);
    expect(found.met).toBeGreaterThan(100);
    expect(found.missed).toBeGreaterThan(100);
    expect(found.none).toBeGreaterThan(0);
    expect(found.unclear).toBeLessThan(60);
  });

  it("across the date line and New Year, where the sun is that of the destination", async () => {
    const now = parseInstant("2026-12-30T06:00:00Z");
    open(now);
    const route = [place(-20, 179.5), place(-20, -179.2)];
    const wishes: Wish[] = [
      { by: "2026-12-31T23:30:00Z" },
      { by: "2027-01-01T00:00:00Z", daylight: "arrival" },
      { by: "2027-01-01T13:00:00Z", daylight: "both_ends" },
    ];
    const found = await compare({ now, route, days: 2, highs: [] }, wishes);
    expect(Math.min(found.met, found.missed)).toBeGreaterThan(10);
  });

  it.each([
    ["2026-06-20T12:00:00Z", true],
    ["2026-12-20T12:00:00Z", false],
  ])("where the sun does not set or rise, from %s: all of them, or none", async (from, isLight) => {
    const now = parseInstant(from);
    open(now);
    const route = [place(78, 6), place(78, 9)];
    const sweep = { from, to: formatInstant(now + DAY_S), step_hours: 6 };
    const { results, meta } = await resultOf({
      route,
      vessel,
      limits,
      departures: sweep,
      arrive: { daylight: "both_ends" },
    });
    expect(results.map(({ arrive }) => arrive)).toEqual(
      results.map(() => ({ meets: isLight, spare_s: null, sunrise: null, sunset: null })),
    );
    expect(meta.order.latest).toEqual([4, 3, 2, 1, 0]);
    if (!isLight) expect(results[0]!.deciding!.text).toContain("does not rise within a day");
  });
});

describe("the high water of an arrival", () => {
  const now = parseInstant("2026-09-15T12:00:00Z");
  const route = [place(48.9, -2.6), place(48.67, -2.06)];
  const departure = formatInstant(now);
  const high_water = { from_h: -2, to_h: 2 };

  it("is that of the nearest station by water, which is named with its distance, or of the one that is asked for", async () => {
    open(now);
    const { results, meta } = await resultOf({ route, vessel, departure, arrive: { high_water } });
    expect(meta.gates).toMatchObject([
      { waypoint: 1, station: { id: SAINT_MALO }, water_km: expect.any(Number) },
    ]);
    expect(meta.gates![0]!.water_km).toBeLessThan(10);
    const [gate] = results[0]!.gates!;
    expect(gate).toMatchObject({
      waypoint: 1,
      gate: { kind: "high_water", station: SAINT_MALO, ...high_water },
    });
    expect(results[0]!.arrive!.meets).toBe(gate!.holds);
    const named = await resultOf({
      route,
      vessel,
      departure,
      arrive: { high_water: { ...high_water, station: SAINT_MALO } },
    });
    expect(named.results[0]!.gates).toEqual(results[0]!.gates);
    expect(named.meta.gates![0]).not.toHaveProperty("water_km");
  });

  it("comes after the gates of the route, of which the destination may have one too", async () => {
    open(now);
    const gate = { kind: "height", station: SAINT_MALO, min_m: 3 };
    const gated = [route[0], { ...route[1], gate }];
    const { results } = await resultOf({ route: gated, vessel, departure, arrive: { high_water } });
    expect(results[0]!.gates!.map(({ gate: { kind }, waypoint }) => [kind, waypoint])).toEqual([
      ["height", 1],
      ["high_water", 1],
    ]);
  });

  it.each([
    [
      [place(40, -42), place(40, -43)],
      {},
      "station",
      "There is no tide station within 40 km of this place by water",
    ],
    [route, { station: "noaa:nowhere" }, "station", "no such station"],
    [route, { station: "noaa:SFB1203" }, "kind", "needs a tide station"],
  ] as [Place[], object, string, string][])(
    "is refused where no station predicts it: %j, %j",
    async (way, part, loc, message) => {
      open(now);
      for (const async of [false, true]) {
        const body = {
          route: way,
          vessel,
          departure,
          arrive: { high_water: { ...high_water, ...part } },
          async,
        };
        const reply = await ask("POST", "/passages/evaluate", { body });
        expect(reply.status).toBe(422);
        expect(await issuesOf(reply)).toEqual([
          [`arrive.high_water.${loc}`, expect.stringContaining(message)],
        ]);
      }
    },
  );
});

it.each([
  [{}, "arrive", "at least one of"],
  [{ by: "tomorrow" }, "arrive.by", ""],
  [{ before: "2026-09-16T12:00:00Z" }, "arrive.before", "Extra inputs"],
  [{ daylight: true }, "arrive.daylight", ""],
  [{ high_water: { from_h: 2, to_h: -2 } }, "arrive.high_water.to_h", "not close before it opens"],
  [{ high_water: { from_h: -20, to_h: 2 } }, "arrive.high_water.from_h", "greater than or equal to -12"],
] as [object, string, string][])("a wish of %j is refused, and says where", async (arrive, loc, message) => {
  const now = parseInstant("2026-09-15T12:00:00Z");
  open(now);
  const route = [place(40, -42), place(40, -43)];
  const reply = await ask("POST", "/passages/evaluate", {
    body: { route, vessel, departure: formatInstant(now), arrive },
  });
  expect(reply.status).toBe(422);
  const issues = await issuesOf(reply);
  expect(issues).toContainEqual([loc, expect.stringContaining(message)]);
});
