import { expect, it } from "vitest";
import { variable } from "#lib/catalog/variables.ts";
import type { PointMeta, PointResponse } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { de, en, fr, ja } from "#test/all-words.ts";
import { conditionsAt } from "./conditions-at.ts";
import { formatAbsent, formatValue, keyValues, nullReason, peekParts } from "./format-conditions.ts";

const landless: PointMeta = { provenance: [], nulls: [{ variable: "wave", reason: "land", points: [0] }] };

it.each([
  ["wave", false, "— not available (land in the model)"],
  ["wave", true, "— not available (on land)"],
  ["wind", false, "— not available"],
] as const)("states why a value of %s is missing (ashore: %s)", (name, ashore, text) => {
  expect(formatAbsent(nullReason(landless, name), ashore, en)).toBe(text);
});

it.each([
  [10, "wind", 1, "Bft", "Bft 5"],
  [1.25, "current", 1, "Bft", "2.4 kn"],
  [1.25, "current", 1, "m/s", "1.25 m/s"],
  [-3.5, "temp", 0, "kn", "−3.5 °C"],
  [359.7, "wind", 0, "kn", "000° (north)"],
] as const)(
  "shows %d of %s (output %d) in %s as %s: a current never in Beaufort",
  (value, name, at, speed, text) => {
    const output = variable(name).outputs[at]!;
    expect(formatValue(value, output, name, { ...defaultUnits, speed }, en)).toBe(text);
  },
);

const rough = {
  Winds_10m_Direction: 249,
  Winds_10m_Intensity: 14.4,
  Gust_10m: 18,
  Waves_Significant_Height: 5,
  Waves_Mean_Direction: 250,
  Waves_Mean_Period: 8.4,
  Currents_Direction: 100,
  Currents_Intensity: 0.154,
};

it("describes winds and waves by where they come from, currents by where they flow to", () => {
  const lines = keyValues(rough, defaultUnits, en);
  expect(lines.map(({ text }) => text)).toEqual([
    "28 kn, WSW 249°, gusts 35 kn",
    "5.0 m, WSW 250°, 8.4 s",
    "0.3 kn, set 100°",
  ]);
  expect(lines.map(({ towards }) => towards)).toEqual([69, 70, 100]);
});

it.each([
  [de, "28 kn, WSW 249°, Böen 35 kn", "Wellen: 5,0 Meter, 8,4 Sekunden aus Westsüdwest."],
  [fr, "28\u00a0nd, OSO 249°, rafales 35\u00a0nd", expect.any(String)],
  [ja, "28 kt、西南西 249°、突風 35 kt", expect.any(String)],
])("describes them with the comma, the units and the compass of $language", (words, wind, waves) => {
  const lines = keyValues(rough, defaultUnits, words);
  expect([lines[0]?.text, lines[1]?.spoken]).toEqual([wind, waves]);
});

it.each([
  [{ Winds_10m_Direction: 247.5, Winds_10m_Intensity: 9.26 }, "kn", "Wind 18 knots from west-southwest."],
  [{ Winds_10m_Direction: null, Winds_10m_Intensity: 0 }, "m/s", "Wind 0.0 metres per second."],
  [{ Winds_10m_Intensity: null }, "kn", "Wind not available."],
] as const)("speaks %j in %s as %s", (conditions, speed, text) => {
  expect(keyValues(conditions, { ...defaultUnits, speed }, en)[0]?.spoken).toBe(text);
});

const short = {
  ...rough,
  Winds_10m_Direction: 293,
  Winds_10m_Intensity: 11.3,
  Gust_10m: 13.9,
  Waves_Mean_Period: 8.7,
};

it.each([
  [short, {}, "WNW 22 G27 kn · 5.0 m 9 s · set 100° 0.3 kn"],
  [short, { speed: "m/s", length: "ft" }, "WNW 11.3 G13.9 m/s · 16 ft 9 s · set 100° 0.15 m/s"],
  [short, { speed: "Bft" }, "WNW Bft 6 G7 · 5.0 m 9 s · set 100° 0.3 kn"],
  [{ Winds_10m_Direction: null, Winds_10m_Intensity: 0 }, {}, "0 kn"],
] as const)("writes the shortest line as sailors do, with units", (conditions, units, line) => {
  const parts = peekParts(conditions, { ...defaultUnits, ...units }, en);
  expect(parts.map(({ text }) => text).join(" · ")).toBe(line);
});

const hour = (hours: number) => Date.UTC(2026, 0, 1) / 1000 + hours * 3600;
const run = (name: string, id: string, hours: number[]) => ({
  variable: name,
  run: id,
  valid_times: hours.map((at) => formatInstant(hour(at))),
});
const reply = {
  results: [0, 3, 6].map((at) => ({
    coordinates: { latitude: 48.5, longitude: -5.25, timestamp: formatInstant(hour(at)) },
    conditions: { Winds_10m_Intensity: at },
  })),
  meta: {
    nulls: [{ variable: "wave", reason: "land", points: [1, 2] }],
    provenance: [
      run("wind", "hindcast", [0]),
      run("wind", "forecast", [3, 6]),
      run("sst", "yesterday", [-24]),
      run("sst", "today", [0]),
      run("bathy", "depth", []),
    ],
  },
} as unknown as PointResponse["result"];

it("a reply has the numbers, reasons and runs of exactly its times, and none in between", () => {
  const of = (hours: number) => {
    const { conditions, meta } = conditionsAt(reply, hour(hours))!;
    return [conditions.Winds_10m_Intensity, meta!.provenance.map((one) => one.run).join(" "), meta!.nulls];
  };
  expect(of(0)).toEqual([0, "hindcast today depth", []]);
  expect(of(6)).toEqual([6, "forecast today depth", landless.nulls]);
  expect(conditionsAt(reply, hour(4))).toBeUndefined();
  expect(conditionsAt(undefined, hour(3))).toBeUndefined();
});
