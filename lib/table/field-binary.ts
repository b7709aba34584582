import { FILL } from "#lib/catalog/fields.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import type { Axis } from "#lib/field/grid.ts";
import { type MapField, MIN_STORED, NULL_ENTRY } from "#lib/field/map-field.ts";
import { parseInstant } from "#lib/time.ts";
import { ascending } from "./cf.ts";

const LENGTH_BYTES = 4;
const LARGEST = 32_767;

/**
 * A 2D answer as frames of `lib/field/frame.ts`, one per step: four bytes of length (uint32, little-endian), then the frame.
 *
 * Bands are the public fields, rounded to their last decimal: value = stored · scale. A gap that a regional grid leaves in
 * the box is filled with missing columns.
 */
export function* fieldFrames(field: MapField): Generator<Uint8Array, void, undefined> {
  const { latitude, times, outputs } = field;
  const longitude = ascending(field.longitude);
  const across = axisOf(longitude);
  const grid = { latitude: axisOf(latitude), longitude: across };
  const columns = Int32Array.from(longitude, (value) => Math.round((value - across.start) / across.step));
  const bands = outputs.map(({ name, decimals }) => ({ name, scale: 1 / 10 ** decimals, offset: 0 }));
  const nodes = latitude.length * longitude.length;
  for (const [time, timestamp] of times.entries()) {
    const values = outputs.map(({ entries }) => {
      const band = new Int16Array(latitude.length * across.count).fill(FILL);
      for (let row = 0; row < latitude.length; row++)
        for (let column = 0; column < columns.length; column++) {
          const entry = entries[time * nodes + row * columns.length + column]!;
          const stored = entry === NULL_ENTRY ? FILL : entry + MIN_STORED;
          band[row * across.count + columns[column]!] = stored > LARGEST ? FILL : stored;
        }
      return band;
    });
    const frame = encodeFrame(grid, parseInstant(timestamp), bands, values);
    const length = new DataView(new ArrayBuffer(LENGTH_BYTES));
    length.setUint32(0, frame.length, true);
    yield new Uint8Array(length.buffer);
    yield frame;
  }
}

function axisOf(values: Float64Array): Axis {
  let step = Number.POSITIVE_INFINITY;
  for (let i = 1; i < values.length; i++) step = Math.min(step, values[i]! - values[i - 1]!);
  if (values.length < 2) return { start: values[0]!, step: 1, count: 1 };
  const count = Math.round((values.at(-1)! - values[0]!) / step) + 1;
  return { start: values[0]!, step: (values.at(-1)! - values[0]!) / (count - 1), count };
}
