import { describe, expect, it, vi } from "vitest";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import type { ClaimedTask } from "#server/tasks/queue.ts";
import type { PieceResult, RunTask } from "#server/tasks/worker.ts";
import { temporaryFolders } from "#test/databases.ts";
import { claimedTask, countedArchive, pointsBody, resultText, storeRequest } from "#test/piecewise.ts";
import { withSmallTasksHere } from "./small-tasks.ts";

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

  it("are computed by the thread that answers requests, not by the one that large tasks keep busy", async () => {
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
