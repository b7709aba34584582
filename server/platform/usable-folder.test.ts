import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolders } from "#test/databases.ts";
import { ConfigError } from "./env.ts";
import { cannotBeUsed, prepareFolder } from "./usable-folder.ts";

describe("a folder of a setting", () => {
  const folder = temporaryFolders();

  it("is created with its parents, and tried without leaving anything behind", async () => {
    const below = path.join(folder(), "a/b/c");
    await prepareFolder(below, "DATA_DIR=x");
    expect(readdirSync(below)).toEqual([]);
    await prepareFolder(below, "DATA_DIR=x");
  });

  it.each([
    [
      "a link to nothing",
      (at: string) => symlinkSync("/nowhere/x", at),
      "",
      "$at is a link to /nowhere/x, which does not exist",
    ],
    [
      "below a link to nothing",
      (at: string) => symlinkSync("/nowhere/x", at),
      "/b",
      "$at is a link to /nowhere/x, which does not exist",
    ],
    ["a link to itself", (at: string) => symlinkSync(at, at), "", "$at is a link that leads back to itself"],
    [
      "below a link to itself",
      (at: string) => symlinkSync(at, at),
      "/b",
      "$at/b leads through a link that leads back to itself",
    ],
    ["a file", (at: string) => writeFileSync(at, ""), "", "$at is not a folder"],
    ["below a file", (at: string) => writeFileSync(at, ""), "/b/c", "$at is not a folder"],
    [
      "a link to a file",
      (at: string) => symlinkSync(import.meta.filename, at),
      "",
      `$at is a link to ${import.meta.filename}, which is not a folder`,
    ],
    ["too long a name", () => {}, `/${"x".repeat(256)}`, "its path is longer than this system allows"],
  ])("that is %s is refused in a sentence that says so", async (_, make, below, reason) => {
    const at = path.join(folder(), "a");
    make(at);
    await expect(prepareFolder(at + below, "DATA_DIR=x")).rejects.toThrow(
      new ConfigError(`DATA_DIR=x cannot be used: ${reason.replace("$at", at)}.`),
    );
  });

  // Node's recursive mkdir never returns for such a path.
  it.runIf(process.platform === "linux").each(["/proc/metocean", "/proc/metocean/below", "/proc"])(
    "%s is refused, and at once",
    async (at) => {
      await expect(prepareFolder(at, "DATA_DIR=x")).rejects.toThrow("the system creates nothing in /proc.");
    },
  );

  it.each([
    ["EROFS", "the file system of /a is read-only"],
    ["ENOSPC", "the disk of /a is full"],
    ["EDQUOT", "the quota of the disk of /a is used up"],
    ["EIO", "the text of the system"],
  ])("is refused in a sentence where the system says %s", async (code, reason) => {
    const error = Object.assign(new Error("the text of the system"), { code, path: "/a/trial" });
    expect((await cannotBeUsed("/a", "DATA_DIR=/a", error)).message).toBe(
      `DATA_DIR=/a cannot be used: ${reason}.`,
    );
  });

  it("of another user is refused with the names of its owner and of the service's user", async () => {
    const at = path.join(folder(), "a");
    mkdirSync(at);
    chmodSync(at, 0o500);
    const error = Object.assign(new Error(), { code: "EACCES", path: path.join(at, "trial") });
    const getuid = process.getuid!;
    process.getuid = () => 12_345;
    try {
      expect((await cannotBeUsed(at, "DATA_DIR=x", error)).message).toBe(
        `DATA_DIR=x cannot be used: ${at} belongs to user ${getuid()} (mode 500), and the service runs as user 12345.`,
      );
    } finally {
      process.getuid = getuid;
    }
  });
});
