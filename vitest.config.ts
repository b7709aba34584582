import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,components,lib,server,prisma}/**/*.test.{ts,tsx}"],
    // Two cores: a fork a core. A test that starts a process of its own waits for a line of output, never for time.
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
