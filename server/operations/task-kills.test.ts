import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { resultName } from "#server/tasks/worker.ts";
import { describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import {
  claimedTask,
  computeAll,
  countedArchive,
  now,
  pointsBody,
  resultText,
  storeRequest,
} from "#test/piecewise.ts";
import { newTask, openTestStore } from "#test/tasks.ts";
import { pieceComputer } from "./task-pieces.ts";

const POINTS = 3000;

const program = path.resolve(import.meta.dirname, "../../test/processes/task-worker.ts");

describeWithDatabase("a worker that is killed (SIGKILL) before and after its row names a piece", (fresh) => {
  const folder = temporaryFolders();

  it("computes no piece again that was stored, and ends with the result of an undisturbed run", {
    timeout: 300_000,
  }, async () => {
    const place = await fresh();
    const { store, database } = await openTestStore(place);
    const blobs = folderBlobStore(path.join(place.dataDir, "tasks"));
    const task = newTask("a", { size: POINTS, weatherNow: now });
    const body = pointsBody(POINTS);
    await storeRequest(blobs, task, body);
    await store.submit(task);
    // The worker uses the clock of the database.
    await database.prisma.$executeRaw`UPDATE task SET created_at = now(), available_at = now()`;

    const [before, after] = ["before the row names the blob", "when the row names the blob"] as const;
    const progress: number[] = [];
    let computed = 0;
    for (const moment of [after, before, after]) {
      const child = spawn(process.execPath, [program, place.databaseUrl, place.dataDir, moment], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [output, [, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
      expect(signal).toBe("SIGKILL");
      computed += output.split("\n").reduce((sum, count) => sum + Number(count), 0);
      const row = await database.prisma.task.findUniqueOrThrow({ where: { id: task.id } });
      progress.push(row.progress);
      // The next process does not have to wait for the lease to end.
      await database.prisma.$executeRaw`UPDATE task SET lease_until = now() WHERE lease_until IS NOT NULL`;
    }

    const row = await database.prisma.task.findUniqueOrThrow({ where: { id: task.id } });
    await database.close();
    expect(row.status).toBe("SUCCESS");
    const [share] = progress as [number, ...number[]];
    expect(share).toBeGreaterThan(0);
    expect(progress).toEqual([share, share, 1]);
    // Two processes computed the second of two pieces, because the first one had not recorded it; no process began at 0
    // again.
    expect(computed).toBe(2 * POINTS - Math.round(share * POINTS));

    const calm = folderBlobStore(folder());
    const undisturbed = claimedTask({ ...row, pieces: [], token: 1 } as never);
    await storeRequest(calm, undisturbed, body);
    await computeAll(
      pieceComputer({ archive: countedArchive(), blobs: calm, resultSeconds: 1 }),
      undisturbed,
    );
    expect(row.resultFile).toBe(resultName(row));
    expect(await resultText(blobs, row.resultFile!)).toBe(await resultText(calm));
  });
});
