import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import facts from "#server/storms/parse/fixtures/facts.json" with { type: "json" };
import { parseText } from "./text.ts";

const textOf = (file: string) => readFileSync(join(import.meta.dirname, "fixtures", file), "utf8");

/** Cases that no real sample has, with the values written into them. See fixtures/make_fixtures.py. */
it.each(facts)("$file: $shows", ({ file, now, reports, problems }) => {
  const parsed = parseText(file, textOf(file), now);
  expect(parsed.problems).toEqual(problems);
  expect(parsed.reports).toMatchObject(reports);
  // Radii that were not written must not appear.
  const radii = (of: readonly { observed: readonly object[] }[]) =>
    of.flatMap(({ observed }) => observed.map((fix) => ("radiiKm" in fix ? fix.radiiKm : {})));
  expect(radii(parsed.reports)).toEqual(radii(reports));
});
