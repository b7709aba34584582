import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { testAnswers, testConversions } from "#test/answers.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore, testLimits } from "#test/tasks.ts";
import { putGzip } from "./gzip-blobs.ts";
import { pieceName, putPiece } from "./pieces.ts";
import { countConverted, Storage } from "./storage.ts";
import { Tasks } from "./tasks.ts";
import { resultName } from "./worker.ts";

const log = { info() {}, warn() {}, error() {} };
const { signal } = new AbortController();

/** A result of one point. */
const envelope = `{"task_id":["a"],"status":"SUCCESS","result":{"results":[{"coordinates":{"latitude":48.5,"longitude":-5.2,"timestamp":"2026-01-01T00:00:00Z"},"conditions":{"Winds_10m_Direction":12.3}}],"execution_time":"0 s"}}`;

describeWithDatabase("what rows say that is stored", (fresh) => {
  let test: TestStore;
  let dataDir: string;
  let round = 0;
  beforeAll(async () => {
    const place = await fresh();
    dataDir = place.dataDir;
    test = await openTestStore(place);
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    await test.database.prisma.idempotencyKey.deleteMany();
  });

  function open() {
    const { tables, clock } = test;
    const folder = folderBlobStore(path.join(dataDir, String(round++)));
    let lists = 0;
    const blobs: BlobStore = {
      ...folder,
      list: (below) => {
        lists++;
        return folder.list(below);
      },
    };
    const limits = { bytesOfOwner: 1e9, bytes: 1e9, minFreeBytes: 0, deleteOldest: false };
    const storage = () => new Storage({ tables, blobs, limits, freeBytes: async () => 1e12, log });
    const tasks = new Tasks({ tables, blobs, clock, limits: testLimits, log, storage: storage() });
    const answers = testAnswers(tables, blobs);
    const conversions = testConversions(blobs, undefined, (blob) => countConverted(tables, blob));
    /** Sums of rows, and what lies in the store. */
    const sums = async () => {
      const before = lists;
      const counted = await storage().heldBytes();
      expect(lists).toBe(before);
      let stored = 0;
      for await (const { bytes } of folder.list()) stored += bytes;
      return { counted, stored };
    };
    return { tables, blobs, tasks, answers, conversions, sums };
  }

  type Opened = ReturnType<typeof open>;

  async function submit({ tasks }: Opened, owner = "a"): Promise<string> {
    const task = newTask(owner, { size: 10 });
    expect(await tasks.submit(task, Buffer.from("{}".padEnd(500, " ")))).toBe("taken");
    return task.id;
  }

  async function succeed({ tasks, blobs }: Opened) {
    const claimed = (await tasks.queue.claim())!;
    const file = resultName(claimed);
    const stored = await putGzip(blobs, file, [Buffer.from(envelope)]);
    const finishedAt = new Date(test.clock.now() * 1000);
    const expiresAt = new Date(finishedAt.getTime() + 60_000);
    expect(
      await tasks.queue.succeed(claimed, { file, stored, synthetic: false, finishedAt, expiresAt }),
    ).toBe(true);
    for (const token of claimed.pieces) await blobs.delete(pieceName({ id: claimed.id, token }));
    return { file, id: claimed.id };
  }

  async function advance({ tasks, blobs }: Opened) {
    const claimed = (await tasks.queue.claim())!;
    const piece = { columns: [], note: { to: 1, text: "x".repeat(300) } };
    const bytes = await putPiece(blobs, pieceName(claimed), piece);
    expect(await tasks.queue.advance(claimed, 1, 1, bytes)).toBe(true);
  }

  const convert = ({ conversions }: Opened, file: string, type = "text/csv") =>
    conversions.reply("a", { file, kind: "MetOcean", synthetic: false }, type, {
      method: "GET",
      header: () => undefined,
      signal,
    });

  const same = async ({ sums }: Opened) => {
    const { counted, stored } = await sums();
    expect(counted).toBe(stored);
    return counted;
  };

  it("is what lies in the store, after each change of a task, and no list of the store is read for it", async () => {
    const opened = open();
    const id = await submit(opened);
    const request = await same(opened);
    expect(request).toBeGreaterThan(0);
    await advance(opened);
    await advance(opened);
    expect(await same(opened)).toBeGreaterThan(request + 600);
    const { file } = await succeed(opened);
    await same(opened);
    await convert(opened, file);
    await convert(opened, file, "application/x-ndjson");
    const converted = await same(opened);
    await convert(opened, file);
    expect(await same(opened)).toBe(converted);
    const cancelled = await submit(opened);
    await advance(opened);
    await opened.tasks.cancel("a", cancelled);
    await same(opened);
    await opened.tasks.remove("a", id);
    await opened.tasks.remove("a", cancelled);
    expect(await same(opened)).toBe(0);
    await submit(opened);
    await succeed(opened);
    test.pass(120);
    await opened.tasks.retention.sweep();
    expect(await same(opened)).toBe(0);
  });

  it("is what lies in the store, after each change of a kept answer", async () => {
    const opened = open();
    const headers = { "content-type": "application/json" };
    const keep = (id: string) =>
      opened.answers.keep("a", { key: "k", hash: "h" }, id, { headers, body: envelope });
    const { id } = newTask("a");
    expect(await keep(id)).toBe(true);
    const plain = await same(opened);
    await convert(opened, `${id}.answer`);
    expect(await same(opened)).toBeGreaterThan(plain);
    expect(await keep(newTask("a").id)).toBe(false);
    await same(opened);
    // The key is used again when the answer has expired; the sweep deletes what it stood for.
    test.pass(100_000);
    expect(await keep(newTask("a").id)).toBe(true);
    expect((await opened.sums()).counted).toBe(plain);
    test.pass(100_000);
    await opened.tasks.retention.sweep();
    expect((await opened.sums()).counted).toBe(0);
  });

  it("is exact whatever was killed: what no row names is not counted, and the next sweep deletes it", async () => {
    const opened = open();
    // Killed between a blob and its row.
    const { id } = newTask("a");
    await opened.blobs.put(`${id}.request`, Readable.from([Buffer.alloc(5000)]));
    expect((await opened.sums()).counted).toBe(0);
    await opened.tasks.retention.sweepOrphans();
    expect((await opened.sums()).counted).toBe(0);
    await submit(opened);
    const { file } = await succeed(opened);
    const before = (await opened.sums()).counted;
    await putGzip(opened.blobs, `${file}.csv`, [Buffer.alloc(5000, "x")]);
    await opened.tasks.retention.sweepOrphans();
    expect(await same(opened)).toBe(before);
  });
});
