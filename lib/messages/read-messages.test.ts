import { expect, it } from "vitest";
import { passage } from "./generated/en/passage.ts";
import { en } from "./generated/en.ts";

it.each(["Gale", "constructor", "toString", "__proto__"])("a passage may be called %s", (name) => {
  expect(passage.outlook.print.heading({ name })).toContain(name);
  expect(en.language).toBe("en");
});
