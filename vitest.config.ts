import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** What mocks a module has to load it anew; what measures memory wants a process of its own. */
const alone = [
  "server/archive/{blosc,map-step}.test.ts",
  "server/keys/keys.test.ts",
  "lib/grib2/damage.test.ts",
];

/** Node loads the modules by itself, as the service does: their transformation took a tenth of the processor's time. */
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
    // One a core: by itself Vitest leaves one idle.
    maxWorkers: availableParallelism(),
    // As the browser's tests: one that needed it is named at the end (scripts/test.mjs), and mended next.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
