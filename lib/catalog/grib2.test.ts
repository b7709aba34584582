import { expect, it } from "vitest";
import type { FieldName } from "./fields.ts";
import { variable, variableNames } from "./variables.ts";

it("every output of every variable is in GRIB2 files, or the variable says why it is not", () => {
  for (const name of variableNames) {
    const rows = variable(name).grib2;
    if (typeof rows === "string") {
      expect(rows.length, name).toBeGreaterThan(20);
      continue;
    }
    const written = new Set(
      rows.flatMap(({ from }): readonly FieldName[] => (from.is === "value" ? [from.of] : from.of)),
    );
    for (const output of variable(name).outputs)
      for (const field of output.of) expect(written, `${name}: ${field}`).toContain(field);
  }
});
