import { describe, expect, it } from "vitest";

/**
 * Describes tests that need a program of others. Without it one skipped test says so; with REQUIRE_CLIENTS=1 that is a failure.
 * The failure is of the test, not of its listing: packages may be on their way.
 *
 * @param program As it is named to whoever lacks it.
 * @param isThere Told whether it can be run.
 */
export function whereInstalled(
  name: string,
  program: string,
  isThere: () => boolean,
  describeTests: () => void,
): void {
  if (isThere()) describe(name, describeTests);
  else if (process.env.REQUIRE_CLIENTS === "1")
    it(name, () => expect(isThere(), `REQUIRE_CLIENTS=1, but there is no ${program}`).toBe(true));
  else it.skip(`${name} (skipped: there is no ${program})`, () => {});
}
