/**
 * Writes server/demo/static/land-mask.data.ts from world-atlas (Natural Earth 1:50m land): `node
 * scripts/build-land-mask.ts`. The result is committed, so that the service needs neither world-atlas nor the time to
 * rasterise it.
 */
import { writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { landPolygons } from "#scripts/natural-earth.ts";
import { rasterise } from "#scripts/rasterise.ts";
import { packMask } from "#server/demo/static/relief.ts";

const mask = rasterise(landPolygons().flat());
const packed = brotliCompressSync(packMask(mask), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
});

writeFileSync(
  new URL("../server/demo/static/land-mask.data.ts", import.meta.url),
  `/** Made by scripts/build-land-mask.ts from Natural Earth 1:50m land (public domain): brotli of the packed bits. */\n` +
    `export const landMaskBase64 =\n  "${packed.toString("base64")}";\n`,
);
console.log(`${mask.reduce((sum, cell) => sum + cell, 0)} land cells, ${packed.length} bytes`);
