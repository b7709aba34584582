// Computes the tasks of a database piece by piece until it kills itself at a named moment. It writes the number of
// points of each read. task-kills.test.ts runs it.

import { writeSync } from "node:fs";
import path from "node:path";
import { pieceComputer } from "#server/operations/task-pieces.ts";
import { openDatabase } from "#server/platform/db.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { TaskQueue } from "#server/tasks/queue.ts";
import { TaskWorker } from "#server/tasks/worker.ts";
import { countedArchive } from "#test/piecewise.ts";
import { testLimits } from "#test/tasks.ts";

const [databaseUrl, dataDir, moment] = process.argv.slice(2) as [string, string, string];

function dieAt(now: string): void {
  if (now === moment) process.kill(process.pid, "SIGKILL");
}

const database = await openDatabase({ dataDir, databaseUrl });
const folder = folderBlobStore(path.join(dataDir, "tasks"));
const blobs: typeof folder = {
  ...folder,
  async put(...blob) {
    await folder.put(...blob);
    dieAt("before the row names the blob");
  },
};
const queue = new TaskQueue(database.prisma, testLimits);
const [advance, succeed] = [queue.advance.bind(queue), queue.succeed.bind(queue)];
queue.advance = async (...piece) => {
  await advance(...piece);
  dieAt("when the row names the blob");
  return true;
};
queue.succeed = async (...result) => {
  await succeed(...result);
  dieAt("when the row names the blob");
  return true;
};
const archive = countedArchive((points) => writeSync(1, `${points}\n`));
const compute = pieceComputer({ archive, blobs, resultSeconds: testLimits.resultSeconds, pieceMs: 0 });
const worker = new TaskWorker({
  queue,
  blobs,
  run: (task, file, hooks) => compute({ task, file }, hooks),
  log: { info() {}, warn() {}, error() {} },
  concurrency: 1,
  maxSeconds: 60,
});
worker.start();
