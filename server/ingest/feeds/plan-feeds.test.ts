import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fieldsOf } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { HOUR_S } from "#lib/time.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { ensembleFeeds, fieldFeeds } from "#server/ingest/publishers/registry.ts";
import { freeBytes } from "#server/platform/files.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { newRun, publish, temporaryFolder } from "#test/archive.ts";
import { describeWithSamples } from "#test/samples.ts";
import {
  bytesOfMessages,
  type FieldFeed,
  fieldsOfProfile,
  messagesOf,
  nextLook,
  range,
} from "./field-feed.ts";
import { findMessages } from "./find-messages.ts";
import { keepOf } from "./past-rules.ts";
import { describePlan, diskBudget, planFeed, selectFeeds } from "./plan-feeds.ts";

const storms = ["jtwc", "nhc", "jma"];
const lite = ["gfs", "ecmwf", "smoc", "gfswave", "cmemswave", "hycom"];
const all = fieldFeeds.map(({ name }) => name);
const standard = fieldFeeds.filter(({ inProfile }) => inProfile !== undefined).map(({ name }) => name);
const modelsLite = ["gfs", "ecmwf", "ecmwfwave", "gfswave", "ecmwfaifs", "ecmwfaifswave"];
const models = [...modelsLite, "cmemswave", "dwdewam", "dwdgwam", "ukmo", "arpege"];
const inOrder = (names: readonly string[]) => all.filter((name) => names.includes(name));
const select = (setting: string) => {
  const selection = selectFeeds(setting, fieldFeeds, storms);
  return { ...selection, fields: selection.fields.map(({ name }) => name) };
};

it.each([
  ["none", "standard", [], []],
  ["lite", "lite", lite, storms],
  ["standard", "standard", standard, storms],
  ["gfs,jtwc", "standard", ["gfs"], ["jtwc"]],
  ["lite, gfs", "lite", ["gfs"], storms],
  ["lite,jtwc", "lite", lite, ["jtwc"]],
  ["lite,gfs,jma", "lite", ["gfs"], ["jma"]],
  ["ecmwfaifs", "standard", ["ecmwfaifs"], []],
  ["models-lite", "lite", inOrder(modelsLite), storms],
  ["models-lite,smoc,jma", "lite", inOrder([...modelsLite, "smoc"]), ["jma"]],
  ["models", "standard", inOrder(models), storms],
  ["models,all", "standard", all, storms],
  ["all", "standard", all, storms],
  ["full,all", "full", all, storms],
])("FEEDS=%s selects profile %s with its feeds", (setting, profile, fields, ofStorms) => {
  expect(select(setting)).toMatchObject({ profile, fields, storms: ofStorms });
});

it.each([
  ["gfz", /FEEDS=gfz: there is no feed "gfz"; there are gfs, /],
  ["none,gfs", /none stands alone/],
  ["lite,full", /one profile, or one set of models, at a time/],
  ["models,models-lite", /one profile, or one set of models, at a time/],
  ["constructor", /there is no feed "constructor"/],
])("says what is wrong with FEEDS=%s", (setting, message) => {
  expect(() => select(setting)).toThrow(message);
});

it.each(["lite", "standard", "full"] as const)(
  "no variable of %s that changes from hour to hour ends with one feed",
  (profile) => {
    const of = (name: VariableName) =>
      selectFeeds(profile, fieldFeeds, storms).fields.filter((feed) => {
        const has = fieldsOfProfile(feed, profile);
        return (variable(name).outputs[0]?.of ?? fieldsOf(name)).every((field) => has.includes(field));
      });
    const single = variableNames.filter((name) => of(name).length === 1);
    expect(single).toEqual(profile === "lite" ? [] : ["bathy", "sst"]);
    for (const name of ["wind", "gust", "pressure", "wave", "current"] as const)
      expect(new Set(of(name).map(({ credit }) => credit)).size).toBeGreaterThanOrEqual(2);
  },
);

it("a lite cycle of weather and waves is about 0.3 GB, and the plan states the bytes a day and in all before anything is fetched", () => {
  const keep = keepOf("lite", {});
  const plans = fieldFeeds
    .filter(({ name }) => ["gfs", "gfswave"].includes(name))
    .map((feed) => planFeed(feed, "lite", keep));
  const cycle = plans.reduce((sum, { bytesACycle }) => sum + bytesACycle, 0);
  expect(cycle).toBeGreaterThan(0.15e9);
  expect(cycle).toBeLessThan(0.45e9);
  for (const { bytesADay, bytesACycle, bytesInAll } of plans) {
    expect(bytesADay).toBe(4 * bytesACycle);
    expect(bytesInAll).toBeGreaterThan(2 * bytesACycle);
    expect(bytesInAll).toBeLessThan(60e9);
  }
  expect(describePlan(plans, "lite")).toMatch(/^gfs .* 1 min$/m);
  expect(describePlan(plans, "lite")).toMatch(/^together +[\d.]+ MB +[\d.]+ [MG]B +[\d.]+ GB$/m);
});

it("models-lite fetches three models of weather and their waves at the same six-hourly steps of five days, in about 0.3 GB a cycle", () => {
  const { fields, profile, keepsAs } = selectFeeds("models-lite", fieldFeeds, storms);
  for (const feed of fields) {
    const parts = feed.parts(CYCLE, profile);
    expect(parts.map(({ times }) => (times[0]! - CYCLE) / HOUR_S)).toEqual(range(0, 120, 6));
    expect(parts.map(({ index }) => index)).toEqual(parts.map((_, index) => index));
  }
  const plans = fields.map((feed) => planFeed(feed, profile, keepOf(keepsAs, {})));
  const cycle = plans.reduce((sum, { bytesACycle }) => sum + bytesACycle, 0);
  expect(cycle).toBeGreaterThan(0.25e9);
  expect(cycle).toBeLessThan(0.35e9);
  const told = describePlan(plans, "models-lite");
  expect(told).toMatch(/^Models of models-lite, about:$/m);
  expect(told).toMatch(/^together +31\d\.\d MB +1\.3 GB +[\d.]+ GB$/m);
});

describe("feeds of ensembles", () => {
  const all = [...fieldFeeds, ...ensembleFeeds];
  const named = (setting: string) => selectFeeds(setting, all, storms).fields.map(({ name }) => name);

  it("are added to a profile, to names and to a set of models, and are in none of these by themselves", () => {
    for (const setting of ["lite", "gfs", "models-lite", "full", "all"]) {
      const without = named(setting);
      expect(without.some((name) => ensembleFeeds.some((feed) => feed.name === name))).toBe(false);
      expect(named(`${setting},gefs-mean,gefswave-members`)).toEqual([
        ...without,
        "gefs-mean",
        "gefswave-members",
      ]);
    }
    expect(named("gefs-statistics")).toEqual(["gefs-statistics"]);
  });

  it("store one plan of an ensemble at a time", () => {
    expect(() => named("lite,gefs-mean,gefs-members")).toThrow(/one plan of gefs at a time/);
  });

  it("are printed with their bytes before anything is fetched: the mean costs a fifteenth of the members", () => {
    const costOf = (name: string) =>
      planFeed(all.find((feed) => feed.name === name)!, "standard", keepOf("standard", {})).bytesACycle;
    expect(costOf("gefs-mean") / costOf("gefs-statistics")).toBeCloseTo(2 / 31, 3);
    expect(costOf("gefs-mean") + costOf("gefswave-mean")).toBeLessThan(0.65e9);
    const { fields, profile } = selectFeeds("lite,gefs-mean,gefswave-mean", all, storms);
    const told = describePlan(
      fields.map((feed) => planFeed(feed, profile, keepOf("lite", {}))),
      "lite",
    );
    expect(told).toMatch(/^gefs-mean +4 a day +21 +131\.1 MB +524\.3 MB +[\d.]+ MB +1 min$/m);
    expect(told).toContain("NOAA GEFS 0.25°: wind, gusts, pressure, mean and spread of the ensemble");
  });
});

it("a set of models has the operator's own sources too, with all of their steps", () => {
  const own: FieldFeed = { ...fieldFeeds[0]!, name: "own", isOwn: true };
  const { fields, profile } = selectFeeds("models-lite", [...fieldFeeds, own], storms);
  expect(fields.at(-1)).toBe(own);
  expect(fields[0]!.parts(CYCLE, profile).length).toBeLessThan(own.parts(CYCLE, profile).length);
});

describeWithSamples("the plan of a set of models", (samples) => {
  const aifs = { file: "idx/aifs_single_20250301_00z_6h.index", form: "ecmwf", lead: 6 } as const;
  const indices = {
    gfs: { file: "idx/gfs.t00z.pgrb2.0p25.f000.idx", form: "wgrib2", lead: 0, cycle: Date.UTC(2025, 7, 1) },
    ecmwfaifs: { ...aifs, cycle: Date.UTC(2025, 2, 1) },
    // A related model has the messages that both have.
    ecmwf: { ...aifs, cycle: Date.UTC(2025, 2, 1) },
  } as const;

  it.each(["models-lite", "models"])("%s costs what real indices say, within 15 %%", (setting) => {
    const { fields, profile, keepsAs } = selectFeeds(setting, fieldFeeds, storms);
    for (const [name, { file, form, lead, cycle }] of Object.entries(indices)) {
      const feed = fields.find((one) => one.name === name)!;
      const parts = feed.parts(CYCLE, profile);
      const wanted = messagesOf(feed, parts[1]!, profile)!;
      const at = { cycle: cycle / 1000, lead };
      const { messages, lacking } = findMessages(readFileSync(join(samples, file), "utf8"), form, wanted, at);
      if (name !== "ecmwf") expect(lacking).toEqual([]);
      const found = messages.reduce((sum, { length }) => sum + length!, 0);
      const without = wanted.filter((one) => !messages.some((message) => message.wanted.includes(one)));
      const real = parts.length * (found + bytesOfMessages(without));
      const { bytesACycle } = planFeed(feed, profile, keepOf(keepsAs, {}));
      expect(bytesACycle / real).toBeGreaterThan(0.85);
      expect(bytesACycle / real).toBeLessThan(1.15);
    }
  });
});

const grid = {
  latitude: { start: 0, step: 1, count: 4 },
  longitude: { start: 0, step: 1, count: 4 },
};

async function archiveWithRun(): Promise<{ archive: string; bytes: number }> {
  const archive = temporaryFolder();
  const run = await publish(archive, newRun(grid, 2), {
    air_temperature: [new Float32Array(16).fill(1), new Float32Array(16).fill(2)],
  });
  let bytes = 0;
  for await (const file of folderBlobStore(join(archive, run.path)).list()) bytes += file.bytes;
  return { archive, bytes };
}

it("lets the archive grow to FEED_DISK_MB and no further, and says what can be done", async () => {
  const { archive, bytes } = await archiveWithRun();
  const budget = diskBudget(folderArchive(archive), bytes + 1000, 0);
  expect(await budget.used()).toBe(bytes);
  expect(await budget.refusal(1000)).toBeUndefined();
  expect(await budget.refusal(1001)).toMatch(/FEED_DISK_MB allows.*raise it, retain less/);
  // Files that wait beside the archive are not part of it.
  expect(await budget.refusal(1000, 1000)).toBeUndefined();
  await publish(archive, newRun(grid, 2, "another"), { air_temperature: [new Float32Array(16)] });
  expect((await readManifest(archive)).runs).toHaveLength(2);
  expect(await budget.refusal(1000)).toMatch(/FEED_DISK_MB/);
});

it("leaves MIN_FREE_MB of the disk free", async () => {
  const archive = join(temporaryFolder(), "not there yet");
  const half = (await freeBytes(join(archive, ".."))) / 2;
  const budget = diskBudget(folderArchive(archive), undefined, half);
  expect(await budget.refusal(0)).toBeUndefined();
  expect(await budget.refusal(2 * half)).toMatch(/MIN_FREE_MB stays free/);
  expect(await budget.refusal(0, 2 * half)).toMatch(/MIN_FREE_MB stays free/);
});

it("two feeds that fetch at once do not count on the same bytes of the disk or of FEED_DISK_MB", async () => {
  const folder = temporaryFolder();
  const free = await freeBytes(folder);
  // A tenth of the disk more than one of them needs, because other programs write to it too.
  const disk = diskBudget(folderArchive(folder), undefined, 0.3 * free);
  const greedy = (bytes: number) => async () => ({ bytes: 0, files: bytes });
  expect(
    await Promise.all([disk.reserve("one", greedy(0.6 * free)), disk.reserve("other", greedy(0.6 * free))]),
  ).toEqual([undefined, expect.stringMatching(/other feeds need .* of it; the next fetch needs/)]);
  // A feed's own reservation is no obstacle to it.
  expect(await disk.reserve("one", greedy(0.6 * free))).toBeUndefined();
  expect(await disk.refusal(0, 0.6 * free, "one")).toBeUndefined();
  disk.release("one");
  expect(await disk.reserve("other", greedy(0.6 * free))).toBeUndefined();

  const budget = diskBudget(folderArchive(folder), 1e9, 0);
  let left = 6e8;
  expect(await budget.reserve("one", async () => ({ bytes: left, files: 0 }))).toBeUndefined();
  const other = async () => ({ bytes: 6e8, files: 0 });
  expect(await budget.reserve("other", other)).toMatch(
    /FEED_DISK_MB allows, other feeds are fetching 600.0 MB/,
  );
  // What the first one has written is in the archive, and is not counted twice.
  left = 4e8;
  expect(await budget.reserve("other", other)).toBeUndefined();
});

it("refuses a fetch whose bytes are not known", async () => {
  const budget = diskBudget(folderArchive(temporaryFolder()), 1e9, 0);
  await expect(budget.refusal(Number.NaN)).rejects.toThrow("The bytes of the next fetch are not known");
  const message = { element: "ASNOW", level: "surface", time: "instant" } as const;
  expect(() => bytesOfMessages([message])).toThrow("long a message of ASNOW is");
});

const CYCLE = Date.UTC(2026, 8, 1, 12) / 1000;

/** Number of looks for a cycle that never comes, until the next one is expected. */
function looksOf({ delay, cycles }: Pick<FieldFeed, "cycles" | "delay">): number {
  let looks = 0;
  for (let now = CYCLE + delay.first; now < CYCLE + delay.first + cycles.every; looks++)
    now = nextLook({ delay }, CYCLE, now);
  return looks;
}

it.each(fieldFeeds.filter(({ source }) => source.dataset !== "Static"))(
  "asks for a cycle of $name that never comes 300 times at most",
  (feed) => {
    expect(looksOf(feed)).toBeLessThanOrEqual(300);
  },
);
