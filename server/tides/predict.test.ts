import { constituents as models } from "@neaps/tide-predictor";
import { describe, expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import type { StationQuestion } from "./answer.ts";
import { Catalog, termOf } from "./catalog.ts";
import { moonAt } from "./harmonics.ts";
import { predictStream, streamAt } from "./stream.ts";
import { predictTide, tideCurve } from "./tide.ts";
import { tidesAt } from "./view.ts";

const catalog = new Catalog(false);
const now = parseInstant("2026-09-14T07:00:00Z");

const BREST = "ticon:brest-822-fra-uhslc_fd";
const SOUTHAMPTON = "ticon:southampton-sou-gbr-da_idh";

const tide = (id: string, question: Partial<StationQuestion> = {}) =>
  predictTide(catalog, catalog.station(id), { days: 2, now, ...question });
const stream = (id: string, question: Partial<StationQuestion> = {}) =>
  predictStream(catalog, catalog.station(id), { days: 2, now, ...question });

const hours = (from: string, to: string) => (parseInstant(to) - parseInstant(from)) / 3600;

describe("a tide", () => {
  it("alternates between high and low waters, of which each is an extreme of its curve", () => {
    const { extremes, curve, from } = tide(BREST, { step: 1, days: 10 });
    expect(extremes.length).toBeGreaterThan(36);
    for (const [number, { time, type, height_m }] of extremes.entries()) {
      if (number > 0) expect(type).not.toBe(extremes[number - 1]!.type);
      const at = (parseInstant(time) - parseInstant(from)) / 60;
      const around = curve!.heights_m.slice(Math.max(0, at - 90), at + 90);
      expect(type === "high" ? Math.max(...around) : Math.min(...around)).toBeCloseTo(height_m, 1);
    }
  });

  it("has heights above the datum that is asked for, and says which", () => {
    const above = (datum?: string) => tide(BREST, { datum });
    expect(above().datum).toBe("LAT");
    const { datum, datums, now: here } = above("MSL");
    expect(datum).toBe("MSL");
    expect(datums.MSL).toBe(0);
    expect(above().now.height_m - here.height_m).toBeCloseTo(above().datums.MSL!, 1);
    expect(() => above("CRD")).toThrow("datum: this station has heights above HAT, LAT");
    // Ranges and intervals stand beside the levels in the database.
    expect(() => tide("noaa:8443970", { datum: "HWI" })).toThrow("datum: ");
  });

  it("stands twice at Southampton: after low water, and between its two high waters", () => {
    const { stands, extremes } = tide(SOUTHAMPTON, {
      from: "2026-09-14T00:00:00Z",
      to: "2026-09-15T00:00:00Z",
    });
    const highs = extremes.filter(({ type }) => type === "high").map(({ time }) => time.slice(0, 16));
    expect(highs).toContain("2026-09-14T12:53");
    expect(highs).toContain("2026-09-14T14:40");
    const lengths = stands.map(({ from, to, height_m }) => [height_m > 4, hours(from, to)] as const);
    expect(lengths.some(([isHigh, length]) => isHigh && length >= 2.5)).toBe(true);
    expect(lengths.some(([isHigh, length]) => !isHigh && length >= 1)).toBe(true);
    expect(tide(BREST, { days: 14 }).stands).toEqual([]);
  });

  it("is one a day in the Gulf of Mexico", () => {
    const { regime, extremes, notes } = tide("noaa:8729840", { from: "2026-09-14T12:00:00Z", days: 3 });
    expect(regime).toBe("diurnal");
    expect(extremes.filter(({ type }) => type === "high")).toHaveLength(3);
    expect(notes).toContain("There is mostly one tide a day here.");
  });

  it("is hardly any in the Baltic, which is said", () => {
    const { regime, extremes, now: here, notes } = tide("ticon:stockholm-826-swe-uhslc_fd");
    expect([regime, extremes, here.trend]).toEqual(["none", [], null]);
    expect(notes[0]).toContain("hardly any tide");
  });

  it("has the differences of a subordinate station at high and low water, above its chart datum alone", () => {
    const [here, there] = [tide("noaa:1610367", { days: 5 }), tide("noaa:1612340", { days: 5 })];
    expect(here.station.reference).toEqual({ id: "noaa:1612340", name: expect.any(String) });
    for (const { time, type, height_m } of here.extremes.slice(1, -1)) {
      const minutes = type === "high" ? -16 : -11;
      const original = there.extremes.find(
        (one) => Math.abs(parseInstant(one.time) + 60 * minutes - parseInstant(time)) <= 60,
      );
      expect(height_m).toBeCloseTo(original!.height_m * 0.77, 1);
    }
    expect(() => tide("noaa:1610367", { datum: "MSL" })).toThrow("heights above MLLW");
  });

  it("has a day of 23 hours where clocks go forward, and of 25 where they go back", () => {
    const lengthOf = (day: string, id = BREST) => {
      const { from, to } = tide(id, { from: day, to: day });
      return hours(from, to);
    };
    expect(lengthOf("2026-03-29")).toBe(23);
    expect(lengthOf("2026-10-25")).toBe(25);
    expect(lengthOf("2026-03-29", "noaa:1910000")).toBe(24);
    expect(tide("noaa:1910000", { from: "2026-06-01", to: "2026-06-01" }).from).toBe("2026-05-31T12:00:00Z");
  });

  it("has its springs a day or two after new and full moon", () => {
    const { springs, neaps, moon } = tide(BREST, {
      from: "2026-09-01T00:00:00Z",
      to: "2026-10-01T00:00:00Z",
    });
    // New moon and full moon of the almanac.
    const syzygies = ["2026-09-11T03:27:00Z", "2026-09-26T16:49:00Z"];
    expect(springs).toHaveLength(2);
    for (const [number, moonAt] of syzygies.entries()) {
      expect(hours(moonAt, springs[number]!)).toBeGreaterThan(20);
      expect(hours(moonAt, springs[number]!)).toBeLessThan(56);
    }
    expect(neaps).toHaveLength(2);
    expect(moon.age_days).toBeCloseTo(18.8, 0);
  });

  it("is predicted until the end of 2100", () => {
    const { extremes, to } = tide(BREST, { from: "2100-12-30T00:00:00Z", to: "2101-01-01T00:00:00Z" });
    expect(to).toBe("2101-01-01T00:00:00Z");
    expect(extremes.length).toBeGreaterThan(6);
  });

  it("counts Norway's annual constituent from perihelion, so that autumn is high", () => {
    const meanOf = (from: string) => {
      const { heights_m } = tide("kartverket:KAB", { from, days: 28, step: 60 }).curve!;
      return heights_m.reduce((sum, height) => sum + height) / heights_m.length;
    };
    expect(meanOf("2026-11-15T00:00:00Z") - meanOf("2026-05-15T00:00:00Z")).toBeGreaterThan(0.2);
  });
});

it("knows the age of the moon", () => {
  expect(moonAt(parseInstant("2026-09-11T03:27:00Z")).lit).toBe(0);
  expect(moonAt(parseInstant("2026-09-26T16:49:00Z")).age_days).toBeCloseTo(14.8, 1);
});

it("has high waters above the low waters beside them at every subordinate port, and a curve through them", () => {
  const ports = catalog.within("tide").filter(({ type }) => type === "subordinate");
  const wrong = ports.filter((port) => {
    const curve = tideCurve(catalog.sum(port), port, 0, now, now + 30 * 86_400);
    return curve.extremes.some(({ time, value, isHigh }, at, all) => {
      const last = all[at - 1];
      if (!last) return false;
      const rise = (value - last.value) * (isHigh ? 1 : -1);
      return (
        last.isHigh === isHigh || time <= last.time || rise < 0.01 || Math.abs(curve.at(time) - value) > 0.01
      );
    });
  });
  expect(ports.length).toBeGreaterThan(1000);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

it("leaves out four small constituents and no other", () => {
  const left = new Map<string, number>();
  for (const { harmonic_constituents } of [...catalog.within("tide"), ...catalog.within("stream")])
    for (const { name, amplitude } of harmonic_constituents.map(termOf))
      if (!models[name] && amplitude !== 0) left.set(name, Math.max(amplitude, left.get(name) ?? 0));
  expect([...left.keys()].sort()).toEqual(["ALP1", "BET1", "OQ2_KV", "S1_KV"]);
  expect(Math.max(...left.values())).toBeLessThan(0.016);
});

it("searches names for the first six words, and for letters only where there is nothing else", () => {
  const [first] = catalog.named("a b southampton c d");
  expect(first?.name).toContain("Southampton");
  expect(catalog.named("a b c d")).toEqual(catalog.named("a"));
});

describe("a period", () => {
  it("is of 366 days at most, whole ones of clocks that go back among them", () => {
    const { from, to } = tide(BREST, { from: "2026-01-01", to: "2027-01-01" });
    expect(hours(from, to)).toBe(366 * 24);
    expect(() => tide(BREST, { from: "2026-01-01T00:00:00Z", to: "2027-01-02T12:00:00Z" })).toThrow(
      "to: it should be at most 366",
    );
  });

  it.each([
    [{ from: "2101-01-01" }, "from: predictions are of the years 1900 to 2100"],
    [{ from: "2100-12-30", to: "2101-01-01" }, "to: predictions are of the years"],
  ])("of %j is refused", (question, words) => {
    expect(() => tide(BREST, question)).toThrow(words);
  });

  it("ends with the year 2100 where no end is given", () => {
    expect(tide(BREST, { from: "2100-12-31T12:00:00Z" }).to).toBe("2101-01-01T00:00:00Z");
    expect(tide("noaa:8443970", { from: "2100-12-31" }).to).toBe("2101-01-01T05:00:00Z");
    expect(tide(BREST, { from: "2100-12-31", to: "2100-12-31" }).to).toBe("2100-12-31T23:00:00Z");
    expect(tide(BREST, { from: "1900-01-01", to: "1900-01-01" }).from).toMatch(
      /^1899-12-31T23|^1900-01-01T00/,
    );
  });
});

describe("a stream", () => {
  it("has its events in order, and turns at each slack", () => {
    // Of every tenth, and of those whose differences mix up most.
    const known = ["noaa:PCT2126", "noaa:ACT8811"].map((id) => catalog.station(id));
    const some = [...known, ...catalog.within("stream").filter((_, number) => number % 10 === 0)];
    const wrong = some.filter((station) => {
      const { events } = streamAt(catalog.sum(station), station, now, now + 30 * 86_400);
      const slacks = events.filter(({ type }) => type.startsWith("slack"));
      return (
        events.some(({ time }, at) => at > 0 && time <= events[at - 1]!.time) ||
        slacks.some(({ type }, at) => at > 0 && type === slacks[at - 1]!.type) ||
        events.some(({ speed }, at) => at > 0 && speed * events[at - 1]!.speed < 0)
      );
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("says where turns are left out, and only there", () => {
    const omits = (id: string) =>
      stream(id, { days: 14 }).notes.some((note) => note.startsWith("Weak turns"));
    expect(["noaa:PCT2126", "noaa:ACT8811", "noaa:ACT0091"].map(omits)).toEqual([true, true, false]);
  });

  it("runs with the flood between its slacks, and against it between the others", () => {
    const { events, curve, from } = stream("noaa:ACT1616", { step: 1, days: 5 });
    const types = events.map(({ type }) => type);
    const order = ["slack_before_flood", "max_flood", "slack_before_ebb", "max_ebb"];
    const first = order.indexOf(types[0]!);
    expect(types).toEqual(types.map((_, at) => order[(first + at) % 4]));
    for (const { time, type, speed_kt } of events) {
      const speed = curve!.speeds_kt[(parseInstant(time) - parseInstant(from)) / 60]!;
      expect(speed).toBeCloseTo(type === "max_ebb" ? -speed_kt : speed_kt, 1);
    }
  });

  it("has the differences of a subordinate station", () => {
    const [here, there] = [stream("noaa:ACT0091"), stream("noaa:EPT0003@11")];
    expect(here.station.reference?.id).toBe("noaa:EPT0003@11");
    const fastest = ({ events }: typeof here) => Math.max(...events.map(({ speed_kt }) => speed_kt));
    expect(fastest(here)).toBeCloseTo(1.2 * fastest(there), 1);
    expect([here.flood_direction, here.ebb_direction]).toEqual([210, 40]);
    expect(() => stream("noaa:ACT0091", { datum: "MSL" })).toThrow("datum: a stream has no height");
  });
});

describe("the map", () => {
  const world = { west: -180, south: -90, east: 180, north: 90 };
  it("shows what the stations say, at most 1,000 of them, at both sides of the date line", () => {
    const { tides, streams, total } = tidesAt(catalog, { bbox: world, at: now });
    expect(total).toBeGreaterThan(8000);
    expect(tides.id.length + streams.id.length).toBeGreaterThan(600);
    expect(tides.id.length + streams.id.length).toBeLessThanOrEqual(1000);
    for (const [at, id] of tides.id.entries()) {
      if (at % 100 > 0) continue;
      const { now: here } = tide(id);
      expect(tides.height_m[at]).toBeCloseTo(here.height_m, 1);
      expect(tides.trend[at]).toBe(here.trend === null ? 0 : here.trend === "rising" ? 1 : -1);
    }
    const { now: flow } = stream(streams.id[0]!);
    expect(streams.speed_kt[0]).toBeCloseTo(flow.speed_kt, 1);
    const across = tidesAt(catalog, { bbox: { west: 177, south: -20, east: -178, north: -15 }, at: now });
    expect(across.tides.longitude.some((degrees) => degrees > 0)).toBe(true);
    expect(across.tides.longitude.some((degrees) => degrees < 0)).toBe(true);
  });

  it("has no station whose licence forbids commercial use, unless a setting says so", () => {
    const all = new Catalog(true);
    const more = all.within("tide").length - catalog.within("tide").length;
    expect(more).toBe(282);
    const only = all.within("tide").find(({ license }) => !license.commercial_use)!;
    expect(() => catalog.station(only.id.replace("/", ":"))).toThrow(
      "The licence of this station forbids commercial use",
    );
  });
});
