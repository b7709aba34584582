import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { clientTypes } from "#scripts/client-types/client-types.ts";
import { declarationsOf } from "#scripts/client-types/declarations.ts";
import { typeOf } from "#scripts/client-types/type-of.ts";

const folder = path.join(import.meta.dirname, "../../clients/typescript/src/contract");

it("the types are those of the contract: otherwise run `node scripts/client-types.ts`", () => {
  const written = readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(clientTypes()));
});

it("a schema that no type is known for is an error, and never a type that is too wide", () => {
  expect(() => typeOf({ type: "tuple" }, () => undefined)).toThrow("No TypeScript type is known");
  expect(() => declarationsOf({ New: { type: "object" } }, {})).toThrow("+New");
});
