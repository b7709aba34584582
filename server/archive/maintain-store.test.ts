import { afterAll, beforeAll, expect, it } from "vitest";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { ConfigError } from "#server/platform/env.ts";
import { publishConstant, temporaryFolder } from "#test/archive.ts";
import { entriesOf } from "#test/blob-stores.ts";
import { type DatabasePlace, describeWithDatabase } from "#test/databases.ts";
import { push } from "#test/remote-archive.ts";
import { startS3InEnv, type TestStore } from "#test/s3/start-s3.ts";
import { freshPrefix, type Machine, openMachine } from "#test/shared-archive.ts";
import { claimStore, maintainStore } from "./maintain-store.ts";
import { parseManifest } from "./manifest.ts";
import { publishArchive } from "./push.ts";
import type { Run } from "./run.ts";

const { signal } = new AbortController();
const quiet = { copied() {}, left() {} };
let server: TestStore;
beforeAll(async () => {
  server = await startS3InEnv();
});
afterAll(() => server.close());

/** Publishes a small run. */
async function put({ rows, blobs }: Machine, value: number, source = "gfs"): Promise<Run> {
  const root = temporaryFolder();
  await publishConstant(root, value, source);
  await publishArchive(root, rows, blobs, quiet, signal);
  return (await rows.manifest()).runs.find((run) => run.source === source)!;
}

const has = async ({ blobs }: Machine, run: Pick<Run, "path">) =>
  (await entriesOf(blobs, run.path)).length > 0;
const listed = async ({ rows }: Machine) => (await rows.manifest()).runs.map(({ id }) => id);
const mirror = async ({ blobs }: Machine) => parseManifest((await blobs.get("manifest.json"))!);

/** Sets the times of rows back, seconds. */
async function age({ database }: Machine, path: string, seconds: number): Promise<void> {
  await database.prisma.$executeRaw`
    UPDATE archive_run SET touched_at = touched_at - ${seconds} * interval '1 second',
      replaced_at = replaced_at - ${seconds} * interval '1 second' WHERE path = ${path}`;
}

/** Copies the catalog. @returns Restores the database from the copy. */
async function backUp({ database: { prisma } }: Machine): Promise<() => Promise<void>> {
  const rows = await prisma.archiveRun.findMany();
  const name = "archive_revision";
  const { value } = await prisma.setting.findUniqueOrThrow({ where: { name } });
  return async () => {
    await prisma.archiveRun.deleteMany();
    await prisma.archiveRun.createMany({ data: rows });
    await prisma.setting.update({ where: { name }, data: { value } });
  };
}

describeWithDatabase("the store of an archive", (fresh) => {
  const machineAt = async (place: DatabasePlace, prefix: string) => openMachine(place, prefix);
  const claimed = async () => {
    const machine = await machineAt(await fresh(), freshPrefix());
    await claimStore(machine.maintain);
    return machine;
  };

  it("keeps a replaced run for ten minutes by the database's clock, and deletes its objects then, not before", async () => {
    const machine = await claimed();
    const old = await put(machine, 1);
    const now = await put(machine, 2);
    await age(machine, old.path, 590);
    expect(await maintainStore(machine.maintain)).toEqual({ removed: [], leftBehind: 0 });
    expect([await has(machine, old), await listed(machine)]).toEqual([true, [now.id]]);
    await age(machine, old.path, 20);
    expect(await maintainStore(machine.maintain)).toMatchObject({ removed: [old.path] });
    expect([await has(machine, old), await has(machine, now)]).toEqual([false, true]);
    expect(await maintainStore(machine.maintain)).toMatchObject({ removed: [] });
  });

  it("goes on where manifest.json is damaged: it is written again from the catalog, unless that knows nothing", async () => {
    const machine = await claimed();
    await machine.blobs.put("manifest.json", once("{ half of"));
    await expect(claimStore(machine.maintain)).rejects.toThrow("it is not JSON");
    expect(String(await machine.blobs.get("manifest.json"))).toBe("{ half of");
    const run = await put(machine, 1);
    await maintainStore(machine.maintain);
    expect((await mirror(machine)).runs.map(({ id }) => id)).toEqual([run.id]);
  });

  it("is maintained by one process at a time", async () => {
    const machine = await claimed();
    let inner: unknown = "not asked";
    const blobs: BlobStore = {
      ...machine.blobs,
      async put(...args) {
        if (args[0] === "manifest.json") inner = await maintainStore(machine.maintain);
        return machine.blobs.put(...args);
      },
    };
    await put(machine, 1);
    await maintainStore({ ...machine.maintain, blobs });
    expect(inner).toBeUndefined();
  });

  it("removes what a publisher that died left an hour after its last sign of life", async () => {
    const machine = await claimed();
    const run = await put(machine, 1);
    const begun = await machine.rows.begin({ ...run, id: `${run.id}x` });
    await machine.blobs.put(`${begun.path}/points/a`, once("half"));
    await age(machine, begun.path, 3500);
    expect(await maintainStore(machine.maintain)).toMatchObject({ removed: [] });
    expect(await has(machine, begun)).toBe(true);
    await machine.rows.touch(begun.path);
    await age(machine, begun.path, 3601);
    expect(await maintainStore(machine.maintain)).toMatchObject({ removed: [begun.path] });
    expect([await has(machine, begun), await has(machine, run)]).toEqual([false, true]);
    await expect(machine.rows.publish(begun, 4)).rejects.toThrow("was given up");
    expect(await listed(machine)).toEqual([run.id]);
  });

  it("looks once an hour for objects of no row, and removes those older than an hour, never what a row names", async () => {
    const machine = await claimed();
    const run = await put(machine, 1);
    await machine.blobs.put("runs/nobody/a", once("old"));
    await machine.blobs.put("runs/just-now/a", once("new"));
    const blobs: BlobStore = {
      ...machine.blobs,
      async *list(below) {
        for await (const entry of machine.blobs.list(below))
          yield entry.key.includes("just-now") ? entry : { ...entry, modified: entry.modified - 3700 };
      },
    };
    const maintain = { ...machine.maintain, blobs };
    expect(await maintainStore(maintain)).toEqual({ removed: [], leftBehind: 1 });
    expect(
      await Promise.all(
        [run, { path: "runs/nobody" }, { path: "runs/just-now" }].map((of) => has(machine, of)),
      ),
    ).toEqual([true, false, true]);
    await machine.blobs.put("runs/nobody/a", once("old"));
    expect(await maintainStore(maintain)).toEqual({ removed: [], leftBehind: 0 });
    await machine.database.prisma.$executeRaw`
      UPDATE setting SET value = (value::float8 - 3601)::text WHERE name = 'archive_listed_at'`;
    expect(await maintainStore(maintain)).toEqual({ removed: [], leftBehind: 1 });
  });

  it("has a copy of the list of runs for those that only read it, which never goes back", async () => {
    const machine = await claimed();
    const one = await put(machine, 1, "a");
    await maintainStore(machine.maintain);
    const first = await mirror(machine);
    expect(first.runs.map(({ id }) => id)).toEqual([one.id]);
    await put(machine, 1, "b");
    await maintainStore(machine.maintain);
    const second = await mirror(machine);
    expect(second.runs).toHaveLength(2);
    expect(second.revision).toBeGreaterThan(first.revision!);
    const before = server.proxy.requests.length;
    await maintainStore(machine.maintain);
    expect(server.proxy.requests.slice(before).filter(({ method }) => method === "PUT")).toEqual([]);
  });

  it("is of one database; another one does not start on it, nor does a copy replace what it has", async () => {
    const [place, prefix] = [await fresh(), freshPrefix()];
    const machine = await machineAt(place, prefix);
    await claimStore(machine.maintain);
    const run = await put(machine, 1);
    const stranger = await machineAt(await fresh(), prefix);
    await expect(claimStore(stranger.maintain)).rejects.toThrow(ConfigError);
    await expect(maintainStore(stranger.maintain)).rejects.toThrow("is the archive of another database");
    await claimStore((await machineAt(place, prefix)).maintain);
    const root = temporaryFolder();
    await publishConstant(root, 1, "other");
    await expect(push(root, machine.blobs)).rejects.toThrow("An installation has its archive there");
    expect(await has(machine, run)).toBe(true);
    await machine.blobs.delete(".store-id");
    await expect(claimStore(machine.maintain)).rejects.toThrow(
      "has no .store-id, and the catalog lists 1 runs",
    );
  });

  it("is taken over with the runs of its manifest: of a copy that was pushed, and by a new database in place of a lost one", async () => {
    const prefix = freshPrefix();
    const machine = await machineAt(await fresh(), prefix);
    const root = temporaryFolder();
    const pushed = await publishConstant(root, 1, "a");
    await push(root, machine.blobs);
    await claimStore(machine.maintain);
    expect(await listed(machine)).toEqual([pushed.id]);
    const objects = await entriesOf(machine.blobs, pushed.path);
    expect(await machine.rows.bytes()).toBe(objects.reduce((sum, { bytes }) => sum + bytes, 0));
    const more = await put(machine, 2, "b");
    await maintainStore(machine.maintain);

    const successor = await machineAt(await fresh(), prefix);
    await machine.blobs.delete(".store-id");
    await claimStore(successor.maintain);
    expect(await listed(successor)).toEqual([pushed.id, more.id]);
    expect(await successor.rows.revision()).toBeGreaterThan((await mirror(machine)).revision!);
  });

  it("tells a database that was restored from a copy what was published and withdrawn since", async () => {
    const machine = await claimed();
    const old = await put(machine, 1, "a");
    const restore = await backUp(machine);
    const now = await put(machine, 2, "a");
    const other = await put(machine, 2, "b");
    await maintainStore(machine.maintain);

    await restore();
    expect(await listed(machine)).toEqual([old.id]);
    await maintainStore(machine.maintain);
    expect(await listed(machine)).toEqual([now.id, other.id]);
    expect(await Promise.all([now, other].map((run) => has(machine, run)))).toEqual([true, true]);
  });
});

async function* once(text: string) {
  yield Buffer.from(text);
}
