import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { knownSources } from "#server/context/sources.ts";
import { publishConstant, readConstant, runOf, temporaryFolder } from "#test/archive.ts";
import { openCatalog, withManifest, withSources } from "./catalog.ts";
import { chooseRun } from "./choose-run.ts";
import { directoryStore } from "./directory-store.ts";
import { DamagedManifestError } from "./errors.ts";
import { openReader } from "./reader.ts";
import type { Manifest, Run } from "./run.ts";
import { candidates } from "./run-order.ts";
import { type ChunkStore, ObjectMissingError } from "./store.ts";

function opened() {
  const root = temporaryFolder();
  const time = { now: 0 };
  const store = directoryStore(root);
  return { root, time, store, catalog: openCatalog(store, { monotonic: () => time.now }) };
}

it("is empty while nothing is published", async () => {
  expect(await opened().catalog.manifest()).toEqual({ version: 1, runs: [] });
});

it("sees a new run within a second, and the same manifest object as long as nothing changes", async () => {
  const { root, time, catalog } = opened();
  await catalog.manifest();
  const run = await publishConstant(root, 1);
  time.now = 999;
  expect((await catalog.manifest()).runs).toEqual([]);
  time.now = 1000;
  const manifest = await catalog.manifest();
  expect(manifest.runs).toEqual([run]);
  time.now = 5000;
  expect(await catalog.manifest()).toBe(manifest);
  expect(await catalog.refresh()).toBe(manifest);
});

it.each([
  ["{", "it is not JSON"],
  ['{"version":2,"runs":[]}', "version"],
  ['{"version":1,"runs":[{"id":"../x"}]}', "id"],
])("names the problem of a damaged manifest: %s", async (text, problem) => {
  const { root, catalog } = opened();
  writeFileSync(join(root, "manifest.json"), text);
  await expect(catalog.manifest()).rejects.toThrow(DamagedManifestError);
  await expect(catalog.manifest()).rejects.toThrow(problem);
});

it("answers from the newest manifest when the run of an older one has been removed", async () => {
  const { root, store, catalog } = opened();
  const old = await publishConstant(root, 1);
  await catalog.manifest();
  const now = Date.now() / 1000;
  await publishConstant(root, 2, "test", { clock: { now: () => now } });
  await publishConstant(root, 2, "other", { clock: { now: () => now + 600 } });
  const reader = openReader(store, { cacheBytes: 1 << 24 });
  const tried: string[] = [];
  const answer = await withManifest(catalog, ({ runs: [run] }) => {
    tried.push(run!.id);
    return readConstant(reader, run!);
  });
  expect([answer, tried.length, tried[0]]).toEqual([2, 2, old.id]);
});

it("retries only once, and then fails with an error that names the remedy", async () => {
  const { catalog } = opened();
  let tried = 0;
  const answer = () => {
    tried++;
    throw new ObjectMissingError("runs/x");
  };
  await expect(withManifest(catalog, answer)).rejects.toThrow("must be ingested again");
  expect(tried).toBe(2);
});

it("of a store behind a network answers with what it knows, and asks every five seconds, once at a time", async () => {
  const folder = temporaryFolder();
  const one = await publishConstant(folder, 1);
  const text = (runs: unknown[]) => Buffer.from(JSON.stringify({ version: 1, runs }));
  const time = { now: 0 };
  type Found = Awaited<ReturnType<NonNullable<ChunkStore["getChanged"]>>>;
  const asked: { version: string | undefined; reply: PromiseWithResolvers<Found> }[] = [];
  const store = {
    get: () => undefined,
    getRange: () => undefined,
    getChanged(_: string, version: string | undefined) {
      const reply = Promise.withResolvers<Found>();
      asked.push({ version, reply });
      return reply.promise;
    },
  };
  const catalog = openCatalog(store, { monotonic: () => time.now });
  const first = catalog.manifest();
  asked[0]!.reply.resolve({ bytes: text([one]), version: "a" });
  const known = await first;
  expect(known.runs).toEqual([one]);
  time.now = 4999;
  expect(await catalog.manifest()).toBe(known);
  expect(asked).toHaveLength(1);

  time.now = 5000;
  expect(await catalog.manifest()).toBe(known);
  const [again, twice] = [catalog.refresh(), catalog.refresh()];
  expect(asked.map(({ version }) => version)).toEqual([undefined, "a"]);
  asked[1]!.reply.resolve("unchanged");
  expect(await again).toBe(known);
  expect(await twice).toBe(known);

  const ends = async (settle: (reply: PromiseWithResolvers<Found>) => void) => {
    time.now += 5000;
    expect(await catalog.manifest()).toBe(known);
    const refreshed = catalog.refresh();
    settle(asked.at(-1)!.reply);
    return refreshed;
  };
  await expect(ends(({ reject }) => reject(new Error("away")))).rejects.toThrow("away");
  // A web server without ETags sends the same bytes again.
  const same = { bytes: text([one]), version: undefined };
  expect(await ends(({ resolve }) => resolve(same))).toBe(known);
  // A missing list withdraws nothing; an empty one withdraws all runs.
  await expect(ends(({ resolve }) => resolve(undefined))).rejects.toThrow("The list of runs is gone");
  expect((await ends(({ resolve }) => resolve({ bytes: text([]), version: "b" }))).runs).toEqual([]);
  expect(asked.map(({ version }) => version)).toEqual([undefined, "a", "a", "a", undefined, undefined]);
});

it("takes no list of runs that is older than the one it knows, and says what is wrong with the list, once", async () => {
  const one = await publishConstant(temporaryFolder(), 1);
  let found: { revision: number; runs: unknown[] } | undefined;
  const store: ChunkStore = {
    get: () => undefined,
    getRange: () => undefined,
    getChanged: async () =>
      found && { bytes: Buffer.from(JSON.stringify({ version: 1, ...found })), version: undefined },
  };
  const problems: (string | undefined)[] = [];
  const catalog = openCatalog(store, { onProblem: (problem) => problems.push(problem) });
  const countNow = async (...state: (typeof found)[]) => {
    [found] = state;
    return (await catalog.refresh()).runs.length;
  };
  expect([await countNow(undefined), await countNow(undefined)]).toEqual([0, 0]);
  expect(await countNow({ revision: 5, runs: [one] })).toBe(1);
  expect(await countNow({ revision: 4, runs: [] })).toBe(1);
  expect(await countNow({ revision: 6, runs: [] })).toBe(0);
  expect(problems).toEqual([
    expect.stringMatching(/no manifest.json/),
    undefined,
    expect.stringMatching(/an older list of runs came/),
    undefined,
  ]);
});

const HOUR = 3600;
const now = Date.UTC(2026, 10, 23) / 1000;

/** A global run of the wind, hourly for two days. */
function run(source: string, age: number): Run {
  const referenceTime = now - age * HOUR;
  const times = Array.from({ length: 49 }, (_, hour) => referenceTime + hour * HOUR);
  return runOf({ id: `${source}.${age}`, source, referenceTime, times });
}

const manifest: Manifest = {
  version: 1,
  runs: [run("own", 0), run("cmems", 1), run("ecmwf", 12), run("gfs", 6), run("gfs", 12)],
};
const catalog = { manifest: async () => manifest, refresh: async () => manifest };

/** Returns the ids of the runs that have the wind, best first, for the API and for the map. */
async function order(...preferred: string[]) {
  const ordered = await withSources(catalog, knownSources({ wind: preferred })).manifest();
  const best = chooseRun(ordered, "wind", 0, 0, now, now);
  const all = candidates(ordered, "Forecast", "wind").map(({ run }) => run.id);
  expect(typeof best === "object" && best.id).toBe(all[0]);
  return all;
}

it("prefers a source of one's own, then sources as the setting says, then as the catalog does, and of one source the newest run", async () => {
  expect(await order()).toEqual(["own.0", "gfs.6", "gfs.12", "ecmwf.12", "cmems.1"]);
  expect(await order("ecmwf")).toEqual(["own.0", "ecmwf.12", "gfs.6", "gfs.12", "cmems.1"]);
  expect(await order("cmems", "ecmwf")).toEqual(["own.0", "cmems.1", "ecmwf.12", "gfs.6", "gfs.12"]);
});

it("takes the next source where the runs of the best are outdated, and those again where nothing else is", async () => {
  const runs = [run("gfs", 6 + 48), run("gfs", 12 + 48), run("ecmwf", 6), run("ecmwf", 12)].map((each) => ({
    ...each,
    times: Array.from({ length: 41 }, (_, step) => each.referenceTime + step * 6 * HOUR),
  }));
  const dead = { version: 1, runs, sourceOrder: knownSources({}).order } satisfies Manifest;
  const at = (hours: number) => chooseRun(dead, "wind", 0, 0, now + hours * HOUR, now);
  expect(at(1)).toMatchObject({ id: "ecmwf.6" });
  expect(chooseRun({ ...dead, runs: runs.slice(0, 2) }, "wind", 0, 0, now, now)).toMatchObject({
    id: "gfs.54",
  });
  // An age of one day does not make a run outdated: daily runs are that old before the next one.
  const daily = { ...dead, runs: [run("gfs", 34), run("ecmwf", 6)] };
  expect(chooseRun(daily, "wind", 0, 0, now, now)).toMatchObject({ id: "gfs.34" });
});

it("takes the newest run that has less of a variable before an outdated one that has more", () => {
  const of = (age: number, names: string[]) => ({
    ...run("gfswave", age),
    times: Array.from({ length: 41 }, (_, step) => now + (step * 6 - age) * HOUR),
    fields: Object.fromEntries(names.map((name) => [name, {}])),
  });
  const height = "sea_surface_wave_significant_height";
  const both = [height, "sea_surface_wave_mean_period"];
  const chosen = (...runs: Run[]) => chooseRun({ version: 1, runs }, "wave", 0, 0, now, now);
  expect(chosen(of(12, both), of(6, [height]))).toMatchObject({ id: "gfswave.12" });
  expect(chosen(of(54, both), of(6, [height]))).toMatchObject({ id: "gfswave.6" });
});
