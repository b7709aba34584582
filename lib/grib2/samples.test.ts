import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSamples } from "../../test/samples.ts";
import { bufferSource } from "./byte-source.ts";
import { decodeInScanOrder } from "./decode.ts";
import { scanGrib2 } from "./scan.ts";

/** A field as read by eccodes, in the order of the message; see fixtures/make_oracle.py. */
interface Digest {
  is: [number, number, number];
  count: number;
  missing: number;
  min: number;
  max: number;
  mean: number;
  /** Sum of value · (index · HASH mod 1000). */
  weighted: number;
  /** Values at index k · HASH mod count, float32, base64. */
  samples: string;
}

const HASH = 2654435761;
const oracle: Record<string, Digest[]> = JSON.parse(
  readFileSync(new URL("./fixtures/samples.json", import.meta.url), "utf8"),
);

describeWithSamples("GRIB2 samples", (samples) => {
  const pathOf = (name: string) => join(samples, "grib2", name);

  describe.each(Object.keys(oracle))("%s", (name) => {
    it("has the fields that eccodes finds, with the same values", () => {
      const source = bufferSource(name, readFileSync(pathOf(name)));
      const { fields, rejected } = scanGrib2(source);
      expect(rejected).toEqual([]);
      const digests = oracle[name]!;
      expect(fields.map((field) => [field.discipline, field.category, field.parameter])).toEqual(
        digests.map((digest) => digest.is),
      );
      for (const [index, field] of fields.entries()) {
        expectDigest(decodeInScanOrder(source, field), digests[index]!);
      }
    });
  });

  it("without GRIB2 on a regular grid are rejected with the name of the grid", () => {
    const reasons = ["reduced_latlon_surface.grib2", "fields_with_missing_values.grib"].map(
      (name) => scanGrib2(bufferSource(name, readFileSync(pathOf(name)))).rejected,
    );
    expect(reasons[0]).toMatchObject([{ message: 1, reason: expect.stringContaining("reduced") }]);
    expect(reasons[1]).toMatchObject([
      { message: 1, reason: expect.stringContaining("GRIB edition 1") },
      { message: 2, reason: expect.stringContaining("GRIB edition 1") },
    ]);
  });
});

function expectDigest(values: Float32Array, digest: Digest): void {
  let [missing, min, max, sum, weighted, size] = [0, Infinity, -Infinity, 0, 0, 0];
  for (const [index, value] of values.entries()) {
    if (Number.isNaN(value)) {
      missing++;
      continue;
    }
    const weight = (index * HASH) % 1000;
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
    weighted += value * weight;
    size += Math.abs(value) * weight;
  }
  expect([values.length, missing]).toEqual([digest.count, digest.missing]);
  expect(Math.abs(weighted - digest.weighted)).toBeLessThanOrEqual(size * 1e-6);
  const read = [
    min,
    max,
    ...Float32Array.from({ length: 48 }, (_, k) => values[(k * HASH) % values.length]!),
  ];
  const samples = new Uint8Array(Buffer.from(digest.samples, "base64"));
  const theirs = [digest.min, digest.max, ...new Float32Array(samples.buffer)];
  expect(difference(Float64Array.from(read), Float64Array.from(theirs))).toBeLessThan(1e-6);
  const scale = Math.max(Math.abs(min), Math.abs(max), 1e-30);
  expect(Math.abs(sum / (values.length - missing) - digest.mean) / scale).toBeLessThan(1e-6);
}

/** Largest relative difference; Infinity if only one has a value. */
function difference(ours: ArrayLike<number>, theirs: ArrayLike<number>): number {
  if (ours.length !== theirs.length) return Infinity;
  let worst = 0;
  for (let index = 0; index < ours.length; index++) {
    const [a, b] = [ours[index]!, theirs[index]!];
    if (Number.isNaN(a) !== Number.isNaN(b)) return Infinity;
    if (a !== b && !Number.isNaN(a)) worst = Math.max(worst, Math.abs(a - b) / Math.abs(b));
  }
  return worst;
}
