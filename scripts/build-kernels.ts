/**
 * Writes lib/field/kernels/kernels.data.ts from kernels.wat: `node scripts/build-kernels.ts`. The result is committed, so
 * that the service needs no assembler.
 */
import { writeFileSync } from "node:fs";
import { assembledKernels } from "#scripts/kernels/assemble.ts";

const bytes = await assembledKernels();
writeFileSync(
  new URL("../lib/field/kernels/kernels.data.ts", import.meta.url),
  `/** Made by scripts/build-kernels.ts from kernels.wat. */\n` +
    `export const kernelsBase64 =\n  "${Buffer.from(bytes).toString("base64")}";\n`,
);
console.log(`${bytes.length} bytes`);
