import { describe, expect, it } from "vitest";
import { type Decimals, type MapField, MIN_STORED, NULL_ENTRY, valueOfEntry } from "./map-field.ts";
import { gridPieces, mapPieces } from "./serialise.ts";

function textOf(pieces: Iterable<Uint8Array>): string {
  return Buffer.concat([...pieces]).toString();
}

const numberOf = (entry: number, decimals: Decimals) =>
  entry === NULL_ENTRY ? null : valueOfEntry(entry, decimals);

function nested(entries: Uint16Array, columns: number, decimals: Decimals): (number | null)[][] {
  return Array.from({ length: entries.length / columns }, (_, row) =>
    Array.from(entries.subarray(row * columns, (row + 1) * columns), (entry) => numberOf(entry, decimals)),
  );
}

describe("the text of a grid equals that of JSON.stringify", () => {
  it.each([0, 1, 2, 3] as const)("for every possible number, with %i decimals", (decimals) => {
    const entries = Uint16Array.from({ length: 65_536 }, (_, entry) => entry);
    expect(textOf(gridPieces(entries, 256, decimals))).toBe(JSON.stringify(nested(entries, 256, decimals)));
  });

  it.each([
    [1, 5],
    [5, 1],
    [3, 1023],
    [2, 1025],
    [7, 20_000],
  ])("for %i rows of %i columns", (rows, columns) => {
    const entries = Uint16Array.from({ length: rows * columns }, (_, i) => (i * 40_503) & 65_535);
    expect(textOf(gridPieces(entries, columns, 2))).toBe(JSON.stringify(nested(entries, columns, 2)));
  });
});

it.each([false, true])("the text of a 2D answer equals that of JSON.stringify, of a range: %s", (isRange) => {
  const [one, other] = [
    Uint16Array.of(0, -MIN_STORED, NULL_ENTRY, 7, 3599, 65_534),
    Uint16Array.of(7, 8, 9, 10, 11, 12),
  ];
  const entries = isRange ? Uint16Array.of(...one, ...other) : one;
  const times = ["2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z"].slice(0, isRange ? 2 : 1);
  const axes = { latitude: [-1.25, 0], longitude: [179.75, -180, -179.75] };
  const output = { unit: "°", title: "", entries };
  const field: MapField = {
    latitude: Float64Array.from(axes.latitude),
    longitude: Float64Array.from(axes.longitude),
    times,
    isRange,
    outputs: [
      { ...output, name: "A", decimals: 1 },
      { ...output, name: "B", decimals: 2 },
    ],
  };
  const grid = (decimals: Decimals) => {
    const steps = [one, other].map((step) => nested(step, 3, decimals));
    return isRange ? steps : steps[0];
  };
  const coordinates = { ...axes, timestamp: isRange ? times : times[0] };
  expect(textOf(mapPieces(field))).toBe(
    JSON.stringify([{ coordinates, conditions: { A: grid(1), B: grid(2) } }]),
  );
});
