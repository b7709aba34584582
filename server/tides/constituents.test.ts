import { readFileSync } from "node:fs";
import { stations } from "@neaps/tide-database";
import { expect, it } from "vitest";
import { termsOf } from "./constants.ts";
import { isKnown } from "./constituents.ts";
import { HarmonicSum } from "./harmonics.ts";

/**
 * f cos(V + u) of each constituent at some times, computed from the tide-generating potential by
 * fixtures/make_oracle.py.
 */
const oracle: { times: number[]; values: Record<string, number[]> } = JSON.parse(
  readFileSync(new URL("./fixtures/arguments.oracle.json", import.meta.url), "utf8"),
);
const used = new Set(
  stations.flatMap((station) =>
    termsOf(station).flatMap(({ name, amplitude }) => (amplitude > 0 && isKnown(name) ? [name] : [])),
  ),
);

it.each([...used].sort())("the equilibrium argument of %s is the published one", (name) => {
  const sum = new HarmonicSum([{ name, amplitude: 1, phase: 0 }], 0);
  const faults = oracle.times.map((time, at) => Math.abs(sum.at(time) - oracle.values[name]![at]!));
  expect(Math.max(...faults)).toBeLessThan(0.05);
});
