import { expect, it } from "vitest";
import { fieldNames } from "#lib/catalog/fields.ts";
import { plausible } from "./plausible.ts";

it.each(fieldNames)("has limits of %s: a new field is not published unchecked", (name) => {
  const { min, max } = plausible(name);
  expect(Number.isFinite(min) && Number.isFinite(max)).toBe(true);
});
