import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { temporaryFolders } from "#test/databases.ts";
import { putGzip } from "./gzip-blobs.ts";
import { TaskReader } from "./reader.ts";
import type { Task } from "./task.ts";

const folders = temporaryFolders();
const UNPACKED = 1_500_000;

it("cached results take as much of the budget as they take of memory, not as little as they take on disk", async () => {
  const blobs = folderBlobStore(folders());
  const { bytes, hash } = await putGzip(blobs, "result", [Buffer.alloc(UNPACKED)]);
  expect(bytes).toBeLessThan(8192);
  let asked = 0;
  const find = async (_owner: string, id: string) => {
    asked++;
    return { id, status: "SUCCESS", resultFile: "result", resultBytes: bytes, resultHash: hash } as Task;
  };
  const reader = new TaskReader({ find, secondsLeft: async () => 60 }, { waiting: async () => [] }, blobs);
  const ids = Array.from({ length: 12 }, () => randomUUID());
  for (const id of ids) expect((await reader.find("me", id))?.result?.plain).toHaveLength(UNPACKED);
  expect(asked).toBe(12);
  await reader.find("me", ids[11]!);
  expect(asked).toBe(12);
  // Twelve of them are 18 MB, of which 16 MiB are cached.
  await reader.find("me", ids[0]!);
  expect(asked).toBe(13);
});

it("a result is not served from the cache beyond its expiry", async () => {
  const blobs = folderBlobStore(folders());
  const { bytes, hash } = await putGzip(blobs, "result", [Buffer.from("{}")]);
  let elapsed = 1000;
  const find = async (_owner: string, id: string) =>
    ({ id, status: "SUCCESS", resultFile: "result", resultBytes: bytes, resultHash: hash }) as Task;
  const secondsLeft = async () => (1500 - elapsed) / 1000;
  const reader = new TaskReader({ find, secondsLeft }, { waiting: async () => [] }, blobs, () => elapsed);
  const id = randomUUID();
  expect(await reader.find("me", id)).toMatchObject({ expired: false, result: { plain: Buffer.from("{}") } });
  elapsed = 1499;
  expect((await reader.find("me", id))?.expired).toBe(false);
  elapsed = 1502;
  expect(await reader.find("me", id)).toMatchObject({ expired: true });
});
