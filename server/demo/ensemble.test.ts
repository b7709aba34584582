import { beforeAll, expect, it } from "vitest";
import { ensembleQuantities, type Statistic, statistics } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { openReader } from "#server/archive/reader.ts";
import { runSchema } from "#server/archive/run.ts";
import type { World } from "#server/demo/static/world.ts";
import { readValues } from "#test/archive.ts";
import { inlinePool } from "#test/demo-pool.ts";
import { box, demoWorld, fingerprint } from "#test/demo-world.ts";
import { demoArray } from "./compute.ts";
import { ensembleGroupOf, ensembleValues } from "./ensemble.ts";
import { demoManifest, demoRunOf, perturbationOf } from "./runs.ts";
import { demoStore } from "./store.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const { runs, ensembles } = demoManifest(now);
const [run] = ensembles!;
const MEMBERS = 31;
const HEIGHT = "sea_surface_wave_significant_height";
const never = new AbortController().signal;

let world: World;
beforeAll(() => {
  world = demoWorld();
});

const open = () => openReader(demoStore(inlinePool()), { cacheBytes: 2 ** 24 });
const members = [...Array(MEMBERS).keys()];

it("is one run of 31 members of a coarser grid, in the form of the archive, reconstructed from its id", () => {
  expect(ensembles).toHaveLength(1);
  expect(run!.ensemble).toEqual({ members, size: MEMBERS });
  expect(run!.provenance).toBe("synthetic");
  expect(run!.times).toHaveLength(41);
  expect(runSchema.parse(run)).toEqual(run);
  expect(demoRunOf(run!.id)).toEqual(run);
  expect(demoRunOf(`${run!.id}.x`)).toBeUndefined();
  expect(demoRunOf("Forecast.demo-ensemble-1.x.y")).toBeUndefined();
  for (const { name } of statistics) expect(run!.fields).toHaveProperty(name);
  // A span of 72 h that begins less than that before the end is missing.
  expect(run!.fields.wind_speed_over_34kn_within_72h!.steps!.at(-1)).toBe(40 - 72 / 6);
});

it("has the weather of the first model as its control", async () => {
  const first = runs.find(({ dataset, times }) => dataset === "Forecast" && times.length === 265)!;
  const reader = open();
  for (const name of [
    "eastward_wind_10m",
    "wind_speed_of_gust",
    HEIGHT,
    "air_pressure_at_mean_sea_level",
  ] as const) {
    const rows = [0, 4, 20, 40].map((step, i) => [40 + i, -30 - i, run!.times[step]!] as const);
    const control = await readValues(reader, { ...run!, member: 0 }, name, rows);
    expect(control.some(Number.isNaN)).toBe(false);
    expect(control).toEqual(await readValues(reader, first, name, rows));
  }
});

it("parts with the lead, in time and in strength, around the control", () => {
  const grid = box(-60, -180, 10, 13, 36);
  const spread = (step: number) => {
    const found = ensembleValues(world, run!, ["wind_speed_spread"], grid, step).wind_speed_spread!;
    return found.reduce((sum, value) => sum + value, 0) / found.length;
  };
  const spreads = [0, 4, 12, 20, 30, 40].map(spread);
  expect(spreads).toEqual(spreads.toSorted((a, b) => a - b));
  expect(spreads[0]).toBeGreaterThan(0.05);
  expect(spreads.at(-1)! / spreads[1]!).toBeGreaterThan(3);
  const perturbations = members.map((member) => perturbationOf(run!, 40, member));
  expect(perturbations[0]).toEqual({ early: 0, strength: 1 });
  for (const [low, high] of [
    perturbations.map(({ early }) => early / (12 * HOUR_S)),
    perturbations.map(({ strength }) => (strength - 1) / 0.1),
  ].map((values) => [Math.min(...values), Math.max(...values)])) {
    expect(low).toBeLessThan(-1);
    expect(high).toBeGreaterThan(1);
  }
});

it("has wind, gust and sea of one member that belong together", () => {
  const grid = box(-60, -180, 7, 17, 51);
  const nodes = 17 * 51;
  const of = (names: readonly StoredName[]) => ensembleValues(world, run!, names, grid, 28);
  const wind = of(["air_pressure_at_mean_sea_level", "eastward_wind_10m", "northward_wind_10m"]);
  const gusts = of(["wind_speed_of_gust"]).wind_speed_of_gust!;
  const seas = of([HEIGHT, "sea_surface_wave_mean_period"]);
  for (let at = 0; at < MEMBERS * nodes; at++) {
    const speed = Math.hypot(wind.eastward_wind_10m![at]!, wind.northward_wind_10m![at]!);
    if (gusts[at]! < speed - 1e-3) throw new Error(`gusts of ${gusts[at]} m/s over wind of ${speed}`);
    const [height, period] = [seas[HEIGHT]![at]!, seas.sea_surface_wave_mean_period![at]!];
    if (height / (1.56 * period * period) >= 1 / 13) throw new Error(`${height} m of ${period} s`);
  }
  // Where the wind of a member is twice another's, its waves are mostly higher.
  const mean = (values: Float32Array, member: number) => {
    const own = values.subarray(member * nodes, (member + 1) * nodes).filter((value) => !Number.isNaN(value));
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  };
  const strengths = members.map((member) => perturbationOf(run!, 28, member).strength);
  const [weak, strong] = [Math.min(...strengths), Math.max(...strengths)].map((one) =>
    strengths.indexOf(one),
  );
  expect(mean(gusts, strong!)).toBeGreaterThan(1.15 * mean(gusts, weak!));
  expect(mean(seas[HEIGHT]!, strong!)).toBeGreaterThan(1.2 * mean(seas[HEIGHT]!, weak!));
});

it("gives a node the same values in every chunk and patch, and each member the same alone and with all others", async () => {
  const reader = open();
  const name = "northward_wind_10m";
  const step = 17;
  const { members: whole, grid } = await reader.memberSteps(run!, name, step, never, {
    row: 100,
    rows: 30,
    column: 350,
    columns: 10,
  });
  const rows = [0, 47, 133, 299].map(
    (node) =>
      [
        grid.latitude.start + Math.floor(node / 10),
        grid.longitude.start + (node % 10),
        run!.times[step]!,
      ] as const,
  );
  for (const member of [0, 1, 30]) {
    const values = await readValues(reader, { ...run!, member }, name, rows);
    const expected = [0, 47, 133, 299].map((node) => whole[member]![node]! * 0.01);
    for (const [i, value] of values.entries()) expect(value).toBeCloseTo(expected[i]!, 9);
  }
  const one = await reader.mapStep({ ...run!, member: 30 }, name, step, 1, never, {
    row: 100,
    rows: 30,
    column: 350,
    columns: 10,
  });
  expect(one.values).toEqual(whole[30]);
});

it("has statistics that are those of its members", async () => {
  const reader = open();
  const part = { row: 130, rows: 4, column: 140, columns: 5 };
  const names = ["eastward_wind_10m", "northward_wind_10m"] as const;
  const step = 9;
  const speeds: number[][][] = [];
  for (let later = 0; later <= 4; later++) {
    const [east, north] = [
      await reader.memberSteps(run!, names[0], step + later, never, part),
      await reader.memberSteps(run!, names[1], step + later, never, part),
    ];
    speeds.push(
      members.map((member) =>
        Array.from(east.members[member]!, (u, node) => Math.hypot(u, north.members[member]![node]!) / 100),
      ),
    );
  }
  const stored = async (name: StoredName) => (await reader.mapStep(run!, name, step, 1, never, part)).values;
  const mean = await stored("wind_speed_mean");
  const gales = await stored("wind_speed_over_22kn");
  const within = await stored("wind_speed_over_22kn_within_24h");
  const limit = (22 * 1852) / 3600;
  let between = 0;
  for (let node = 0; node < 20; node++) {
    const now = speeds[0]!.map((values) => values[node]!);
    expect(mean[node]! / 100).toBeCloseTo(now.reduce((sum, value) => sum + value, 0) / MEMBERS, 1);
    // Numbers are packed in steps of 0.01 m/s, so a member that close to the limit may be on either side.
    const count = (over: (member: number) => boolean) => members.filter(over).length;
    const low = count((member) => now[member]! > limit + 0.01);
    const high = count((member) => now[member]! > limit - 0.01);
    expect(gales[node]).toBeGreaterThanOrEqual(Math.round((1000 * low) / MEMBERS));
    expect(gales[node]).toBeLessThanOrEqual(Math.round((1000 * high) / MEMBERS));
    const ever = (by: number) =>
      count((member) => speeds.some((values) => values[member]![node]! > limit + by));
    expect(within[node]).toBeGreaterThanOrEqual(Math.round((1000 * ever(0.01)) / MEMBERS));
    expect(within[node]).toBeLessThanOrEqual(Math.round((1000 * ever(-0.01)) / MEMBERS));
    if (within[node]! > 0 && within[node]! < 1000) between++;
  }
  expect(between).toBeGreaterThan(0);
});

it("computes statistics of one kind together, and has arrays of everything that its run names", () => {
  for (const name of Object.keys(run!.fields) as StoredName[]) {
    expect(ensembleGroupOf(name)).toContain(name);
    expect(demoArray(`${run!.path}/points/${name}`)?.together).toContain(name);
    expect(demoArray(`${run!.path}/maps/1/${name}`)?.field).toBe(name);
    expect(demoArray(`${run!.path}/maps/2/${name}`)).toBeUndefined();
  }
  const wind = ensembleQuantities[0]!;
  const isSpan = (one: Statistic) => one.is === "share" && one.hours !== undefined;
  expect(ensembleGroupOf("wind_speed_mean")).toEqual(
    statistics.filter((one) => one.quantity === wind && !isSpan(one)).map(({ name }) => name),
  );
});

/**
 * Hashes of samples of each ensemble. Never edit the row of one that was released: browsers keep frames under its run ids
 * permanently. If values change on purpose, raise the version of the ensemble in `runs.ts` and add a row.
 */
const released: Readonly<Record<string, Partial<Record<FieldName, string>>>> = {
  "demo-ensemble-1": {
    air_pressure_at_mean_sea_level: "339ceb99",
    eastward_wind_10m: "ed294612",
    [HEIGHT]: "58297b26",
    wind_speed_of_gust: "d534a94b",
  },
};

it("is the same ensemble on every machine, and changes only under another name", () => {
  const name = run!.id.split(".")[1]!;
  const grid = box(-60, -180, 20, 7, 18);
  const found: Partial<Record<FieldName, string>> = {};
  for (const names of [
    ["air_pressure_at_mean_sea_level", "eastward_wind_10m"],
    ["wind_speed_of_gust"],
    [HEIGHT],
  ] as const) {
    const values = ensembleValues(world, run!, names, grid, 27);
    for (const field of names) found[field] = fingerprint(values[field]!, 0.2);
  }
  expect(found).toEqual(released[name]);
});
