import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import { decodeFrame, encodeFrame, FrameError } from "./frame.ts";

const axis = (count: number, start: number) => ({ start, step: 0.25, count });

const anyFrame = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, columns, bands]) =>
    fc.record({
      grid: fc.constant({ latitude: axis(rows, -90), longitude: axis(columns, -180) }),
      time: fc.integer({ min: 0, max: 4e9 }),
      bands: fc.constant(
        Array.from({ length: bands }, (_, index) => ({
          name: `field_${index}`,
          scale: 0.01,
          offset: index,
        })),
      ),
      columns: fc.array(
        fc.array(fc.oneof(fc.integer({ min: -32767, max: 32767 }), fc.constant(FILL)), {
          minLength: rows * columns,
          maxLength: rows * columns,
        }),
        { minLength: bands, maxLength: bands },
      ),
    }),
  );

describe("a frame", () => {
  it("decodes to exactly what was encoded, for any size, value and mask", () => {
    fc.assert(
      fc.property(anyFrame, ({ grid, time, bands, columns }) => {
        const stored = columns.map((band) => Int16Array.from(band));
        const frame = decodeFrame(encodeFrame(grid, time, bands, stored));
        expect(frame).toMatchObject({ grid, time, bands });
        for (const [band, values] of stored.entries()) {
          const read = Int16Array.from(values, (_, node) => frame.values[node * frame.perNode + band]!);
          expect(read).toEqual(values);
        }
      }),
    );
  });
});

describe("a damaged frame", () => {
  const good = encodeFrame(
    { latitude: axis(4, 0), longitude: axis(5, 0) },
    60,
    [{ name: "eastward_wind_10m", scale: 0.01, offset: 0 }],
    [new Int16Array(20)],
  );

  it("is refused at every length except its own", () => {
    for (let length = 0; length < good.length; length++) {
      expect(() => decodeFrame(good.subarray(0, length))).toThrow(FrameError);
    }
    expect(() => decodeFrame(Uint8Array.of(...good, 0))).toThrow(FrameError);
  });

  it("is refused or read within bounds, whatever its bytes, and never allocates much memory", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const bytes = good.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          expect(decodeFrame(bytes).values.length * 2).toBeLessThan(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
