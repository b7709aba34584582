import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { temporaryFolders } from "#test/databases.ts";
import { putGzip } from "./gzip-blobs.ts";
import { TaskReader } from "./reader.ts";
import type { Task } from "./task.ts";

const folders = temporaryFolders();

it("a result is not served from the cache after it expired", async () => {
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
