import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { beginRun } from "#server/archive/writer.ts";
import { readPepper } from "#server/keys/pepper.ts";
import { NoSpaceError } from "#server/platform/errors.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { putGzip } from "#server/tasks/gzip-blobs.ts";
import { newRun } from "#test/archive.ts";
import { temporaryFolders } from "#test/databases.ts";
import { recordChanges } from "./record.ts";

interface Named {
  path: string;
}

describe("a full disk", () => {
  const folders = temporaryFolders();
  let root: string;
  beforeEach(() => {
    root = path.join(folders(), "disk");
    mkdirSync(root);
  });

  it("refuses a blob, leaves no part of it, and accepts it when there is space again", async () => {
    const blobs = folderBlobStore(root);
    await recordChanges(root, async (disk) => {
      await putGzip(blobs, "old", [Buffer.from("old")]);
      disk.fill(1);
      await expect(putGzip(blobs, "new", [Buffer.from("new")])).rejects.toThrow(NoSpaceError);
      expect(readdirSync(root)).toEqual(["old"]);
      await putGzip(blobs, "new", [Buffer.from("new")]);
    });
    expect(readdirSync(root)).toEqual(["new", "old"]);
  });

  it("leaves the reserve of the database free", async () => {
    const blobs = folderBlobStore(root, { reserveBytes: Number.MAX_SAFE_INTEGER });
    await expect(putGzip(blobs, "new", [Buffer.from("new")])).rejects.toThrow(NoSpaceError);
    expect(readdirSync(root)).toEqual([]);
  });

  it("ends a first start without a pepper, and the next start creates it", async () => {
    const read = () => readPepper({ dataDir: root }, { kind: "embedded", prisma: undefined as never });
    await recordChanges(root, async (disk) => {
      disk.fill(1);
      await expect(read()).rejects.toThrow("no space left");
      expect(readdirSync(root)).toEqual([]);
      await read();
    });
    expect(readdirSync(root)).toEqual(["key-pepper"]);
  });

  it("at any moment of a publication leaves the old run in force and nothing of the new one, and the next publication succeeds", async () => {
    const grid = {
      latitude: { start: -90, step: 30, count: 7 },
      longitude: { start: -180, step: 30, count: 12 },
    };
    const run = newRun(grid, 1);
    const put = async (value: number) => {
      const writer = await beginRun(root, run);
      try {
        await writer.writeField("eastward_wind_10m", {}, async () => new Float32Array(84).fill(value));
        return await writer.publish();
      } finally {
        await writer.abandon();
      }
    };
    await recordChanges(root, async (disk) => {
      let { id } = await put(0);
      for (let writes = 0, failures = 1; failures > 0; writes++) {
        failures = 0;
        disk.fill(1, writes);
        const published = await put(writes + 1).catch((error: Error) => {
          failures++;
          expect(error.message).toContain("no space left");
        });
        disk.fill(0);
        const manifest: { runs: Named[]; replaced?: Named[] } = await openCatalog(
          directoryStore(root),
        ).manifest();
        id = published?.id ?? id;
        expect(manifest.runs.map((each) => each.path)).toEqual([`runs/${id}`]);
        const named = [...manifest.runs, ...(manifest.replaced ?? [])].map((each) =>
          path.basename(each.path),
        );
        expect(readdirSync(path.join(root, "runs")).toSorted()).toEqual(named.toSorted());
        expect(readdirSync(path.join(root, "staging"))).toEqual([]);
        expect(readdirSync(root).toSorted()).toEqual(["manifest.json", "runs", "staging"]);
      }
    });
  });
});
