import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe } from "vitest";

const asked = resolve(process.env.SAMPLES_DIR ?? "../shared/samples");

/** Folder of the real sample files; undefined where there is none. */
export const samplesDir: string | undefined = existsSync(asked) ? asked : undefined;

/**
 * Describes tests that read real samples. Without the samples they are skipped and the name says so; with
 * REQUIRE_SAMPLES=1 that is a failure.
 */
export function describeWithSamples(name: string, tests: (samples: string) => void): void {
  if (samplesDir !== undefined) describe(name, () => tests(samplesDir));
  else if (process.env.REQUIRE_SAMPLES === "1")
    throw new Error(`REQUIRE_SAMPLES=1, but there is no ${asked}`);
  else describe.skip(`${name} (skipped: no samples at ${asked})`, () => tests(asked));
}
