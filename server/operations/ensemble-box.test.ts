import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ensembleResponse } from "#lib/contract/ensemble.ts";
import { mapResponse } from "#lib/contract/map2d.ts";
import { formatInstant } from "#lib/time.ts";
import { openNetcdf3 } from "#server/ingest/netcdf/netcdf3.ts";
import { temporaryFolder } from "#test/archive.ts";
import { hasEccodes, readByEccodes } from "#test/eccodes.ts";
import { ensembleArchive, ensembleStart } from "#test/ensembles.ts";
import { ask, bytesOf, connectWeather, issuesOf, textOf } from "#test/send.ts";

const HOUR = 3600;
const PYTHON = "/usr/bin/python3";
const at = (hours: number) => formatInstant(ensembleStart + hours * HOUR);
const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 30];

beforeEach(async () => {
  const { archive } = await ensembleArchive({ members: numbers });
  connectWeather(ensembleStart, { archive });
});

/** Two rows and three columns across the antimeridian, at three steps. */
const box = { latitude: [10, 25], longitude: [170, -165], timestamp: [at(0), at(7)] };
const nodes = [10, 20].flatMap((latitude) => [170, -180, -170].map((longitude) => ({ latitude, longitude })));
const steps = [at(0), at(3), at(6)];

const send = (body: object, accept?: string) =>
  ask("POST", "/2DMetOcean", {
    body: { bounding_boxes: [box], variable: "wind", ...body },
    headers: { accept },
  });
const answerOf = async (body: object) => mapResponse.parse(JSON.parse(await textOf(await send(body)))).result;

/** The distributions at all nodes and steps, step by step. */
async function atPoints(variable: string, asked: object) {
  const points = steps.flatMap((timestamp) => nodes.map((node) => ({ ...node, timestamp })));
  const reply = await ask("POST", "/MetOcean/ensemble", {
    body: { points, variables: [variable], ...asked },
  });
  return ensembleResponse.parse(JSON.parse(await textOf(reply))).result.results;
}

describe("a box of an ensemble", () => {
  const waves = { output: "Waves_Significant_Height", over: 2.5 };
  const thresholds = [waves];

  it("has statistics whose numbers are those of the same points", async () => {
    const ensemble = {
      name: "gefs",
      statistics: ["members", "control", "mean", "spread"],
      percentiles: [25, 90],
      thresholds,
    };
    const { results, meta } = await answerOf({ variable: "wave", ensemble });
    const points = await atPoints("wave", { percentiles: [25, 90], thresholds });
    const [{ coordinates, conditions }] = results as [(typeof results)[0]];
    expect(coordinates).toEqual({ latitude: [10, 20], longitude: [170, -180, -170], timestamp: steps });
    expect(Object.keys(conditions)).toEqual([
      ...["members", "control", "mean"].map((name) => `Waves_Mean_Direction_${name}`),
      ...["members", "control", "mean", "spread", "p25", "p90", "over_2.5"].map(
        (name) => `Waves_Significant_Height_${name}`,
      ),
      ...["members", "control", "mean", "spread", "p25", "p90"].map((name) => `Waves_Mean_Period_${name}`),
    ]);
    const heights = points.map(({ conditions }) => conditions.Waves_Significant_Height);
    const flat = (name: string) => (conditions as Record<string, unknown[][][]>)[name]!.flat(2);
    expect(flat("Waves_Significant_Height_members")).toEqual(heights.map((one) => one?.members ?? null));
    expect(flat("Waves_Significant_Height_control")).toEqual(heights.map((one) => one?.control ?? null));
    expect(flat("Waves_Significant_Height_spread")).toEqual(heights.map((one) => one?.spread ?? null));
    expect(flat("Waves_Significant_Height_p90")).toEqual(heights.map((one) => one?.percentiles?.[1] ?? null));
    expect(flat("Waves_Significant_Height_over_2.5")).toEqual(
      heights.map((one) => one?.over?.[0]?.percent ?? null),
    );
    expect(flat("Waves_Mean_Direction_mean")).toEqual(
      points.map(({ conditions }) => conditions.Waves_Mean_Direction?.mean ?? null),
    );
    expect(new Set(flat("Waves_Significant_Height_members")).size).toBeGreaterThan(1);
    expect(meta!.ensembles![0]).toMatchObject({ members: numbers, size: 31, points: 18, from: "members" });
    expect(meta!.caution).toContain("not calibrated");
  });

  it("has the members, one result each, in the order of their numbers", async () => {
    const { results } = await answerOf({ ensemble: { members: true } });
    expect(results.map(({ coordinates }) => coordinates.member)).toEqual(numbers);
    const points = await atPoints("wind", { members: true });
    for (const [member, { conditions }] of results.entries())
      for (const name of ["Winds_10m_Intensity", "Winds_10m_Direction"])
        expect((conditions as Record<string, unknown[][][]>)[name]!.flat(2)).toEqual(
          points.map(({ conditions }) => conditions[name]!.values![member]),
        );
  });

  it("at one time has no axis of time", async () => {
    const { results } = await answerOf({
      bounding_boxes: [{ ...box, timestamp: at(4) }],
      ensemble: { statistics: ["mean"] },
    });
    expect(results[0]!.conditions.Winds_10m_Intensity_mean).toHaveLength(2);
  });

  it("has no members where a newer run keeps statistics alone, and says so", async () => {
    const earlier = { members: numbers, hours: [-6, -3, 0, 3, 6] };
    const { root } = await ensembleArchive(earlier);
    const newer = {
      root,
      members: numbers,
      hours: [0, 3],
      fields: [],
      statistics: ["wind_speed_mean" as const],
    };
    const { archive } = await ensembleArchive(newer);
    connectWeather(ensembleStart, { archive });
    const { results, meta } = await answerOf({ ensemble: { members: true } });
    for (const { conditions } of results) {
      const speeds = (conditions.Winds_10m_Intensity as (number | null)[][][]).map((step) => step.flat());
      expect(speeds.slice(0, 2).flat()).toEqual(nodes.flatMap(() => [null, null]));
      expect(speeds[2]).toEqual(nodes.map(() => expect.any(Number)));
    }
    expect(meta).toMatchObject({
      nulls: [{ reason: "missing", points: nodes.length * 2 }],
      ensembles: [
        { from: "statistics", notes: [expect.stringContaining("keeps no members")] },
        { from: "members" },
      ],
    });
  });

  it.each([
    [{ name: "ens" }, {}, "ensemble.name", "There is no ensemble ens: the archive has gefs"],
    [{ percentiles: [101] }, {}, "ensemble.percentiles.0", "less than or equal to 100"],
    [{ members: true, percentiles: [10] }, {}, "ensemble.members", "members or statistics"],
    [{ statistics: [] }, {}, "ensemble", "Nothing of wind is asked for"],
    [{ statistics: [], thresholds: [waves] }, {}, "ensemble", "Nothing of wind is asked for"],
    [{}, { models: ["best"] }, "models", "by models or by an ensemble"],
    [{}, { async: true }, "async", "answered at once"],
  ])("refuses %j with %j", async (ensemble, more, loc, msg) => {
    const reply = await send({ ensemble, ...more });
    expect([reply.status, await issuesOf(reply)]).toEqual([422, [[loc, expect.stringContaining(msg)]]]);
  });

  it("of an ensemble that keeps statistics alone has them, and refuses to answer with members", async () => {
    const statistics = ["wind_speed_mean", "wind_speed_p90", "wind_speed_over_34kn"] as const;
    const { archive } = await ensembleArchive({ fields: [], statistics: [...statistics] });
    connectWeather(ensembleStart, { archive });
    const ensemble = {
      statistics: ["mean", "spread"],
      percentiles: [50, 90],
      thresholds: [{ output: "Winds_10m_Intensity", over: 17.49 }],
    };
    const { results, meta } = await answerOf({ ensemble });
    // The value of a stored statistic is the number of its node modulo 100.
    const rows = [10, 11].map((row) => [35, 0, 1].map((column) => (row * 36 + column) % 100));
    const first = (name: string) => (results[0]!.conditions as Record<string, unknown[]>)[name]![0];
    expect(first("Winds_10m_Intensity_mean")).toEqual(rows);
    expect(first("Winds_10m_Intensity_p90")).toEqual(rows);
    expect(first("Winds_10m_Intensity_over_17.49")).toEqual(rows);
    expect(first("Winds_10m_Intensity_p50")).toEqual(rows.map((row) => row.map(() => null)));
    expect(meta!.ensembles![0]).toMatchObject({ from: "statistics", size: 31 });
    const reply = await send({ ensemble: { members: true } });
    expect([reply.status, await issuesOf(reply)]).toEqual([
      422,
      [["ensemble.members", "The archive keeps no members of wind of this ensemble: ask for statistics"]],
    ]);
  });

  it("refuses formats that have no place for it", async () => {
    for (const [ensemble, type] of [
      [{ members: true }, "application/vnd.metocean.field+binary"],
      [{ percentiles: [10] }, "application/x-grib2"],
      [{}, "application/x-grib2"],
    ] as const)
      expect((await send({ ensemble }, type)).status).toBe(422);
  });

  it("is a table with a column for the member in CSV", async () => {
    const csv = (await textOf(await send({ ensemble: { members: true } }, "text/csv")))
      .trimEnd()
      .split("\r\n");
    const column = csv[0]!.split(",").indexOf("member");
    expect(csv).toHaveLength(1 + numbers.length * 18);
    expect([csv[1], csv.at(-1)].map((row) => row!.split(",")[column])).toEqual(["0", "30"]);
  });

  it("has the dimension realization in NetCDF, with the numbers of the members", async () => {
    const bytes = await bytesOf(await send({ ensemble: { members: true } }, "application/x-netcdf"));
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    const file = openNetcdf3({ size: bytes.length, read });
    expect(file.variables.get("Winds_10m_Intensity")!.dimensions.map(({ name }) => name)).toEqual([
      ...["time", "realization", "latitude", "longitude"],
    ]);
    expect([...file.read("realization", [0], [numbers.length]).values()]).toEqual(numbers);
    const { results } = await answerOf({ ensemble: { members: true } });
    const last = (results.at(-1)!.conditions as Record<string, number[][][]>).Winds_10m_Intensity!;
    const at = [1, numbers.length - 1, 0, 0];
    expect([...file.read("Winds_10m_Intensity", at, [1, 1, 2, 3]).values()]).toEqual(last[1]!.flat());
  });

  const hasXarray = spawnSync(PYTHON, ["-c", "import xarray, netCDF4"]).status === 0;
  it.runIf(hasXarray || process.env.REQUIRE_CLIENTS)(
    "is what xarray reads it as, with the dimension realization (skipped without python3-xarray)",
    async () => {
      const folder = temporaryFolder();
      const files = {
        members: { members: true },
        statistics: { statistics: ["mean", "spread"], percentiles: [90] },
      };
      for (const [name, ensemble] of Object.entries(files))
        writeFileSync(
          join(folder, `${name}.nc`),
          await bytesOf(await send({ ensemble }, "application/x-netcdf")),
        );
      const script = `
import json, sys, xarray as xr
m = xr.open_dataset(sys.argv[1] + "/members.nc"); s = xr.open_dataset(sys.argv[1] + "/statistics.nc")
speed = m.Winds_10m_Intensity
print(json.dumps([list(speed.dims), m.realization.values.tolist(), m.realization.attrs["standard_name"],
  abs(float((speed.mean("realization") - s.Winds_10m_Intensity_mean).max())) < 0.0101,
  abs(float((speed.std("realization", ddof=1) - s.Winds_10m_Intensity_spread).max())) < 0.0151,
  abs(float((speed.quantile(0.9, "realization") - s.Winds_10m_Intensity_p90).max())) < 0.0101,
  s.Winds_10m_Intensity_spread.attrs["cell_methods"], s.Winds_10m_Intensity_spread.attrs["standard_name"],
  s.Winds_10m_Intensity_p90.attrs["units"]]))`;
      expect(JSON.parse(execFileSync(PYTHON, ["-c", script, folder], { encoding: "utf8" }))).toEqual([
        ["time", "realization", "latitude", "longitude"],
        numbers,
        "realization",
        true,
        true,
        true,
        "realization: standard_deviation",
        "wind_speed",
        "m s-1",
      ]);
    },
  );

  it.runIf(hasEccodes())(
    "has members and derived forecasts in GRIB2 for eccodes (skipped without eccodes)",
    async () => {
      const keys = [
        "perturbationNumber",
        "numberOfForecastsInEnsemble",
        "typeOfEnsembleForecast",
        "derivedForecast",
        "stepRange",
      ];
      const one = { bounding_boxes: [{ ...box, timestamp: at(6) }] };
      const members = readByEccodes(
        await bytesOf(await send({ ...one, ensemble: { members: true } }, "application/x-grib2")),
        keys,
      );
      expect(members.map(({ perturbationNumber }) => perturbationNumber)).toEqual(
        numbers.flatMap((number) => [number, number]),
      );
      expect(members.map(({ productDefinitionTemplateNumber }) => productDefinitionTemplateNumber)).toEqual(
        members.map(() => 1),
      );
      expect(members[0]).toMatchObject({
        shortName: "10u",
        numberOfForecastsInEnsemble: 31,
        typeOfEnsembleForecast: 1,
        stepRange: "6",
      });
      const [{ results }] = [await answerOf({ ...one, ensemble: { members: true } })];
      const speeds = (results[9]!.conditions.Winds_10m_Intensity as (number | null)[][]).toReversed().flat();
      const [u, v] = members.slice(-2);
      const written = u!.values.map((east, i) => Math.hypot(east!, v!.values[i]!));
      const rows = u!.first[0] === 10 ? speeds.slice(3).concat(speeds.slice(0, 3)) : speeds;
      for (const [i, speed] of written.entries()) expect(speed).toBeCloseTo(rows[i]!, 1);

      const statistics = { statistics: ["mean", "spread"] };
      const derived = readByEccodes(
        await bytesOf(await send({ ...one, ensemble: statistics }, "application/x-grib2")),
        keys,
      );
      expect(derived.map(({ shortName, derivedForecast }) => [shortName, derivedForecast])).toEqual([
        ["10si", 0],
        ["10si", 4],
      ]);
      expect(derived[0]).toMatchObject({
        productDefinitionTemplateNumber: 2,
        numberOfForecastsInEnsemble: 31,
      });
    },
  );
});
