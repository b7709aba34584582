import { expect, it } from "vitest";
import { stormName } from "./message.ts";

it.each([
  "TWO",
  "Two-C",
  "ONE-E",
  "TWENTY-ONE-E",
  "TWENTYONE-",
  "SEVENTEEN-",
  "INVEST",
  "GENESIS004",
  "TWO C",
])("%s is a number or a placeholder, and no name", (text) => {
  expect(stormName(text)).toBeNull();
});

it.each(["SURIGAE", "IN-FA", "SAN-BA", "KONG-REY", "LALA"])("%s is a name", (text) => {
  expect(stormName(text)).toBe(text);
});
