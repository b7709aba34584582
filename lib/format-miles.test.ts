import { expect, it } from "vitest";
import { formatMiles } from "./format-miles.ts";
import { de } from "./messages/generated/de.ts";
import { en } from "./messages/generated/en.ts";
import { fr } from "./messages/generated/fr.ts";
import { ja } from "./messages/generated/ja.ts";

it("writes a distance in nautical miles, with tenths below ten unless told otherwise", () => {
  expect(formatMiles(140.752, en)).toBe("76 n mi");
  expect(formatMiles(-9.26, en)).toBe("−5.0 n mi");
  expect(formatMiles(9.26, en, 0)).toBe("5 n mi");
});

it("writes it in the unit and with the comma of the language", () => {
  expect([de, fr, ja].map((words) => formatMiles(9.26, words))).toEqual(["5,0 sm", "5,0\u00a0M", "5.0 海里"]);
});
