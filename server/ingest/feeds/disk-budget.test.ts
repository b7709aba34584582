import { join } from "node:path";
import { expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { freeBytes } from "#server/platform/files.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { newRun, publish, temporaryFolder } from "#test/archive.ts";
import { diskBudget } from "./plan-feeds.ts";

const grid = {
  latitude: { start: 0, step: 1, count: 4 },
  longitude: { start: 0, step: 1, count: 4 },
};

async function archiveWithRun(): Promise<{ archive: string; bytes: number }> {
  const archive = temporaryFolder();
  const run = await publish(archive, newRun(grid, 2), {
    air_temperature: [new Float32Array(16).fill(1), new Float32Array(16).fill(2)],
  });
  let bytes = 0;
  for await (const file of folderBlobStore(join(archive, run.path)).list()) bytes += file.bytes;
  return { archive, bytes };
}

it("lets the archive grow to FEED_DISK_MB and no further, and says what can be done", async () => {
  const { archive, bytes } = await archiveWithRun();
  const budget = diskBudget(folderArchive(archive), bytes + 1000, 0);
  expect(await budget.used()).toBe(bytes);
  expect(await budget.refusal(1000)).toBeUndefined();
  expect(await budget.refusal(1001)).toMatch(/FEED_DISK_MB allows.*raise it, retain less/);
  await publish(archive, newRun(grid, 2, "another"), { air_temperature: [new Float32Array(16)] });
  expect((await readManifest(archive)).runs).toHaveLength(2);
  expect(await budget.refusal(1000)).toMatch(/FEED_DISK_MB/);
});

it("leaves MIN_FREE_MB of the disk free", async () => {
  const archive = join(temporaryFolder(), "not there yet");
  const half = (await freeBytes(join(archive, ".."))) / 2;
  const budget = diskBudget(folderArchive(archive), undefined, half);
  expect(await budget.refusal(0)).toBeUndefined();
  expect(await budget.refusal(2 * half)).toMatch(/MIN_FREE_MB stays free/);
});
