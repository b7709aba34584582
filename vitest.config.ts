import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,components,lib,server,prisma,test,scripts}/**/*.test.{ts,tsx}"],
    // A fork a core: by itself Vitest leaves one idle. A test that starts a process of its own waits for a line of output,
    // never for time.
    pool: "forks",
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
