import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { clientTypes } from "#scripts/client-types.ts";

const file = path.join(import.meta.dirname, "../../clients/typescript/src/contract.ts");

it("the types are those of the contract: otherwise run `node scripts/client-types.ts`", async () => {
  expect(readFileSync(file, "utf8")).toBe(await clientTypes());
});
