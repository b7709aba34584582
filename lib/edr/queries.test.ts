import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { readDatetime } from "./queries.ts";

const noon = parseInstant("2026-01-01T12:00:00Z");
const midnight = noon + 12 * 3600;

it.each([
  ["2026-01-01T12:00:00Z", noon, noon],
  ["2026-01-01T12:00Z", noon, noon],
  ["2026-01-01t12:00:00.000z", noon, noon],
  ["2026-01-01T14:00:00+02:00", noon, noon],
  ["2026-01-01T14:00:00 02:00", noon, noon],
  ["2026-01-01T12:00:00Z/2026-01-02T00:00:00Z", noon, midnight],
  ["2026-01-01T12:00:00Z/..", noon, Infinity],
  ["2026-01-01T12:00:00Z/", noon, Infinity],
  ["../2026-01-02T00:00:00Z", -Infinity, midnight],
  ["/2026-01-02T00:00:00Z", -Infinity, midnight],
  ["../..", -Infinity, Infinity],
  ["2026-01-01T12:00:00.750Z", noon, noon],
  ["2026-01-01/2026-01-02", noon - 12 * 3600, midnight + 24 * 3600 - 1],
  ["2026-01-02/..", midnight, Infinity],
])("%s is read", (text, from, to) => {
  expect(readDatetime(text)).toEqual({ from, to, isInstant: !text.includes("/") });
});

it("a day is all of it", () => {
  expect(readDatetime("2026-01-02")).toEqual({
    from: midnight,
    to: midnight + 24 * 3600 - 1,
    isInstant: false,
  });
});

it("is all times where it is absent", () => {
  expect(readDatetime(undefined)).toEqual({ from: -Infinity, to: Infinity, isInstant: false });
});

it.each([
  "",
  "..",
  "/",
  "now",
  "2026-01",
  "2026-02-30T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:00",
  "2026-01-01T00:00:00.Z",
  "2026-01-01T00:00:00+25:00",
  "2026-01-02T00:00:00Z/2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00Z/2026-01-01T00:00:00Z/2026-01-01T00:00:00Z",
  "R5/2026-01-01T00:00:00Z/PT1H",
  "/".repeat(10_000),
])("%.40s is refused", (text) => {
  expect(() => readDatetime(text)).toThrow(/^datetime: /);
});
