import { afterAll, beforeAll, expect, it } from "vitest";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import { NINE_NODES, newRun, readConstant, readValues, temporaryFolder } from "#test/archive.ts";
import { entriesOf } from "#test/blob-stores.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { publishRandom, REMOTE_FIELDS, REMOTE_GRID } from "#test/remote-archive.ts";
import { startS3InEnv, type TestStore } from "#test/s3/start-s3.ts";
import { seeded } from "#test/seeded.ts";
import { freshPrefix, type Machine, openMachine, openReplica } from "#test/shared-archive.ts";
import { directoryStore } from "./directory-store.ts";
import { claimStore, maintainStore } from "./maintain-store.ts";
import { offeredManifest, offerManifest } from "./manifest-channel.ts";
import { publishArchive } from "./push.ts";
import { openReader } from "./reader.ts";
import type { Run } from "./run.ts";
import { storeArchive } from "./store-archive.ts";

const { signal } = new AbortController();
const FIELD = "air_temperature";
let server: TestStore;
beforeAll(async () => {
  server = await startS3InEnv();
});
afterAll(() => server.close());

/** Publishes a small run on a machine. */
async function put(
  { archive }: Pick<Machine, "archive">,
  value: number,
  steps = 1,
  source = "gfs",
): Promise<Run> {
  const writer = await archive.begin(newRun(NINE_NODES, steps, source), { wait: true });
  await writer.writeField(FIELD, {}, async () => new Float32Array(9).fill(value));
  return writer.publish(signal);
}

const idsOf = async ({ rows }: Pick<Machine, "rows">) => (await rows.manifest()).runs.map(({ id }) => id);

describeWithDatabase("an archive in a bucket with a catalog in PostgreSQL", (fresh) => {
  it("is answered by another machine as soon as a run is published: it is notified", async () => {
    const [place, prefix] = [await fresh(), freshPrefix()];
    const [writer, other] = [await openMachine(place, prefix), await openMachine(place, prefix)];
    const replica = openReplica(other, { every: () => () => {} });
    expect((await replica.manifest()).runs).toEqual([]);
    const run = await put(writer, 7);
    await expect.poll(async () => (await replica.manifest()).runs, { timeout: 20_000 }).toEqual([run]);
    expect(await readConstant(replica.reader, run)).toBe(7);
    expect(await writer.archive.usedBytes()).toBeGreaterThan(100);
  });

  it("answers the numbers of the same archive in a folder, of which it takes over the runs once", async () => {
    const machine = await openMachine(await fresh(), freshPrefix());
    const root = temporaryFolder();
    const local = await publishRandom(root);
    const copied: string[] = [];
    const report = { copied: ({ id }: Run) => void copied.push(id), left() {} };
    const push = () => publishArchive(root, machine.rows, machine.blobs, report, signal);
    expect(await push()).toMatchObject({ runs: 1, copied: 1, removed: 0 });
    expect(await push()).toMatchObject({ runs: 1, copied: 0, bytes: 0 });
    expect(copied).toEqual([local.id]);
    const replica = openReplica(machine);
    const [run] = (await replica.manifest()).runs;
    const rows = Array.from(
      { length: 20 },
      (_, i) => [i - 10.6, 7.3 * i, local.times[0]! + 4000 * i] as const,
    );
    const near = openReader(directoryStore(root), { cacheBytes: 1 << 24 });
    expect(run!.grid).toEqual(REMOTE_GRID);
    for (const name of REMOTE_FIELDS)
      expect(await readValues(replica.reader, run!, name, rows)).toEqual(
        await readValues(near, local, name, rows),
      );
  });

  it("writes again what the bucket has lost of a run that is published", async () => {
    const machine = await openMachine(await fresh(), freshPrefix());
    const run = await put(machine, 4);
    await machine.blobs.delete(`${run.path}/points/${FIELD}/c.0.0.0`);
    const again = await put(machine, 4);
    expect(again.id).toBe(`${run.id}-2`);
    expect(await idsOf(machine)).toEqual([again.id]);
    expect(await readConstant(openReplica(machine).reader, again)).toBe(4);
  });

  it("lists nothing of a publisher that ends between objects and row, nor what was given up meanwhile", async () => {
    const machine = await openMachine(await fresh(), freshPrefix());
    const { rows, blobs, archive } = machine;
    const kept = await put(machine, 1, 1, "ecmwf");
    const died = new Error("killed");
    const dying: typeof rows = Object.create(rows, {
      publish: { value: () => Promise.reject(died) },
      giveUp: { value: () => Promise.reject(died) },
      begin: { value: rows.begin.bind(rows) },
      manifest: { value: rows.manifest.bind(rows) },
    });
    const broken = storeArchive({ rows: dying, blobs, store: archive.store, folder: temporaryFolder() });
    await expect(put({ archive: broken }, 2)).rejects.toThrow("killed");
    expect(await idsOf(machine)).toEqual([kept.id]);
    const left = (await entriesOf(blobs, "runs")).filter(({ key }) => !key.startsWith(`${kept.path}/`));
    expect(left.length).toBeGreaterThan(3);
    // The next writer leaves alone objects that may still be being written.
    const run = await put(machine, 2);
    expect(await idsOf(machine)).toEqual([kept.id, run.id]);

    const begun = await rows.begin({ ...run, id: `${run.id.slice(0, -1)}x` });
    await rows.giveUp(begun.path);
    await expect(rows.publish(begun, 1)).rejects.toThrow("was given up");
  });

  it("goes on with the runs that are known while the database is away, and says so where it is asked for newer ones", async () => {
    const machine = await openMachine(await fresh(), freshPrefix());
    const run = await put(machine, 5);
    let isAway = false;
    const whenThere = <T>(work: () => Promise<T>) => (isAway ? Promise.reject(new Error("gone")) : work());
    const rows = {
      revision: () => whenThere(() => machine.rows.revision()),
      manifest: () => whenThere(() => machine.rows.manifest()),
    };
    const replica = openReplica(
      { ...machine, rows: rows as never },
      { listen: () => ({ close: async () => {} }), every: () => () => {} },
    );
    const known = await replica.manifest();
    isAway = true;
    await expect(replica.refresh()).rejects.toThrow(StoreUnavailableError);
    expect(await replica.manifest()).toBe(known);
    expect(await readConstant(replica.reader, run)).toBe(5);
    isAway = false;
    expect(await replica.refresh()).toBe(known);
  });

  it("has one run of each cycle, with its own numbers, whatever three machines publish and remove at the same time", async () => {
    const [place, prefix] = [await fresh(), freshPrefix()];
    const machines = await Promise.all([0, 1, 2].map(() => openMachine(place, prefix)));
    await claimStore(machines[0]!.maintain);
    const random = seeded(3);
    const published = new Map<string, number>();
    const work = machines.map(async (machine) => {
      for (let i = 0; i < 4; i++) {
        const value = Math.floor(5 * random());
        const { id } = await put(
          machine,
          value,
          1 + Math.floor(2 * random()),
          random() < 0.5 ? "gfs" : "ecmwf",
        );
        published.set(id, value);
        await maintainStore(machine.maintain);
      }
    });
    await Promise.all(work);
    const { runs } = await machines[0]!.rows.manifest();
    expect(runs.map(({ source }) => source).sort()).toEqual(["ecmwf", "gfs"]);
    const { reader } = openReplica(machines[1]!);
    for (const run of runs) expect(await readConstant(reader, run)).toBeCloseTo(published.get(run.id)!, 5);
    // The losing writers leave nothing behind: due folders are deleted, and every row ends.
    await machines[0]!.database.prisma.$executeRaw`
      UPDATE archive_run SET replaced_at = replaced_at - interval '1 hour'`;
    await maintainStore(machines[0]!.maintain);
    const folders = new Set(
      (await entriesOf(machines[0]!.blobs, "runs")).map(({ key }) => key.split("/")[1]),
    );
    expect([...folders].sort()).toEqual(runs.map(({ id }) => id).sort());
    expect(await machines[0]!.database.prisma.archiveRun.count()).toBe(2);
  }, 60_000);

  it("is offered to threads without a database, which are told of each change", async () => {
    const machine = await openMachine(await fresh(), freshPrefix());
    const replica = openReplica(machine);
    const name = freshPrefix();
    const offer = offerManifest(name, replica);
    const offered = offeredManifest(name);
    let told = 0;
    offered.watch!(() => told++);
    expect(await offered.changed()).toMatchObject({ runs: [] });
    const run = await put(machine, 1);
    offer.changed();
    await expect.poll(() => told, { timeout: 20_000 }).toBe(1);
    expect(await offered.changed()).toMatchObject({ runs: [{ id: run.id }] });
    expect(await offered.changed()).toBeUndefined();
    await offered.close!();
    offer.close();
  });
});
