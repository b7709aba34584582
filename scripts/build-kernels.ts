/**
 * Writes the bytes of the WebAssembly modules beside their text: `node scripts/build-kernels.ts`. The results are
 * committed, so that the service needs no assembler.
 */
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { assembled, kernelModules } from "#scripts/assemble.ts";

for (const { source, data } of kernelModules) {
  const bytes = await assembled(source);
  writeFileSync(
    new URL(`../${data}`, import.meta.url),
    `/** Made by scripts/build-kernels.ts from ${basename(source)}. */\n` +
      `export const kernelsBase64 =\n  "${Buffer.from(bytes).toString("base64")}";\n`,
  );
  console.log(`${data}: ${bytes.length} bytes`);
}
