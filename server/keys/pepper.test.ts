import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError } from "#server/platform/env.ts";
import { temporaryFolders } from "#test/databases.ts";
import { readPepper } from "./pepper.ts";

describe("the pepper of an embedded database", () => {
  const folder = temporaryFolders();
  const read = (dataDir: string) => readPepper({ dataDir }, { kind: "embedded", prisma: undefined as never });

  it("is one private file, even when several calls create it at once", async () => {
    const dataDir = path.join(folder(), "new");
    const peppers = await Promise.all([1, 2, 3].map(() => read(dataDir)));
    const file = path.join(dataDir, "key-pepper");
    expect(new Set([...peppers, readFileSync(file, "utf8")]).size).toBe(1);
    expect(peppers[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(["key-pepper"]);
  });

  it.each([
    ["empty", ""],
    ["too short", "0123456789abcde"],
    ["full of zeros", "\0".repeat(64)],
  ])("is refused when its file is %s, and the file is left as it is", async (_, content) => {
    const dataDir = folder();
    const file = path.join(dataDir, "key-pepper");
    writeFileSync(file, content);
    await expect(read(dataDir)).rejects.toThrow(ConfigError);
    await expect(read(dataDir)).rejects.toThrow(`${file} is damaged`);
    expect(readFileSync(file, "utf8")).toBe(content);
  });
});
