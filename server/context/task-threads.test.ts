import { describe, expect, it, vi } from "vitest";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import type { ClaimedTask } from "#server/tasks/queue.ts";
import type { PieceResult, RunTask } from "#server/tasks/worker.ts";
import { temporaryFolders } from "#test/databases.ts";
import { claimedTask, countedArchive, pointsBody, resultText, storeRequest } from "#test/piecewise.ts";
import { aheadPoint, allRound, stormOf } from "#test/storms.ts";
import { stormsFor, withSmallTasksHere } from "./task-threads.ts";

describe("small tasks", () => {
  const folder = temporaryFolders();
  const blobs = folderBlobStore(folder());
  const elsewhere: RunTask = vi.fn(async (): Promise<PieceResult> => ({ share: 0.5, bytes: 1 }));
  const run = withSmallTasksHere({ archive: countedArchive(), blobs, resultSeconds: 60 }, elsewhere);
  const hooks = { signal: new AbortController().signal, progress: () => {} };
  const outcomeOf = async (more: Partial<ClaimedTask>, body: object = pointsBody(100)) => {
    const task = claimedTask({ isSmall: true, runsAlone: false, size: 100, ...more });
    await storeRequest(blobs, task, body);
    return run(task, "the-result", hooks);
  };

  it("are computed by the request thread, not by the thread that large tasks occupy", async () => {
    expect(await outcomeOf({})).toMatchObject({ stored: { bytes: expect.any(Number) } });
    expect(elsewhere).not.toHaveBeenCalled();
    expect((await resultText(blobs)).match(/"conditions"/g)).toHaveLength(100);
  });

  it.each([
    ["is large", { isSmall: false }, undefined],
    ["runs alone, because it may have ended its process", { runsAlone: true }, undefined],
    ["has a body that takes long to read", {}, pointsBody(1, { ignored: " ".repeat(64 * 1024) })],
  ])("leave the rest to other threads: a task that %s", async (_, more, body) => {
    expect(await outcomeOf(more, body)).toEqual({ share: 0.5, bytes: 1 });
  });
});

it("the first piece of passages gets the received storms of each provider, other pieces get none", async () => {
  const entry = stormOf([aheadPoint(0, { latitude: 20, longitude: 180 }, allRound(200, 90, null))]);
  const published = vi.fn(async (provider: string) =>
    provider === "jtwc" ? ({ entries: [entry] } as never) : undefined,
  );
  const found = await stormsFor({ kind: "passages/evaluate", pieces: [] }, { published });
  expect(found).toEqual({ jtwc: [entry] });
  published.mockClear();
  expect(await stormsFor({ kind: "passages/evaluate", pieces: [1] }, { published })).toBeUndefined();
  expect(await stormsFor({ kind: "MetOcean", pieces: [] }, { published })).toBeUndefined();
  expect(published).not.toHaveBeenCalled();
  expect(await stormsFor({ kind: "passages/optimise", pieces: [] }, { published })).toEqual(found);
});
