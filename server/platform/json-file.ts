import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";
import { ifMissing, makeFolder, replaceFile } from "./files.ts";

/** What a file says; `instead` where there is none, where it is damaged, and where another version wrote it. */
export async function readJson<T, Other>(
  path: string,
  schema: z.ZodType<T>,
  instead: Other,
): Promise<T | Other> {
  const text = await readFile(path, "utf8").catch(ifMissing(undefined));
  if (text === undefined) return instead;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return instead;
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : instead;
}

/** Replaces a file durably; its folder is created if absent. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await makeFolder(dirname(path));
  await replaceFile(path, `${JSON.stringify(value)}\n`);
}
