import { expect, it } from "vitest";
import { memoryEnvironment } from "./memory-settings.ts";

it("executes a process again with the memory settings, once", () => {
  const settled = memoryEnvironment({ PATH: "/bin" })!;
  expect(settled).toMatchObject({
    PATH: "/bin",
    MALLOC_ARENA_MAX: "2",
    NODE_OPTIONS: "--max-semi-space-size=8 --max-old-space-size=512",
  });
  expect(memoryEnvironment(settled)).toBeUndefined();
});

it("limits the heap to the memory of the process", () => {
  const options = (MEMORY_MB: string) => memoryEnvironment({ MEMORY_MB })!.NODE_OPTIONS;
  expect(options("2048")).toContain("--max-old-space-size=2048");
  expect(options("-1")).toContain("--max-old-space-size=512");
});

it("gives precedence to settings of the operator", () => {
  const settled = memoryEnvironment({ MALLOC_ARENA_MAX: "8", NODE_OPTIONS: "--max-semi-space-size=64" })!;
  expect(settled.MALLOC_ARENA_MAX).toBe("8");
  // Node takes the last of two.
  expect(settled.NODE_OPTIONS).toBe(
    "--max-semi-space-size=8 --max-old-space-size=512 --max-semi-space-size=64",
  );
});
