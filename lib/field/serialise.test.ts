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
    [1, 1],
    [1, 5],
    [5, 1],
    [3, 1023],
    [2, 1024],
    [2, 1025],
    [7, 20_000],
    [20_000, 1],
    [2_500, 3],
  ])("for %i rows of %i columns", (rows, columns) => {
    const entries = Uint16Array.from({ length: rows * columns }, (_, i) => (i * 40_503) & 65_535);
    expect(textOf(gridPieces(entries, columns, 2))).toBe(JSON.stringify(nested(entries, columns, 2)));
  });
});

describe("the text of a 2D answer equals that of JSON.stringify", () => {
  const entries = Uint16Array.from([
    0,
    -MIN_STORED,
    NULL_ENTRY,
    1 - MIN_STORED,
    3599 - MIN_STORED,
    65_534,
    7,
    8,
    9,
    10,
    11,
    12,
  ]);
  const field = (isRange: boolean): MapField => ({
    latitude: Float64Array.of(-1.25, 0),
    longitude: Float64Array.of(179.75, -180, -179.75),
    times: isRange ? ["2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z"] : ["2026-01-01T00:00:00Z"],
    isRange,
    outputs: [
      { name: "A", unit: "°", title: "", decimals: 1, entries: isRange ? entries : entries.subarray(0, 6) },
      { name: "B", unit: "m", title: "", decimals: 2, entries: isRange ? entries : entries.subarray(0, 6) },
    ],
  });
  const steps = (decimals: Decimals) => [
    nested(entries.subarray(0, 6), 3, decimals),
    nested(entries.subarray(6), 3, decimals),
  ];
  const axes = { latitude: [-1.25, 0], longitude: [179.75, -180, -179.75] };

  it("for an instant: a string, and rows", () => {
    const [timestamp] = field(false).times;
    expect(textOf(mapPieces(field(false)))).toBe(
      JSON.stringify([
        { coordinates: { ...axes, timestamp }, conditions: { A: steps(1)[0], B: steps(2)[0] } },
      ]),
    );
  });

  it("for a range: a list, and rows per step", () => {
    expect(textOf(mapPieces(field(true)))).toBe(
      JSON.stringify([
        { coordinates: { ...axes, timestamp: field(true).times }, conditions: { A: steps(1), B: steps(2) } },
      ]),
    );
  });
});
