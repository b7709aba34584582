import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test.each([
  [0, "0 kB"],
  [400, "1 kB"],
  [340_000, "340 kB"],
  [2_100_000, "2.1 MB"],
  [3.2e9, "3.2 GB"],
])("writes %d bytes as %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
