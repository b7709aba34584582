import { expect, it } from "vitest";
import { fieldNames, fields } from "./fields.ts";

it.each(fieldNames)(
  "has a range of %s, narrower than what the archive can store: a new field is not published unchecked",
  (name) => {
    const { min, max, scale, offset } = fields[name];
    expect(min).toBeLessThan(max);
    expect(min).toBeGreaterThan(offset - 32_767 * scale);
    expect(max).toBeLessThan(offset + 32_767 * scale);
  },
);
