import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "vitest";

const folder = resolve(process.env.SAMPLES_DIR ?? "../shared/samples");

/** Folder of the real sample files; undefined when it does not exist. */
export const samplesDir: string | undefined = existsSync(folder) ? folder : undefined;

/**
 * Describes tests that read real samples. Without the samples one skipped test names what is missing, which
 * REQUIRE_SAMPLES=1 turns into a failure.
 *
 * @param tests Called only when the samples exist, so that it may read them while tests are collected. The body of a
 *   skipped `describe` would run anyway.
 */
export function describeWithSamples(name: string, tests: (samples: string) => void): void {
  if (samplesDir !== undefined) describe(name, () => tests(samplesDir));
  else if (process.env.REQUIRE_SAMPLES === "1")
    throw new Error(`REQUIRE_SAMPLES=1, but ${folder} does not exist`);
  else it.skip(`${name} (skipped: no samples at ${folder})`, () => {});
}
