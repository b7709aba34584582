import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { gribMessage } from "#test/grib-objects.ts";
import { fetchAll } from "./fetch-files.ts";
import type { FetchWork } from "./part-store.ts";

const bzip2 = path.join(
  import.meta.dirname,
  "../sources/fixtures/own/icon-eu/00/pmsl/icon-eu_europe_regular-lat-lon_single-level_2026010100_001_PMSL.grib2.bz2",
);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "all-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function fetched(objects: readonly string[], maxBytes?: number) {
  const count = { fetched: 0, reused: 0 };
  const work = { folder, count, signal: new AbortController().signal } as unknown as FetchWork;
  return fetchAll(folder, { kind: "all", objects }, work, maxBytes);
}

it("reads nothing of a file of a folder that is too large", async () => {
  const message = gribMessage(Buffer.alloc(100));
  await writeFile(path.join(folder, "a"), message);
  expect(await fetched(["a"], message.length)).toMatchObject({ bytes: message.length });
  await expect(fetched(["a"], message.length - 1)).rejects.toThrow(/a has more than \d+ bytes/);
});

it("takes files whose sum is as much as is allowed, and no more", async () => {
  const message = gribMessage(Buffer.alloc(100));
  await writeFile(path.join(folder, "a"), message);
  await writeFile(path.join(folder, "b"), gzipSync(message));
  expect(await fetched(["a", "b"], 2 * message.length)).toMatchObject({ bytes: 2 * message.length });
  await expect(fetched(["a", "b"], 2 * message.length - 1)).rejects.toThrow(/the part has more than/);
});

it("unpacks bzip2 up to what is allowed, and no further", async () => {
  await writeFile(path.join(folder, "a"), await readFile(bzip2));
  const whole = await fetched(["a"]);
  if (whole === "absent") throw new Error("absent");
  expect(await fetched(["a"], whole.bytes)).toMatchObject({ bytes: whole.bytes });
  await expect(fetched(["a"], whole.bytes - 1)).rejects.toThrow(/a cannot be unpacked: it has more than/);
});
