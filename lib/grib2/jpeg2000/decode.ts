import { readPackets, resolutionsOf } from "./bands.ts";
import { decodeCodeBlock } from "./code-block.ts";
import { type Picture, parseCodeStream } from "./code-stream.ts";
import { synthesise } from "./wavelets.ts";

/**
 * Decodes a JPEG 2000 code stream (ITU-T T.800) of one unsigned component.
 *
 * @param count Number of samples that it must have.
 * @returns The samples, row by row.
 */
export function decodeCodeStream(bytes: Uint8Array, count: number): Int32Array {
  const picture = parseCodeStream(bytes, count);
  const samples = samplesOf(picture);
  const middle = 1 << (picture.bits - 1);
  const most = 2 * middle - 1;
  if (samples instanceof Float32Array) for (let i = 0; i < count; i++) samples[i] = Math.round(samples[i]!);
  const out = samples instanceof Int32Array ? samples : new Int32Array(count);
  for (let i = 0; i < count; i++) {
    // Rounding may have left the range.
    const sample = samples[i]! + middle;
    out[i] = sample < 0 ? 0 : sample > most ? most : sample;
  }
  return out;
}

function samplesOf(picture: Picture): Int32Array | Float32Array {
  const resolutions = resolutionsOf(picture);
  readPackets(picture, resolutions);
  const stride = picture.area.x1;
  const samples = new (picture.coding.isReversible ? Int32Array : Float32Array)(stride * picture.area.y1);
  for (const [index, { bands, precincts }] of resolutions.entries()) {
    const coarser = resolutions[index - 1]?.area;
    for (const [at, { orientation, area, planes, step }] of bands.entries()) {
      const right = orientation === "HL" || orientation === "HH" ? coarser!.x1 - coarser!.x0 : 0;
      const down = orientation === "LH" || orientation === "HH" ? coarser!.y1 - coarser!.y0 : 0;
      for (const grids of precincts)
        for (const block of grids[at]!.blocks) {
          if (block.passes === 0) continue;
          const from = (down + block.y0 - area.y0) * stride + right + block.x0 - area.x0;
          decodeCodeBlock(block, orientation, planes - block.zeroPlanes, step, samples, from, stride);
        }
    }
  }
  return synthesise(
    samples,
    stride,
    resolutions.map(({ area }) => area),
  );
}
