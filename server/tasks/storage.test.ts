import { randomBytes } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { NoSpaceError, QuotaError } from "#server/platform/errors.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { testAnswers, testConversions } from "#test/answers.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore, testLimits } from "#test/tasks.ts";
import { putGzip } from "./gzip-blobs.ts";
import { pieceName, putPiece } from "./pieces.ts";
import { countConverted, Storage, type StorageLimits } from "./storage.ts";
import { Tasks } from "./tasks.ts";
import { resultName } from "./worker.ts";

const MIB = 2 ** 20;
const log = { info() {}, warn() {}, error() {} };

/** A result of one point. */
const envelope = `{"task_id":["a"],"status":"SUCCESS","result":{"results":[{"coordinates":{"latitude":48.5,"longitude":-5.2,"timestamp":"2026-01-01T00:00:00Z"},"conditions":{"Winds_10m_Direction":12.3}}],"execution_time":"0 s"}}`;

describeWithDatabase("what is stored", (fresh) => {
  let test: TestStore;
  let folder: string;
  let free: number;
  let elapsed: number;

  beforeAll(async () => {
    const place = await fresh();
    test = await openTestStore(place);
    folder = place.dataDir;
  });
  afterAll(() => test?.database.close());
  let round = 0;
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    await test.database.prisma.idempotencyKey.deleteMany();
    round++;
    free = 100 * MIB;
    elapsed = 0;
  });

  function open(limits: Partial<StorageLimits>) {
    const blobs = folderBlobStore(path.join(folder, String(round)));
    const storage = new Storage({
      tables: test.database.prisma,
      blobs,
      limits: { bytesOfOwner: MIB, bytes: 10 * MIB, minFreeBytes: MIB, deleteOldest: false, ...limits },
      freeBytes: async () => {
        // Each check is a minute after the one before.
        elapsed += 60_000;
        return free;
      },
      log,
      monotonic: () => elapsed,
    });
    const { clock } = test;
    const tasks = new Tasks({ tables: test.tables, blobs, clock, limits: testLimits, log, storage });
    const answers = testAnswers(test.tables, blobs, storage);
    return { storage, tasks, blobs, answers };
  }

  const submit = async (tasks: Tasks, owner: string) => {
    const task = newTask(owner);
    expect(await tasks.submit(task, Buffer.from("{}"))).toBe("taken");
    return task.id;
  };

  /** Ends the owner's next task with a result of about so many bytes. */
  async function finish({ tasks, blobs }: ReturnType<typeof open>, bytes: number) {
    const claimed = await tasks.queue.claim();
    const task = claimed!;
    const file = `${task.id}.${task.token}.result`;
    const stored = await putGzip(blobs, file, [randomBytes(bytes)]);
    test.pass(1);
    const finishedAt = new Date(test.clock.now() * 1000);
    const expiresAt = new Date(finishedAt.getTime() + 1e9);
    await tasks.queue.succeed(task, { file, stored, synthetic: false, finishedAt, expiresAt });
    return task.id;
  }

  it("is bounded for an owner, whose next task is refused with what to delete, and for nobody else", async () => {
    const opened = open({});
    const { tasks, storage, answers } = opened;
    const id = await submit(tasks, "greedy");
    await finish(opened, 1.1 * MIB);
    await expect(tasks.submit(newTask("greedy"), Buffer.from("{}"))).rejects.toThrow(QuotaError);
    await expect(storage.ensureSpace("greedy")).rejects.toThrow(
      /^Your keys have 2 MiB .* of at most 1 MiB\. Delete results .* DELETE \/task\//,
    );
    await expect(answers.ensureQuota("greedy")).rejects.toThrow(QuotaError);
    await answers.ensureQuota("modest");
    const answer = { headers: {}, body: "no room" };
    await expect(answers.keep("greedy", { key: "k", hash: "x" }, id, answer)).rejects.toThrow(QuotaError);
    await submit(tasks, "modest");
    await storage.ensureSpace();
    await tasks.remove("greedy", id);
    await submit(tasks, "greedy");
  });

  it("kept answers take at most a quarter of their owner's quota: the oldest go, tasks' keys and others' never", async () => {
    const opened = open({});
    const { answers, storage, tasks } = opened;
    const keep = (owner: string, key: string) => {
      test.pass(1);
      const answer = { headers: {}, body: randomBytes(MIB / 16) };
      return answers.keep(owner, { key, hash: "x" }, newTask(owner).id, answer);
    };
    await tasks.submit(newTask("a"), Buffer.from("{}"), { key: "task", hash: "x" });
    await keep("b", "other");
    for (let index = 0; index < 12; index++) {
      expect(await keep("a", `${index}`)).toBe(true);
      expect(await answers.find("a", `${index}`)).toBeDefined();
      expect(await storage.heldBytes()).toBeLessThan(MIB / 16 + MIB / 4 + MIB / 8);
    }
    const found = await Promise.all(Array.from({ length: 12 }, (_, index) => answers.find("a", `${index}`)));
    expect(found.slice(0, 8)).toEqual(Array(8).fill(undefined));
    expect(found.slice(9).every(Boolean)).toBe(true);
    expect([await answers.find("a", "task"), await answers.find("b", "other")].every(Boolean)).toBe(true);
  });

  it("a task is never refused for kept answers: the oldest of its owner make room, and no more than that", async () => {
    const opened = open({ bytesOfOwner: 2 * MIB });
    const { answers, tasks } = opened;
    for (const key of ["first", "second"]) {
      test.pass(1);
      const answer = { headers: {}, body: randomBytes(MIB / 4) };
      await answers.keep("a", { key, hash: "x" }, newTask("a").id, answer);
    }
    await submit(tasks, "a");
    const id = await finish(opened, 1.52 * MIB);
    await submit(tasks, "a");
    expect(await answers.find("a", "first")).toBeUndefined();
    expect(await answers.find("a", "second")).toBeDefined();
    expect((await tasks.store.find("a", id))?.resultFile).not.toBeNull();
    await finish(opened, MIB / 2);
    await expect(tasks.submit(newTask("a"), Buffer.from("{}"))).rejects.toThrow(QuotaError);
  });

  it("is bounded for all owners together", async () => {
    const opened = open({ bytes: MIB });
    await submit(opened.tasks, "a");
    await finish(opened, 1.1 * MIB);
    await expect(opened.storage.ensureSpace("another")).rejects.toThrow(/^All keys together have 2 MiB/);
    await expect(opened.storage.ensureSpace()).rejects.toThrow(QuotaError);
  });

  it("leaves room on the disk: below the floor nothing new is accepted, and what was accepted ends", async () => {
    const opened = open({});
    const id = await submit(opened.tasks, "a");
    free = MIB - 1;
    await expect(opened.tasks.submit(newTask("a"), Buffer.from("{}"))).rejects.toThrow(NoSpaceError);
    await finish(opened, 100);
    expect((await opened.tasks.store.find("a", id))?.status).toBe("SUCCESS");
    free = MIB;
    await submit(opened.tasks, "a");
  });

  it("makes room by deleting the oldest results only where the operator says so", async () => {
    const opened = open({ bytesOfOwner: 2.5 * MIB, deleteOldest: true });
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      await submit(opened.tasks, "a");
      ids.push(await finish(opened, MIB));
    }
    await submit(opened.tasks, "b");
    const other = await finish(opened, MIB);
    await submit(opened.tasks, "a");
    const stored = async (owner: string, id: string) =>
      (await opened.tasks.store.find(owner, id))?.resultFile !== null;
    expect(await Promise.all(ids.map((id) => stored("a", id)))).toEqual([false, true, true]);
    expect(await stored("b", other)).toBe(true);
    const [oldest] = ids;
    const { expiresAt, status } = (await opened.tasks.store.find("a", oldest!))!;
    expect(status).toBe("SUCCESS");
    expect(expiresAt!.getTime()).toBeLessThanOrEqual(test.clock.now() * 1000);
    expect(await opened.storage.heldBytes()).toBeLessThan(3.5 * MIB);
  });

  describe("by what rows say", () => {
    function open() {
      const { tables, clock } = test;
      const stored = folderBlobStore(path.join(folder, String(round)));
      let lists = 0;
      const blobs: BlobStore = {
        ...stored,
        list: (below) => {
          lists++;
          return stored.list(below);
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
        let sum = 0;
        for await (const { bytes } of stored.list()) sum += bytes;
        return { counted, stored: sum };
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
        signal: new AbortController().signal,
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
});
