import { describe, expect, it } from "vitest";
import { parseLimit } from "./limits.ts";

describe("a limit", () => {
  it.each([
    ["10 per 1 minute", 10, 60, "10 per 1 minute"],
    ["100000 per minute", 100_000, 60, "100000 per 1 minute"],
    ["5 per 2 hours", 5, 7200, "5 per 2 hour"],
    ["1 per 1 second", 1, 1, "1 per 1 second"],
    ["7 per 1 day", 7, 86_400, "7 per 1 day"],
  ])("parses %s and formats it as in the 429 body", (text, count, periodSeconds, normal) => {
    expect(parseLimit(text)).toEqual({ count, periodSeconds, text: normal });
  });

  it.each([
    "",
    "ten per minute",
    "0 per 1 minute",
    "10 per 0 minute",
    "10/minute",
    "-1 per 1 minute",
    "1e3 per 1 day",
    "10 per 1 week",
  ])("refuses %j instead of guessing", (text) => expect(parseLimit(text)).toBeUndefined());
});
