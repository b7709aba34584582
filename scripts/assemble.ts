import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import wabt from "wabt";

/** Modules in WebAssembly text, and the committed files with their bytes. */
export const kernelModules = [
  { source: "lib/field/kernels/kernels.wat", data: "lib/field/kernels/kernels.data.ts" },
  { source: "server/archive/kernels/planes.wat", data: "server/archive/kernels/planes.data.ts" },
  { source: "lib/grib2/ccsds.wat", data: "lib/grib2/ccsds.data.ts" },
  { source: "lib/grib2/jpeg2000/bit-planes.wat", data: "lib/grib2/jpeg2000/bit-planes.data.ts" },
  { source: "lib/grib2/jpeg2000/wavelets.wat", data: "lib/grib2/jpeg2000/wavelets.data.ts" },
] as const;

/** Assembles a module from its text. @param source Path from the root of the repository. */
export async function assembled(source: string): Promise<Uint8Array> {
  const { parseWat } = await wabt();
  const text = await readFile(new URL(`../${source}`, import.meta.url), "utf8");
  const module = parseWat(basename(source), text, { simd: true });
  module.resolveNames();
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}
