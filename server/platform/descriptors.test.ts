import { expect, it } from "vitest";
import { maxConnectionsOf, openFilesOf, refusedAtOnceOf } from "./descriptors.ts";

it("of the descriptors of a process, some are left for files and the database: 768 of 1,024 are for connections", () => {
  expect(maxConnectionsOf(1024)).toBe(768);
  expect(maxConnectionsOf(1_048_576)).toBe(1_048_320);
  expect(maxConnectionsOf(256)).toBe(128);
  expect(maxConnectionsOf(undefined)).toBe(Number.POSITIVE_INFINITY);
});

it("as many refused connections are answered at once as descriptors are left, and some in any case", () => {
  expect(refusedAtOnceOf(1024, 768)).toBe(64);
  expect(refusedAtOnceOf(1024, 100)).toBe(668);
  expect(refusedAtOnceOf(524_288, 4096)).toBe(2048);
  expect(refusedAtOnceOf(undefined, 4096)).toBe(2048);
});

it("reads the limit in force from Linux's table, and takes no word for a number", () => {
  const table = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax core file size        0                    unlimited            bytes     \nMax open files            ${soft}                524288               files     \n`;
  expect(openFilesOf(table("1024"))).toBe(1024);
  expect(openFilesOf(table("unlimited"))).toBeUndefined();
  expect(openFilesOf("")).toBeUndefined();
});
