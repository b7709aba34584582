import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "#test/archive.ts";
import { readJson, writeJson } from "./json-file.ts";

const schema = z.object({ count: z.number() });

it("reads what was written, and takes a file that is absent, cut or of another form as if there were none", async () => {
  const path = join(temporaryFolder(), "below", "file.json");
  expect(await readJson(path, schema, undefined)).toBeUndefined();
  await writeJson(path, { count: 3 });
  expect(await readJson(path, schema, undefined)).toEqual({ count: 3 });
  for (const text of ["", '{"count": 3', '{"count": "3"}', "null", "[]"]) {
    await writeFile(path, text);
    expect(await readJson(path, schema, "nothing"), text).toBe("nothing");
  }
  // A folder in its place is not a missing file.
  await expect(readJson(join(path, ".."), schema, undefined)).rejects.toThrow(/EISDIR/);
});
