import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { Catalog } from "./catalog.ts";
import { termsOf } from "./constants.ts";
import { isKnown } from "./constituents.ts";
import { moonAt } from "./harmonics.ts";
import type { StationQuestion } from "./period.ts";
import { predictStream, streamAt } from "./stream.ts";
import { predictTide, tideCurve } from "./tide.ts";
import { tidesAt } from "./view.ts";

const catalog = new Catalog(false);
const now = parseInstant("2026-09-14T07:00:00Z");
const MONTH_S = 30 * 86_400;

const BREST = "ticon:brest-822-fra-uhslc_fd";

const tide = (id: string, question: Partial<StationQuestion> = {}) =>
  predictTide(catalog, catalog.station(id), { days: 2, now, ...question });
const stream = (id: string, question: Partial<StationQuestion> = {}) =>
  predictStream(catalog, catalog.station(id), { days: 2, now, ...question });
const hours = (from: string, to: string) => (parseInstant(to) - parseInstant(from)) / 3600;

it("a tide alternates between high and low waters, each an extreme of its curve", () => {
  const { extremes, curve, from } = tide(BREST, { step: 1, days: 10 });
  expect(extremes.length).toBeGreaterThan(36);
  for (const [number, { time, type, height_m }] of extremes.entries()) {
    expect(type).not.toBe(extremes[number - 1]?.type);
    const at = (parseInstant(time) - parseInstant(from)) / 60;
    const around = curve!.heights_m.slice(Math.max(0, at - 90), at + 90);
    expect(type === "high" ? Math.max(...around) : Math.min(...around)).toBeCloseTo(height_m, 1);
  }
});

it("heights are above the requested datum, and the answer names it", () => {
  const [chart, mean] = [tide(BREST), tide(BREST, { datum: "MSL" })];
  expect([chart.datum, mean.datum, mean.datums.MSL]).toEqual(["LAT", "MSL", 0]);
  expect(chart.now.height_m - mean.now.height_m).toBeCloseTo(chart.datums.MSL!, 1);
});

it.each([
  ["ticon:avonmouth-avo-gbr-bodc", true, "computed"],
  ["ticon:weymouth-wey-gbr-bodc", true, "computed"],
  ["ticon:southampton-sou-gbr-da_idh", true, "computed"],
  ["ticon:holyhead-hol-gbr-bodc", false, "computed"],
  [BREST, false, "computed"],
  ["noaa:8443970", false, "office"],
  ["noaa:8454000", true, "office"],
  // This station has one tide a day, and its M2 is small.
  ["noaa:8729840", false, "office"],
])("%s states whether its shape is resolved and where its datum comes from", (id, isShallow, source) => {
  const { shallow_water, datum_source, notes } = tide(id);
  expect([shallow_water, datum_source]).toEqual([isShallow, source]);
  expect(notes.some((note) => note.startsWith("Shallow water"))).toBe(isShallow);
  expect(notes.some((note) => note.includes("is computed from the record"))).toBe(source === "computed");
  expect(tide(id, { datum: "MSL" }).datum_source).toBe("office");
});

it("a caller's secondary port has its differences at high and at low water, and a curve that meets them", () => {
  const span = { from: "2026-09-14T00:00:00Z", to: "2026-09-16T00:00:00Z", step: 1 };
  const there = tide(BREST, span);
  const here = tide(BREST, { ...span, high_minutes: 20, low_minutes: -35, high_m: 0.4, low_m: -0.1 });
  expect([here.station.name, here.notes[0]]).toEqual([
    "Brest, with differences",
    expect.stringContaining("A secondary port"),
  ]);
  expect(() => stream("noaa:ACT0091", { high_minutes: 5 })).toThrow("a stream has no high water");
  for (const { time, type, height_m } of here.extremes.slice(1, -1)) {
    const [minutes, metres] = type === "high" ? [20, 0.4] : [-35, -0.1];
    const original = parseInstant(time) - 60 * minutes;
    const turn = there.extremes.find((one) => Math.abs(parseInstant(one.time) - original) <= 60)!;
    expect(height_m - turn.height_m).toBeCloseTo(metres, 1);
    const at = (parseInstant(time) - parseInstant(here.from)) / 60;
    expect(here.curve!.heights_m[at]).toBeCloseTo(height_m, 1);
  }
  expect(here.range.springs_m).toBeCloseTo(there.range.springs_m + 0.5, 2);
  expect(tide(BREST, { ...span, high_m: 0 })).toEqual(there);
  expect(() => tide("noaa:1610367", { high_m: 1 })).toThrow(
    "high_minutes: this station has differences itself",
  );
  expect(() => tide(BREST, { ...span, high_m: -10, low_m: 10 })).toThrow("high water is not above low water");
});

it("the water stands twice at Southampton: after low water, and between its two high waters", () => {
  const day = { from: "2026-09-14T00:00:00Z", to: "2026-09-15T00:00:00Z" };
  const { stands, extremes } = tide("ticon:southampton-sou-gbr-da_idh", day);
  const highs = extremes.filter(({ type }) => type === "high").map(({ time }) => time.slice(11, 16));
  expect(highs).toEqual(expect.arrayContaining(["00:32", "02:20"]));
  const longest = (isHigh: boolean) =>
    Math.max(...stands.filter((one) => one.height_m > 4 === isHigh).map(({ from, to }) => hours(from, to)));
  expect([longest(true) >= 2.5, longest(false) >= 1]).toEqual([true, true]);
  expect(tide(BREST, { days: 14 }).stands).toEqual([]);
});

it("there is one tide a day in the Gulf of Mexico and hardly any in the Baltic, and the answers say so", () => {
  const gulf = tide("noaa:8729840", { from: "2026-09-14T12:00:00Z", days: 3 });
  expect(gulf.regime).toBe("diurnal");
  expect(gulf.extremes.filter(({ type }) => type === "high")).toHaveLength(3);
  expect(gulf.notes).toContain("There is mostly one tide a day here.");
  const baltic = tide("ticon:stockholm-826-swe-uhslc_fd");
  expect([baltic.regime, baltic.extremes, baltic.now.trend]).toEqual(["none", [], null]);
  expect(baltic.notes[0]).toContain("hardly any tide");
});

it("a subordinate station has its differences at high and low water", () => {
  const [here, there] = [tide("noaa:1610367", { days: 5 }), tide("noaa:1612340", { days: 5 })];
  expect(here.station.reference).toEqual({ id: "noaa:1612340", name: expect.any(String) });
  for (const { time, type, height_m } of here.extremes.slice(1, -1)) {
    const moved = parseInstant(time) - 60 * (type === "high" ? -16 : -11);
    const original = there.extremes.find((one) => Math.abs(parseInstant(one.time) - moved) <= 60);
    expect(height_m).toBeCloseTo(original!.height_m * 0.77, 1);
  }
});

const END = "2100-12-31T12:00:00Z";

it.each([
  [
    "a day of 23 hours where clocks go forward",
    BREST,
    { from: "2026-03-29", to: "2026-03-29" },
    "2026-03-28T23:00:00Z",
    23,
  ],
  [
    "one of 25 where they go back",
    BREST,
    { from: "2026-10-25", to: "2026-10-25" },
    "2026-10-24T22:00:00Z",
    25,
  ],
  [
    "one of a place ahead",
    "noaa:1910000",
    { from: "2026-06-01", to: "2026-06-01" },
    "2026-05-31T12:00:00Z",
    24,
  ],
  ["a leap year, whole", BREST, { from: "2026-01-01", to: "2027-01-01" }, "2025-12-31T23:00:00Z", 366 * 24],
  ["the end of all predictions", BREST, { from: END }, END, 12],
  ["that of a place behind", "noaa:8443970", { from: "2100-12-31" }, "2100-12-31T05:00:00Z", 24],
  ["the last day", BREST, { from: "2100-12-31", to: "2100-12-31" }, "2100-12-30T23:00:00Z", 24],
  [
    "the first day",
    BREST,
    { from: "1900-01-01", to: "1900-01-01" },
    expect.stringMatching(/^1899-12-31T23/),
    24,
  ],
])("a period may be %s", (_, id, period, from, length) => {
  const found = tide(id, period);
  expect([found.from, hours(found.from, found.to)]).toEqual([from, length]);
  expect(found.extremes.length).toBeGreaterThan(1);
});

it.each<[Partial<StationQuestion>, string, string?]>([
  [{ from: "2026-01-01T00:00:00Z", to: "2027-01-02T12:00:00Z" }, "to: it should be at most 366"],
  [{ from: "2101-01-01" }, "from: predictions are available for the years 1900 to 2100"],
  [{ from: "2100-12-30", to: "2101-01-01" }, "to: predictions are available for the years"],
  [{ datum: "CRD" }, "datum: this station has heights above HAT, LAT"],
  // The database lists ranges and intervals beside the levels.
  [{ datum: "HWI" }, "datum: ", "noaa:8443970"],
  // Differences are valid above the chart datum only.
  [{ datum: "MSL" }, "heights above MLLW", "noaa:1610367"],
])("a question %j is refused: %s", (question, words, id = BREST) => {
  expect(() => tide(id, question)).toThrow(words);
});

it("springs are a day or two after new and full moon", () => {
  const { springs, neaps, moon } = tide(BREST, { from: "2026-09-01T00:00:00Z", to: "2026-10-01T00:00:00Z" });
  // Times of new moon and full moon from the almanac.
  const after = ["2026-09-11T03:27:00Z", "2026-09-26T16:49:00Z"].map((moon, number) =>
    hours(moon, springs[number]!),
  );
  expect(Math.min(...after)).toBeGreaterThan(20);
  expect(Math.max(...after)).toBeLessThan(56);
  expect([springs.length, neaps.length]).toEqual([2, 2]);
  expect(moon.age_days).toBeCloseTo(18.8, 0);
  expect(moonAt(parseInstant("2026-09-11T03:27:00Z")).lit).toBe(0);
  expect(moonAt(parseInstant("2026-09-26T16:49:00Z")).age_days).toBeCloseTo(14.8, 1);
});

it("Norway's annual constituent counts from perihelion, so that autumn is high", () => {
  const meanOf = (from: string) => {
    const { heights_m } = tide("kartverket:KAB", { from, days: 28, step: 60 }).curve!;
    return heights_m.reduce((sum, height) => sum + height) / heights_m.length;
  };
  expect(meanOf("2026-11-15T00:00:00Z") - meanOf("2026-05-15T00:00:00Z")).toBeGreaterThan(0.2);
});

it("every subordinate port has its high waters above the neighbouring low waters, and a curve through them", () => {
  const ports = catalog.within("tide").filter(({ type }) => type === "subordinate");
  const wrong = ports.filter((port) => {
    const curve = tideCurve(catalog.sum(port), port, 0, now, now + MONTH_S);
    return curve.extremes.some(({ time, value, isHigh }, at, all) => {
      const last = all[at - 1];
      if (!last) return false;
      const isRight =
        last.isHigh !== isHigh && time > last.time && (value - last.value) * (isHigh ? 1 : -1) >= 0.01;
      return !isRight || Math.abs(curve.at(time) - value) > 0.01;
    });
  });
  expect(ports.length).toBeGreaterThan(1000);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

it("exactly four small constituents are left out", () => {
  const terms = [...catalog.within("tide"), ...catalog.within("stream")].flatMap(termsOf);
  const left = terms.filter(({ name, amplitude }) => !isKnown(name) && amplitude !== 0);
  expect([...new Set(left.map(({ name }) => name))].sort()).toEqual(["ALP1", "BET1", "OQ2_KV", "S1_KV"]);
  expect(Math.max(...left.map(({ amplitude }) => amplitude))).toBeLessThan(0.016);
});

it("a search uses the first six words, and single letters only where there is nothing else", () => {
  expect(catalog.named("a b southampton c d")[0]?.name).toContain("Southampton");
  expect(catalog.named("a b c d")).toEqual(catalog.named("a"));
});

it("streams have their events in order, and turn at each slack", () => {
  // Every tenth station is checked, and those whose differences mix the order most.
  const known = ["noaa:PCT2126", "noaa:ACT8811"].map((id) => catalog.station(id));
  const some = [...known, ...catalog.within("stream").filter((_, number) => number % 10 === 0)];
  const wrong = some.filter((station) => {
    const { events } = streamAt(catalog.sum(station), station, now, now + MONTH_S);
    const slacks = events.filter(({ type }) => type.startsWith("slack"));
    const isTwice = slacks.some(({ type }, at) => type === slacks[at - 1]?.type);
    const mixed = events
      .slice(1)
      .some(({ time, speed }, at) => time <= events[at]!.time || speed * events[at]!.speed < 0);
    return isTwice || mixed;
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

it("a stream reports left-out turns, and only where there are any", () => {
  const omits = (id: string) => stream(id, { days: 14 }).notes.some((note) => note.startsWith("Weak turns"));
  expect(["noaa:PCT2126", "noaa:ACT8811", "noaa:ACT0091"].map(omits)).toEqual([true, true, false]);
});

it("a stream runs with the flood between its slacks, and against it between the others", () => {
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

it("a stream has NOAA's mean directions of flood and ebb, and the depth of its layer", () => {
  const { flood_direction, ebb_direction, depth_m, notes } = stream("noaa:PUG1701");
  expect({ flood_direction, ebb_direction, depth_m }).toEqual({
    flood_direction: 108,
    ebb_direction: 277,
    depth_m: 5.5,
  });
  expect(notes.join()).not.toContain("axis");
  // NOAA's file gives no depth for this station.
  const unknown = stream("noaa:DEB2101");
  expect(unknown.depth_m).toBeUndefined();
  expect(unknown.notes.join()).toContain("axis of its analysis");
  const now = tidesAt(catalog, {
    bbox: { west: -122.65, south: 48.4, east: -122.64, north: 48.41 },
    at: parseInstant("2026-06-01T03:33:00Z"),
  });
  expect(now.streams.direction).toEqual([277]);
});

it("stations without a direction of the ebb by NOAA are offered with a remark", () => {
  const { station, ebb_direction, notes } = stream("noaa:PCT0016");
  expect([station.country, ebb_direction]).toEqual(["Mexico", 215]);
  expect(notes.join()).toContain("no direction of the ebb");
  expect(stream("noaa:ACT3726").ebb_direction).toBe(190);
});

it.each([
  ["of a reference station", "noaa:PUG1741"],
  ["of one that follows another with differences", "noaa:PCT1391"],
])("a minimum of the ebb %s lies between two maxima of it, and is slower", (_, id) => {
  const { events } = stream(id, { from: "2026-06-01T00:00:00Z", days: 20 });
  const minima = [...events.keys()].filter((at) => events[at]!.type.startsWith("min"));
  expect(minima.length).toBeGreaterThan(0);
  for (const at of minima) {
    const [before, here, after] = events.slice(at - 1, at + 2);
    if (!before || !after) continue;
    const most = here!.type.replace("min", "max");
    expect([before.type, after.type]).toEqual([most, most]);
    expect(here!.speed_kt).toBeLessThanOrEqual(Math.min(before.speed_kt, after.speed_kt));
  }
});

it("a subordinate stream has its differences, and no height", () => {
  const [here, there] = [stream("noaa:ACT0091"), stream("noaa:EPT0003@11")];
  expect(here.station.reference?.id).toBe("noaa:EPT0003@11");
  const fastest = ({ events }: typeof here) => Math.max(...events.map(({ speed_kt }) => speed_kt));
  expect(fastest(here)).toBeCloseTo(1.2 * fastest(there), 1);
  expect([here.flood_direction, here.ebb_direction]).toEqual([210, 40]);
  expect(() => stream("noaa:ACT0091", { datum: "MSL" })).toThrow("datum: a stream has no height");
});

it("the map shows the same values as the stations, at most 1,000, on both sides of the date line", () => {
  const world = { west: -180, south: -90, east: 180, north: 90 };
  const { tides, streams, total } = tidesAt(catalog, { bbox: world, at: now });
  const count = tides.id.length + streams.id.length;
  expect([total > 8000, count > 600, count <= 1000]).toEqual([true, true, true]);
  for (const at of tides.id.keys()) {
    if (at % 100 > 0) continue;
    const { height_m, trend } = tide(tides.id[at]!).now;
    expect(tides.height_m[at]).toBeCloseTo(height_m, 1);
    expect(tides.trend[at]).toBe(trend === null ? 0 : trend === "rising" ? 1 : -1);
  }
  expect(streams.speed_kt[0]).toBeCloseTo(stream(streams.id[0]!).now.speed_kt, 1);
  const across = tidesAt(catalog, { bbox: { west: 177, south: -20, east: -178, north: -15 }, at: now });
  expect(new Set(across.tides.longitude.map(Math.sign))).toEqual(new Set([1, -1]));
});

it("a station whose licence forbids commercial use is offered only if a setting allows it", () => {
  const all = new Catalog(true).within("tide");
  expect(all.length - catalog.within("tide").length).toBe(282);
  const { id } = all.find(({ license }) => !license.commercial_use)!;
  expect(() => catalog.station(id.replace("/", ":"))).toThrow(
    "The licence of this station forbids commercial use",
  );
});
