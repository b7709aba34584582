import { existsSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";

const build = path.resolve(import.meta.dirname, "../.next/BUILD_ID");

/**
 * Describes tests that need the built pages. Without them one skipped test says so, which REQUIRE_BROWSER=1 turns into
 * a failure.
 *
 * @param describeTests Called only where the pages are built.
 */
export function whereBuilt(name: string, describeTests: () => void): void {
  if (existsSync(build)) describeTests();
  else if (process.env.REQUIRE_BROWSER === "1")
    throw new Error(`REQUIRE_BROWSER=1, but there is no ${build}`);
  else it.skip(`${name} (skipped: the pages are not built)`, () => {});
}
