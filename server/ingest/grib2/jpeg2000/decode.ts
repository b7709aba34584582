import { resolutionsOf } from "./bands.ts";
import { decodeCodeBlock } from "./code-block.ts";
import { parseCodeStream, type Tile } from "./code-stream.ts";
import { readPackets } from "./packets.ts";
import { synthesise } from "./wavelet.ts";

/**
 * Decodes a JPEG 2000 code stream (ITU-T T.800) of one unsigned component.
 *
 * @param count Samples that it must hold.
 * @returns The samples, row by row.
 */
export function decodeCodeStream(bytes: Uint8Array, count: number): Int32Array {
  const { image, bits, tiles } = parseCodeStream(bytes, count);
  const out = new Int32Array(count);
  const width = image.x1 - image.x0;
  const middle = 2 ** (bits - 1);
  const most = 2 ** bits - 1;
  for (const tile of tiles) {
    const { x0, y0, x1, y1 } = tile.area;
    const samples = decodeTile(tile, bits);
    for (let y = y0, from = 0; y < y1; y++) {
      let to = (y - image.y0) * width + x0 - image.x0;
      for (let x = x0; x < x1; x++, from++, to++) {
        // Float32Array has fractions, and rounding may have led out of the range.
        const sample = Math.round(samples[from]!) + middle;
        out[to] = sample < 0 ? 0 : sample > most ? most : sample;
      }
    }
  }
  return out;
}

/** Samples around zero. */
function decodeTile(tile: Tile, bits: number): Int32Array | Float32Array {
  const { x0, y0, x1, y1 } = tile.area;
  const resolutions = resolutionsOf(tile, bits);
  readPackets(tile, resolutions);
  const { style, isReversible } = tile.coding;
  const stride = x1 - x0;
  const samples = new (isReversible ? Int32Array : Float32Array)(stride * (y1 - y0));
  for (const [index, { bands, precincts }] of resolutions.entries()) {
    const coarser = resolutions[index - 1]?.area;
    for (const [at, { orientation, area, planes, step }] of bands.entries()) {
      const right = orientation === "HL" || orientation === "HH" ? coarser!.x1 - coarser!.x0 : 0;
      const down = orientation === "LH" || orientation === "HH" ? coarser!.y1 - coarser!.y0 : 0;
      for (const { grids } of precincts)
        for (const block of grids[at]!.blocks) {
          if (block.passes === 0) continue;
          const from = (down + block.y0 - area.y0) * stride + right + block.x0 - area.x0;
          decodeCodeBlock(block, orientation, style, planes - block.zeroPlanes, step, samples, from, stride);
        }
    }
  }
  synthesise(
    samples,
    stride,
    resolutions.map(({ area }) => area),
  );
  return samples;
}
