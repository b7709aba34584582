import { expect, it } from "vitest";
import { memoryEnvironment } from "./memory-settings.ts";

it("executes a process again with the memory settings, once", () => {
  const settled = memoryEnvironment({ PATH: "/bin" })!;
  expect(settled).toMatchObject({
    PATH: "/bin",
    MALLOC_ARENA_MAX: "2",
    NODE_OPTIONS: "--max-semi-space-size=8",
  });
  expect(memoryEnvironment(settled)).toBeUndefined();
});

it("gives precedence to settings of the operator", () => {
  const settled = memoryEnvironment({ MALLOC_ARENA_MAX: "8", NODE_OPTIONS: "--max-semi-space-size=64" })!;
  expect(settled.MALLOC_ARENA_MAX).toBe("8");
  // Node takes the last of two.
  expect(settled.NODE_OPTIONS).toBe("--max-semi-space-size=8 --max-semi-space-size=64");
});
