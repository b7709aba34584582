import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path, { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "#test/archive.ts";
import { kill } from "#test/chaos/kill.ts";
import { temporaryFolders } from "#test/databases.ts";
import { spawnScripts } from "#test/processes.ts";
import { isDraft, readJson, sweepDrafts, writeJson } from "./files.ts";
import { processTag } from "./process-identity.ts";

const folders = temporaryFolders();
const start = spawnScripts();
let folder: string;
beforeEach(() => {
  folder = folders();
});

it("removes the draft of a killed process at the next start, and keeps the one that another process is writing", async () => {
  const file = path.join(folder, "deep", "file");
  const { child } = await start("test/processes/writer.ts", file);
  const drafts = () => readdirSync(path.dirname(file));
  const [draft] = drafts();
  expect(isDraft(draft!)).toBe(true);
  await sweepDrafts(folder, { recursive: true });
  expect(drafts()).toEqual([draft]);
  await kill(child);
  await sweepDrafts(folder);
  expect(drafts()).toEqual([draft]);
  await sweepDrafts(folder, { recursive: true });
  expect(drafts()).toEqual([]);
});

it("removes a draft of another machine or boot when nobody has written to it for an hour", async () => {
  const [pid, started] = processTag().split("-");
  const draft = (digits: string) => path.join(folder, `file.${pid}-${started}-00000000-${digits}.draft`);
  for (const digits of ["0000000a", "0000000b"]) writeFileSync(draft(digits), "half");
  utimesSync(draft("0000000a"), 1000, 1000);
  await sweepDrafts(folder);
  expect(readdirSync(folder)).toEqual([path.basename(draft("0000000b"))]);
});

const schema = z.object({ count: z.number() });

it("reads what was written, and treats a file that is absent, cut or of another form as missing", async () => {
  const path = join(temporaryFolder(), "below", "file.json");
  expect(await readJson(path, schema, undefined)).toBeUndefined();
  await writeJson(path, { count: 3 });
  expect(await readJson(path, schema, undefined)).toEqual({ count: 3 });
  for (const text of ["", '{"count": 3', '{"count": "3"}', "null", "[]"]) {
    await writeFile(path, text);
    expect(await readJson(path, schema, "nothing"), text).toBe("nothing");
  }
  // A folder in place of the file is an error, not a missing file.
  await expect(readJson(join(path, ".."), schema, undefined)).rejects.toThrow(/EISDIR/);
});
