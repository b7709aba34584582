import { expect, it } from "vitest";
import { kernelsBase64 } from "#lib/field/kernels/kernels.data.ts";
import { assembledKernels } from "./assemble.ts";

it("the committed module is that of kernels.wat (otherwise run: node scripts/build-kernels.ts)", async () => {
  expect(Buffer.from(await assembledKernels()).toString("base64")).toBe(kernelsBase64);
});
