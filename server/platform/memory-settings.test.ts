import { expect, it } from "vitest";
import { memoryEnvironment } from "./memory-settings.ts";

it("begins a process anew with little memory, once", () => {
  const lean = memoryEnvironment({ PATH: "/bin" })!;
  expect(lean).toMatchObject({
    PATH: "/bin",
    MALLOC_ARENA_MAX: "2",
    NODE_OPTIONS: "--max-semi-space-size=8",
  });
  expect(memoryEnvironment(lean)).toBeUndefined();
});

it("leaves what somebody chose: an arena more, another size of the young generation", () => {
  const lean = memoryEnvironment({ MALLOC_ARENA_MAX: "8", NODE_OPTIONS: "--max-semi-space-size=64" })!;
  expect(lean.MALLOC_ARENA_MAX).toBe("8");
  // Node takes the last of two.
  expect(lean.NODE_OPTIONS).toBe("--max-semi-space-size=8 --max-semi-space-size=64");
});
