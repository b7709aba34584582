import { expect, it } from "vitest";
import { isSoftware } from "./unasked-particles.ts";

it.each([
  ["ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)", true],
  ["llvmpipe (LLVM 17.0.6, 256 bits)", true],
  ["ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C) Direct3D11)", true],
  ["Apple Software Renderer", true],
  ["", true],
  ["ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x00002503) Direct3D11 vs_5_0 ps_5_0, D3D11)", false],
  ["Apple GPU", false],
  ["Mali-G78", false],
])("%s draws by a processor: %s", (renderer, software) => {
  expect(isSoftware(renderer)).toBe(software);
});
