import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "#server/platform/db.ts";
import { directoryFeed } from "#server/storms/refresh.ts";
import { StormStore } from "#server/storms/store.ts";
import { stormThread } from "#server/storms/storm-thread.ts";
import type { Reader } from "./run-schedule.ts";

/**
 * A reader as it is in service: a directory, the storms' thread and PostgreSQL. A restart ends the thread and the connection.
 *
 * @param options Of an empty database.
 */
export async function databaseReader(options: Parameters<typeof openDatabase>[0]) {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-replay-"));
  const mirrored = path.join(folder, "mirror");
  let database = await openDatabase(options);
  let thread = stormThread();
  let store = new StormStore(database.prisma);
  const close = async () => {
    await thread.close();
    await database.close();
  };
  const reader: Reader = {
    store: {
      snapshot: (key) => store.snapshot(key),
      replace: (...row) => store.replace(...row),
    },
    derive: (input) => thread.derive(input),
    async restart() {
      await close();
      database = await openDatabase(options);
      thread = stormThread();
      store = new StormStore(database.prisma);
    },
    async mirror(texts, provider, now) {
      await rm(mirrored, { recursive: true, force: true });
      if (texts) await mkdir(mirrored);
      for (const [source, text] of texts ?? []) {
        const file = path.join(mirrored, source);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, text);
      }
      return { texts: directoryFeed(provider, mirrored, now).texts };
    },
  };
  return {
    reader,
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
