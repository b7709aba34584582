import { readFile } from "node:fs/promises";
import wabt from "wabt";

const SOURCE = new URL("../../lib/field/kernels/kernels.wat", import.meta.url);

/** The bytes of the module that lib/field/kernels/kernels.wat describes. */
export async function assembledKernels(): Promise<Uint8Array> {
  const { parseWat } = await wabt();
  const module = parseWat("kernels.wat", await readFile(SOURCE, "utf8"), { simd: true });
  module.resolveNames();
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}
