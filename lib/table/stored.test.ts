import { describe, expect, it } from "vitest";
import { type MapField, MIN_STORED, NULL_ENTRY } from "#lib/field/map-field.ts";
import { mapPieces } from "#lib/field/serialise.ts";
import { pointFormats } from "./formats.ts";
import { StoredAnswerError, storedMap, storedPoints } from "./stored.ts";
import { pointsOf, pointTable } from "./table.ts";

const provenance = [{ variable: "wind", dataset: "Forecast", model: "GFS – 0.25°", run: "gfs.1" }];

/** A stored envelope, whose task name imitates the text that the reader searches for. */
const envelope = (results: string, meta = "") =>
  `{"task_id":["x"],"status":"SUCCESS","result":{"results":${results},"execution_time":"0.1 seconds"${meta}},"task_name":"}}],\\"é"}`;
const meta = `,"meta":${JSON.stringify({ provenance, nulls: [] })}`;

/** Cuts a text into pieces of the given length, bytes. */
async function* cut(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

const textOf = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString();
const lengths = [1, 3, 64, 1e6];

describe("a stored point answer", () => {
  const points = [0, 1, 2, 3, 4].map((i) => ({
    coordinates: { latitude: i / 4, longitude: -i, timestamp: `2026-01-01T0${i}:00:00Z` },
    conditions: { Winds_10m_Direction: i === 2 ? null : 10.5 * i, Winds_10m_Intensity: i },
  }));

  it.each(lengths)("is read as the table of the answer, in pieces of %d bytes", async (length) => {
    const table = await storedPoints(cut(envelope(JSON.stringify(points), meta), length), 5, true);
    const expected = pointTable(pointsOf(points), { provenance, synthetic: true });
    expect(textOf(pointFormats["text/csv"](table))).toBe(textOf(pointFormats["text/csv"](expected)));
  });

  it("by model is read with its models", async () => {
    const byModel = ["gfs", "ecmwf"].flatMap((model) =>
      points.map(({ coordinates, conditions }) => ({ coordinates: { ...coordinates, model }, conditions })),
    );
    const table = await storedPoints(cut(envelope(JSON.stringify(byModel), meta), 7), 10, true);
    const expected = pointTable(pointsOf(byModel), { provenance, synthetic: true });
    expect(textOf(pointFormats["text/csv"](table))).toBe(textOf(pointFormats["text/csv"](expected)));
  });

  it.each([
    ["is cut off", envelope(JSON.stringify(points)).slice(0, 300), 5],
    ["has another number of points", envelope(JSON.stringify(points)), 6],
  ])("is refused where it %s", async (_how, text, rows) => {
    await expect(storedPoints(cut(text, 100), rows, false)).rejects.toThrow(StoredAnswerError);
  });
});

describe("a stored 2D answer", () => {
  const output = (name: string, decimals: 1 | 2, entries: number[]) => ({
    name,
    unit: name.endsWith("Direction") ? "°" : "m/s",
    title: "",
    decimals,
    entries: Uint16Array.from(entries, (value) => (Number.isNaN(value) ? NULL_ENTRY : value - MIN_STORED)),
  });
  const fieldOf = (times: string[], isRange: boolean): MapField => {
    const numbers = [0, -1, 10, 105, Number.NaN, 3600].flatMap((value) => times.map(() => value));
    return {
      latitude: Float64Array.of(-0.25, 0),
      longitude: Float64Array.of(179.75, -180, -179.75),
      times,
      isRange,
      outputs: [output("Winds_10m_Direction", 1, numbers), output("Winds_10m_Intensity", 2, numbers)],
    };
  };

  /** Each model has the entries of the field, moved by its position. */
  function threeModels(field: MapField): MapField {
    const moved = (entries: Uint16Array, by: number) =>
      [...entries].map((entry) => (entry === NULL_ENTRY ? entry : entry + by));
    const outputs = field.outputs.map((one) => ({
      ...one,
      entries: Uint16Array.from([0, 1, 2].flatMap((by) => moved(one.entries, by))),
    }));
    return { ...field, models: ["best", "gfs", "own.model-1"], outputs };
  }

  describe.each([
    ["an instant", fieldOf(["2026-01-01T00:00:00Z"], false)],
    ["a range", fieldOf(["2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z"], true)],
    ["one model", { ...fieldOf(["2026-01-01T00:00:00Z"], false), models: ["gfs"] }],
    ["several models", threeModels(fieldOf(["2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z"], true))],
  ])("of %s", (_name, field) => {
    it.each(lengths)("is read as the field of the answer, in pieces of %d bytes", async (length) => {
      const read = await storedMap(cut(envelope(textOf(mapPieces(field)), meta), length), true);
      expect(read.origin).toEqual({ provenance, synthetic: true });
      const numbersOf = ({ outputs, ...rest }: MapField) => ({
        ...rest,
        outputs: outputs.map(({ name, decimals, unit, entries }) => ({
          name,
          decimals,
          unit,
          entries: [...entries],
        })),
      });
      expect(numbersOf(read.field)).toEqual(numbersOf(field));
    });
  });

  it("is refused when it is truncated", async () => {
    const text = envelope(textOf(mapPieces(fieldOf(["2026-01-01T00:00:00Z"], false)))).slice(0, 250);
    await expect(storedMap(cut(text, 64), false)).rejects.toThrow(StoredAnswerError);
  });
});
