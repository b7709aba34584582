import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasEccodes, readByEccodes } from "../../test/eccodes.ts";
import { bufferSource } from "./byte-source.ts";
import { decodeGrib2 } from "./decode.ts";
import { type EnsemblePart, gribMessage, regularGrid } from "./message.ts";
import { codedValues } from "./packing.ts";
import { scanGrib2 } from "./scan.ts";

const BASE = Date.UTC(2026, 11, 31, 18) / 1000;
const HOUR_S = 3600;

it("reads members and statistics of ensembles as eccodes writes them, at an instant and over a window", () => {
  const bytes = readFileSync(new URL("./fixtures/ensemble.grib2", import.meta.url));
  const source = bufferSource("ensemble.grib2", bytes);
  const { fields, rejected } = scanGrib2(source);
  expect(rejected).toEqual([]);
  const instant = { kind: "instant", start: BASE + 6 * HOUR_S, end: BASE + 6 * HOUR_S };
  const maximum = { kind: "maximum", start: BASE + 3 * HOUR_S, end: BASE + 6 * HOUR_S };
  const member = (number: number, of: number) => ({ kind: "member", number, of });
  const derived = (code: number) => ({ kind: "derived", code, of: 30 });
  expect(fields.map((field) => [decodeGrib2(source, field)[0], field.ensemble, field.time])).toEqual([
    [1, member(0, 30), instant],
    [2, member(17, 30), instant],
    [3, member(30, 30), maximum],
    [4, derived(0), instant],
    [5, derived(4), instant],
    [6, derived(0), maximum],
    [7, derived(4), maximum],
    [8, member(50, 51), instant],
    [9, member(0, 51), instant],
    [10, member(0, 31), instant],
  ]);
});

const grid = regularGrid(Float64Array.of(0, 5, 10), Float64Array.of(0, 5, 10, 15));
const parts: EnsemblePart[] = [
  { member: 0, of: 31 },
  { member: 30, of: 31 },
  { statistic: "mean", of: 31 },
  { statistic: "spread", of: 31 },
];

function written(ensemble: EnsemblePart, meanSince?: number): Uint8Array {
  return gribMessage({
    discipline: 0,
    category: 1,
    number: 52,
    surface: { type: 1, value: 0 },
    grid,
    referenceTime: BASE,
    validTime: BASE + 9 * HOUR_S,
    meanSince,
    ensemble,
    synthetic: false,
    values: codedValues(
      Float64Array.from({ length: 12 }, (_, i) => i / 8),
      grid.columns,
      3,
    ),
  });
}

describe("members and statistics of an ensemble, over New Year", () => {
  const all = [undefined, BASE + 6 * HOUR_S].flatMap((since) =>
    parts.map((part) => ({ part, since, bytes: written(part, since) })),
  );

  it("are read back by our reader", () => {
    const source = bufferSource("written", Buffer.concat(all.map(({ bytes }) => bytes)));
    const { fields, rejected } = scanGrib2(source);
    expect(rejected).toEqual([]);
    expect(fields.map(({ ensemble, time }) => ({ ensemble, time }))).toEqual(
      all.map(({ part, since }) => ({
        ensemble:
          "member" in part
            ? { kind: "member", number: part.member, of: 31 }
            : { kind: "derived", code: part.statistic === "mean" ? 0 : 4, of: 31 },
        time: {
          kind: since === undefined ? "instant" : "average",
          start: since ?? BASE + 9 * HOUR_S,
          end: BASE + 9 * HOUR_S,
        },
      })),
    );
    for (const field of fields) expect(decodeGrib2(source, field)[11]).toBeCloseTo(11 / 8, 3);
  });

  it.skipIf(!hasEccodes())("are read by eccodes, with their numbers and their windows", () => {
    const keys = [
      "productDefinitionTemplateNumber",
      "typeOfGeneratingProcess",
      "typeOfEnsembleForecast",
      "perturbationNumber",
      "derivedForecast",
      "numberOfForecastsInEnsemble",
      "stepRange",
      "validityDate",
      "validityTime",
    ];
    const read = readByEccodes(Buffer.concat(all.map(({ bytes }) => bytes)), keys);
    expect(read.map((message) => keys.map((key) => message[key]))).toEqual(
      [
        [1, 4, 1, 0, null, 31, "9"],
        [1, 4, 3, 30, null, 31, "9"],
        [2, 4, null, null, 0, 31, "9"],
        [2, 4, null, null, 4, 31, "9"],
        [11, 4, 1, 0, null, 31, "6-9"],
        [11, 4, 3, 30, null, 31, "6-9"],
        [12, 4, null, null, 0, 31, "6-9"],
        [12, 4, null, null, 4, 31, "6-9"],
      ].map((row) => [...row, 20270101, 300]),
    );
    for (const { values } of read) expect(values.at(3)).toBeCloseTo(11 / 8, 3);
  });
});
