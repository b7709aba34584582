import { describe, expect, it } from "vitest";
import { readDecimal, readTypedDecimal } from "./decimal.ts";

describe("readDecimal", () => {
  it.each([
    ["48.5", 48.5],
    ["-5", -5],
    ["+5.", 5],
    [".5", 0.5],
    ["5.0E-4", 0.0005],
  ])("reads %j", (text, number) => expect(readDecimal(text)).toBe(number));

  it.each([
    "",
    " ",
    "0x10",
    "0b1",
    "0o7",
    "Infinity",
    "1e400",
    "NaN",
    "1_000",
    "1,5",
    " 5",
    "5n",
    "--5",
    ".",
    "12 34",
  ])("takes %j for no number", (text) => expect(readDecimal(text)).toBeNaN());
});

describe("readTypedDecimal", () => {
  it("reads a decimal comma, a minus sign and spaces around", () => {
    expect([" 6,5 ", "−3", "\t7\n"].map(readTypedDecimal)).toEqual([6.5, -3, 7]);
  });

  it.each(["", " ", "0x10", "1,000.5", "1,2,3"])("takes %j for no number", (text) =>
    expect(readTypedDecimal(text)).toBeNaN(),
  );
});
