import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that mock a module have to load it anew; tests that measure memory need a process of their own. */
const alone = [
  "server/archive/{blosc,map-step}.test.ts",
  "server/keys/keys.test.ts",
  "lib/grib2/damage.test.ts",
];

/** Node loads the modules itself, as in the service, because transforming them took a tenth of the processor's time. */
const experimental = { viteModuleRunner: false };

export default defineConfig({
  test: {
    // Files share a worker, which loads each module once: that took more of the processor's time than the tests themselves.
    isolate: false,
    unstubGlobals: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: { name: "pages", include: ["{app,components}/**/*.test.{ts,tsx}"], pool: "threads" },
      },
      {
        extends: true,
        test: {
          name: "node",
          include: ["{lib,server,prisma,test,scripts,clients}/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...alone],
          // A test that starts a process of its own waits for a line of output, never for time.
          pool: "forks",
          globalSetup: "test/postgres-of-run.ts",
          experimental,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: alone,
          pool: "forks",
          isolate: true,
          experimental,
          globalSetup: "test/postgres-of-run.ts",
        },
      },
    ],
    // One worker for each core; by default Vitest leaves one core idle.
    maxWorkers: availableParallelism(),
    // As in the browser tests, scripts/test.mjs names a test that needed a retry at the end, so that it is repaired.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
