import { expect, it, vi } from "vitest";
import { FILL } from "#lib/catalog/fields.ts";
import { NULL_ENTRY, valueOfEntry } from "#lib/field/map-field.ts";
import { quantiseSpeeds, quantiseVectorBearings } from "#lib/field/round-field.ts";
import { quantiseStoredSpeeds, quantiseStoredVectorBearings } from "#lib/field/round-stored-field.ts";
import { gridPieces } from "#lib/field/serialise.ts";

vi.mock(import("./kernels.ts"), async (load) => ({ ...(await load()), kernels: undefined }));

it("gives the same numbers and text without SIMD", () => {
  const count = 30_000;
  const stored = (step: number) =>
    Int16Array.from({ length: count }, (_, i) => (i % 17 === 0 ? FILL : ((i * step) % 4001) - 2000));
  const [x, y] = [stored(7919), stored(104_729)];
  const numbers = (of: Int16Array) =>
    Float64Array.from(of, (value) => (value === FILL ? Number.NaN : value * 0.01));
  const [found, expected] = [new Uint16Array(count), new Uint16Array(count)];
  quantiseStoredSpeeds(x, y, 0.01, found);
  quantiseSpeeds(numbers(x), numbers(y), expected);
  expect(found).toEqual(expected);
  quantiseStoredVectorBearings(x, y, 0.01, -1, found);
  quantiseVectorBearings(numbers(x), numbers(y), -1, expected);
  expect(found).toEqual(expected);
  const rows = Array.from({ length: count / 300 }, (_, row) =>
    Array.from(found.subarray(row * 300, (row + 1) * 300), (entry) =>
      entry === NULL_ENTRY ? null : valueOfEntry(entry, 1),
    ),
  );
  expect(Buffer.concat([...gridPieces(found, 300, 1)]).toString()).toBe(JSON.stringify(rows));
});
