import { randomBytes } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
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
  let round = 0;
  beforeAll(async () => {
    const place = await fresh();
    test = await openTestStore(place);
    folder = place.dataDir;
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    await test.database.prisma.idempotencyKey.deleteMany();
    round++;
    free = 100 * MIB;
  });

  function open(limits: Partial<StorageLimits> = {}) {
    const { tables, clock } = test;
    const blobs = folderBlobStore(path.join(folder, String(round)));
    let elapsed = 0;
    const storage = new Storage({
      tables,
      blobs,
      limits: { bytesOfOwner: MIB, bytes: 10 * MIB, minFreeBytes: MIB, ...limits },
      freeBytes: async () => free,
      log,
      // Each measurement is a minute after the previous one.
      monotonic: () => (elapsed += 60_000),
    });
    const tasks = new Tasks({ tables, blobs, clock, limits: testLimits, log, storage });
    const answers = testAnswers(tables, blobs, storage);
    const conversions = testConversions(blobs, undefined, (blob) => countConverted(tables, blob));
    const submit = async (owner = "a") => {
      const task = newTask(owner, { size: 10 });
      expect(await tasks.submit(task, Buffer.from("{}".padEnd(500, " ")))).toBe("taken");
      return task.id;
    };
    /** Ends the next task with a result. */
    const finish = async (content: Buffer) => {
      const claimed = (await tasks.queue.claim())!;
      const file = resultName(claimed);
      const stored = await putGzip(blobs, file, [content]);
      test.pass(1);
      const finishedAt = new Date(clock.now() * 1000);
      const expiresAt = new Date(finishedAt.getTime() + 60_000);
      await tasks.queue.succeed(claimed, { file, stored, synthetic: false, finishedAt, expiresAt });
      for (const token of claimed.pieces) await blobs.delete(pieceName({ id: claimed.id, token }));
      return { id: claimed.id, file };
    };
    const advance = async () => {
      const claimed = (await tasks.queue.claim())!;
      const piece = { columns: [], note: { to: 1, text: "x".repeat(300) } };
      const bytes = await putPiece(blobs, pieceName(claimed), piece);
      expect(await tasks.queue.advance(claimed, 1, 1, bytes)).toBe(true);
    };
    const keep = (owner: string, key: string, body: Buffer | string, { id } = newTask(owner)) => {
      test.pass(1);
      const headers = { "content-type": "application/json" };
      return answers.keep(owner, { key, hash: "x" }, id, { headers, body });
    };
    const convert = (file: string, type = "text/csv") =>
      conversions.reply("a", { file, kind: "MetOcean", synthetic: false }, type, {
        method: "GET",
        header: () => undefined,
        signal: new AbortController().signal,
      });
    const hasResult = async (owner: string, id: string) =>
      (await tasks.store.find(owner, id))?.resultFile !== null;
    /** Bytes that the rows record, after comparing them with the store. */
    const exactBytes = async () => {
      let stored = 0;
      for await (const { bytes } of blobs.list()) stored += bytes;
      expect(await storage.heldBytes()).toBe(stored);
      return stored;
    };
    return {
      ...{ storage, tasks, blobs, answers, submit, finish, advance, keep, convert, hasResult, exactBytes },
      refused: (owner: string) => expect(tasks.submit(newTask(owner), Buffer.from("{}"))).rejects,
    };
  }

  it("is limited for an owner, whose next task is refused with advice on what to delete, and for no other owner", async () => {
    const { tasks, storage, answers, submit, finish, keep, refused } = open();
    const id = await submit("greedy");
    await finish(randomBytes(1.1 * MIB));
    await refused("greedy").toThrow(QuotaError);
    await expect(storage.ensureSpace("greedy")).rejects.toThrow(
      /^Your keys have 2 MiB .* of at most 1 MiB\. Delete results .* DELETE \/task\//,
    );
    await expect(answers.ensureQuota("greedy")).rejects.toThrow(QuotaError);
    await expect(keep("greedy", "k", "no room")).rejects.toThrow(QuotaError);
    await answers.ensureQuota("modest");
    await submit("modest");
    await tasks.remove("greedy", id);
    await submit("greedy");
  });

  it("is limited for all owners together", async () => {
    const { storage, submit, finish } = open({ bytes: MIB });
    await submit();
    await finish(randomBytes(1.1 * MIB));
    for (const owner of ["another", undefined])
      await expect(storage.ensureSpace(owner)).rejects.toThrow(/^All keys together have 2 MiB/);
  });

  it("limits stored answers to a quarter of their owner's quota: the oldest are deleted, but no keys of tasks or of other owners", async () => {
    const { answers, storage, tasks, keep } = open();
    await tasks.submit(newTask("a"), Buffer.from("{}"), { key: "task", hash: "x" });
    await keep("b", "other", randomBytes(MIB / 16));
    for (let index = 0; index < 12; index++) {
      expect(await keep("a", `${index}`, randomBytes(MIB / 16))).toBe(true);
      expect(await answers.find("a", `${index}`)).toBeDefined();
      expect(await storage.heldBytes()).toBeLessThan(MIB / 16 + MIB / 4 + MIB / 8);
    }
    const found = await Promise.all(Array.from({ length: 12 }, (_, index) => answers.find("a", `${index}`)));
    expect(found.slice(0, 8)).toEqual(Array(8).fill(undefined));
    expect(found.slice(9).every(Boolean)).toBe(true);
    expect([await answers.find("a", "task"), await answers.find("b", "other")].every(Boolean)).toBe(true);
  });

  it("never refuses a task because of stored answers: the oldest of its owner are deleted, as few as needed", async () => {
    const { answers, keep, submit, finish, hasResult, refused } = open({ bytesOfOwner: 2 * MIB });
    for (const key of ["first", "second"]) await keep("a", key, randomBytes(MIB / 4));
    await submit();
    const { id } = await finish(randomBytes(1.52 * MIB));
    await submit();
    expect(await answers.find("a", "first")).toBeUndefined();
    expect(await answers.find("a", "second")).toBeDefined();
    expect(await hasResult("a", id)).toBe(true);
    await finish(randomBytes(MIB / 2));
    await refused("a").toThrow(QuotaError);
  });

  it("leaves free space on the disk: below the minimum nothing new is accepted, and accepted tasks complete", async () => {
    const { submit, finish, hasResult, refused } = open();
    await submit();
    free = MIB - 1;
    await refused("a").toThrow(NoSpaceError);
    const { id } = await finish(randomBytes(100));
    expect(await hasResult("a", id)).toBe(true);
    free = MIB;
    await submit();
  });

  it("equals the rows after each change of a task", async () => {
    const { tasks, submit, finish, advance, convert, exactBytes } = open();
    const id = await submit();
    const request = await exactBytes();
    expect(request).toBeGreaterThan(0);
    await advance();
    await advance();
    expect(await exactBytes()).toBeGreaterThan(request + 600);
    const { file } = await finish(Buffer.from(envelope));
    const plain = await exactBytes();
    for (const type of ["text/csv", "application/x-ndjson", "text/csv"]) await convert(file, type);
    expect(await exactBytes()).toBeGreaterThan(plain);
    const cancelled = await submit();
    await advance();
    await tasks.cancel("a", cancelled);
    await exactBytes();
    for (const each of [id, cancelled]) await tasks.remove("a", each);
    expect(await exactBytes()).toBe(0);
    await submit();
    await finish(Buffer.from(envelope));
    test.pass(120);
    await tasks.retention.sweep();
    expect(await exactBytes()).toBe(0);
  });

  it("equals the rows after each change of a stored answer", async () => {
    const { tasks, storage, keep, convert, exactBytes } = open();
    const task = newTask("a");
    expect(await keep("a", "k", envelope, task)).toBe(true);
    const plain = await exactBytes();
    await convert(`${task.id}.answer`);
    expect(await exactBytes()).toBeGreaterThan(plain);
    expect(await keep("a", "k", envelope)).toBe(false);
    await exactBytes();
    // The key is used again when the answer has expired. The sweep deletes the old answer.
    test.pass(100_000);
    expect(await keep("a", "k", envelope)).toBe(true);
    expect(await storage.heldBytes()).toBe(plain);
    test.pass(100_000);
    await tasks.retention.sweep();
    expect(await storage.heldBytes()).toBe(0);
  });

  it("is exact whatever was killed: a blob that no row names is not counted, and the next sweep deletes it", async () => {
    const { tasks, blobs, storage, submit, finish, exactBytes } = open();
    await blobs.put(`${newTask("a").id}.request`, Readable.from([Buffer.alloc(5000)]));
    expect(await storage.heldBytes()).toBe(0);
    await submit();
    const { file } = await finish(Buffer.from(envelope));
    const before = await storage.heldBytes();
    await putGzip(blobs, `${file}.csv`, [Buffer.alloc(5000, "x")]);
    await tasks.retention.sweepOrphans();
    expect(await exactBytes()).toBe(before);
  });
});
