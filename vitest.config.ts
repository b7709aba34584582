import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: ["{app,components,lib}/**/*.test.{ts,tsx}"],
          // What has no state but its stubs shares a thread and loads each module once: half the processor's time.
          pool: "threads",
          isolate: false,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          name: "effects",
          include: ["{server,prisma,test,scripts,clients}/**/*.test.{ts,tsx}"],
          // A test that starts a process of its own waits for a line of output, never for time.
          pool: "forks",
          globalSetup: "test/postgres-of-run.ts",
        },
      },
    ],
    // One a core: by itself Vitest leaves one idle.
    maxWorkers: availableParallelism(),
    // As the browser's tests: one that needed it is named at the end (scripts/test.mjs), and mended next.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
