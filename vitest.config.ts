import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,components,lib,server,prisma,test,scripts}/**/*.test.{ts,tsx}"],
    // A fork a core: by itself Vitest leaves one idle. A test that starts a process of its own waits for a line of output,
    // never for time.
    pool: "forks",
    maxWorkers: availableParallelism(),
    // As the browser's tests: one that needed it is named at the end (scripts/test.mjs), and mended next.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
