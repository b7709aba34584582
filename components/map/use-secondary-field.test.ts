import { expect, it } from "vitest";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { onlyOf } from "./use-secondary-field.ts";

const pair = {} as FramePair;
const run = {} as DrawableRun;

it("lines of another time than the colours are not drawn, those without a time always are", () => {
  const lines = { pair, run, time: 6 };
  expect(onlyOf(lines, 6)).toBe(lines);
  expect(onlyOf(lines, 3)).toEqual({ pair: undefined, run: undefined, time: 6 });
  const depth = { pair, run, time: undefined };
  expect(onlyOf(depth, 3)).toBe(depth);
});
