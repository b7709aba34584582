import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { statisticOf } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { ensembleRequest, ensembleResponse } from "#lib/contract/ensemble.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { manifestOfMember } from "#server/archive/ensembles.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { EnsembleRun, Manifest, Run } from "#server/archive/run.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { runOf } from "#test/archive.ts";
import { answerEnsemble } from "./points.ts";

const now = parseInstant("2026-06-15T12:00:00Z");
const HOUR = 3600;
const { signal } = new AbortController();

const members = { members: true as const };
const wind = { eastward_wind_10m: members, northward_wind_10m: members };
const waves = Object.fromEntries(
  ["from_direction_x", "from_direction_y", "significant_height", "mean_period"].map((name) => [
    `sea_surface_wave_${name}`,
    members,
  ]),
);

function ensembleRun(part: Partial<Run> & Pick<EnsembleRun, "ensemble">): EnsembleRun {
  const times = [0, 3, 6, 9].map((hours) => now + hours * HOUR);
  return {
    ...runOf({ source: "gefs", model: "GEFS 0.5°", referenceTime: now, times, fields: wind, ...part }),
    ensemble: part.ensemble,
  };
}

const whole = { members: Array.from({ length: 31 }, (_, member) => member), size: 31 };

/** A source whose fields have one number a field, member and point. */
function sourceOf(
  ensembles: EnsembleRun[],
  value: (field: string, run: Run, index: number) => number,
): PointSource {
  const manifest: Manifest = { version: 1, runs: [], ensembles };
  return {
    manifest: async () => manifest,
    refresh: async () => manifest,
    async valuesAt(run, field, points, indices, out) {
      for (const index of indices ?? Int32Array.from({ length: points.count }, (_, i) => i))
        out[index] = value(field, run, index);
    },
  };
}

async function ask(source: PointSource, body: object) {
  const request = ensembleRequest.parse({
    points: [{ latitude: 10, longitude: 20, timestamp: formatInstant(now) }],
    variables: ["wind"],
    ...body,
  });
  const { results, meta } = await answerEnsemble(source, request, now, signal);
  const execution_time = "0.001 seconds";
  ensembleResponse.parse({ task_id: ["x"], status: "SUCCESS", result: { results, meta, execution_time } });
  return { meta, results, first: results[0]!.conditions };
}

describe("the distribution at a point", () => {
  /** Member m has an easterly wind of m m/s. */
  const easterly = sourceOf([ensembleRun({ ensemble: whole })], (field, { member }) =>
    field.startsWith("east") ? -member! : 0,
  );

  it("has control, mean, spread, percentiles and counts of the speeds of members", async () => {
    const { first, meta } = await ask(easterly, {
      percentiles: [0, 10, 50, 97.5, 100],
      thresholds: [
        { output: "Winds_10m_Intensity", over: 17.49 },
        { output: "Winds_10m_Intensity", over: 30 },
        { output: "Gust_10m", over: 1 },
      ],
    });
    expect(first.Winds_10m_Intensity).toEqual({
      members: 31,
      control: 0,
      mean: 15,
      spread: 9.09,
      percentiles: [0, 3, 15, 29.25, 30],
      over: [
        { over: 17.49, members: 13, percent: 41.9 },
        { over: 30, members: 0, percent: 0 },
      ],
    });
    expect(meta.ensembles).toEqual([
      expect.objectContaining({ ensemble: "gefs", from: "members", size: 31, grid_step: 30, step_h: 3 }),
    ]);
  });

  it("has a direction that is that of the mean vector, and neither spread nor percentiles", async () => {
    const { first } = await ask(easterly, { members: true });
    // The control is calm.
    expect(first.Winds_10m_Direction).toEqual({
      members: 30,
      control: null,
      mean: 90,
      values: [null, ...new Array(30).fill(90)],
    });
  });

  it("weighs the directions of winds by their speeds", async () => {
    const run = ensembleRun({ ensemble: { members: [1, 2], size: 2 } });
    const crossed = sourceOf([run], (field, { member }) => {
      if (field.startsWith("east")) return member === 0 ? -3 : 0;
      return member === 0 ? 0 : -1;
    });
    const { first } = await ask(crossed, {});
    // The tangent of the angle to the east is 1 / 3, and not 1.
    expect(first.Winds_10m_Direction).toMatchObject({ members: 2, mean: expect.closeTo(71.6, 1) });
  });

  it("is no direction of 180° between 350° and 10°", async () => {
    const run = ensembleRun({ ensemble: { members: [1, 2], size: 30 }, fields: waves });
    const around = sourceOf([run], (field, { member }) => {
      const bearing = ((member === 0 ? 350 : 10) * Math.PI) / 180;
      if (field.endsWith("_x")) return Math.sin(bearing);
      return field.endsWith("_y") ? Math.cos(bearing) : 2;
    });
    const { first } = await ask(around, { variables: ["wave"], members: true });
    expect(first.Waves_Mean_Direction).toEqual({ members: 2, control: null, mean: 0, values: [350, 10] });
  });

  it("counts only members that have a value: waves of members under ice are missing", async () => {
    const run = ensembleRun({ ensemble: whole, fields: waves });
    const icy = sourceOf([run], (field, { member }) =>
      member! < 25 ? Number.NaN : field.endsWith("height") ? 4 : 1,
    );
    const { first } = await ask(icy, {
      variables: ["wave"],
      thresholds: [{ output: "Waves_Significant_Height", over: 2.5 }],
    });
    expect(first.Waves_Significant_Height).toMatchObject({
      members: 6,
      control: null,
      mean: 4,
      spread: 0,
      over: [{ members: 6, percent: 100 }],
    });
  });

  it("is null where no member has a value, beyond the run, and of what the ensemble lacks, with the reason", async () => {
    const run = ensembleRun({ ensemble: whole });
    const none = sourceOf([run], (_, __, index) => (index === 0 ? Number.NaN : 1));
    const at = (hours: number) => ({
      latitude: 10,
      longitude: 20,
      timestamp: formatInstant(now + hours * HOUR),
    });
    const { results, meta } = await ask(none, {
      points: [at(0), at(9), at(10)],
      variables: ["wind", "gust"],
    });
    expect(results.map(({ conditions }) => conditions.Winds_10m_Intensity?.mean ?? null)).toEqual([
      null,
      1.41,
      null,
    ]);
    expect(meta.nulls).toEqual([
      { variable: "wind", reason: "out_of_archive", points: [2] },
      { variable: "wind", reason: "missing", points: [0] },
      { variable: "gust", reason: "out_of_archive", points: [0, 1, 2] },
    ]);
  });
});

describe("members that are missing or late", () => {
  it("are visible, and the values of members stand at the same places for all runs", async () => {
    const at = (hours: number) => ({
      latitude: 10,
      longitude: 20,
      timestamp: formatInstant(now + hours * HOUR),
    });
    const older = ensembleRun({
      id: "old",
      ensemble: { members: [0, 1, 2], size: 3 },
      referenceTime: now - 6 * HOUR,
    });
    const newer = ensembleRun({
      id: "new",
      ensemble: { members: [0, 2], size: 3 },
      times: [now, now + 3 * HOUR],
    });
    const source = sourceOf([older, newer], (_, { member, id }) => member! + (id === "new" ? 10 : 0));
    const { results, meta } = await ask(source, { points: [at(0), at(9)], members: true });
    expect(meta.members).toEqual([0, 1, 2]);
    expect(meta.ensembles.map(({ run, members, size, points }) => ({ run, members, size, points }))).toEqual([
      { run: "new", members: [0, 2], size: 3, points: 1 },
      { run: "old", members: [0, 1, 2], size: 3, points: 1 },
    ]);
    expect(results.map(({ conditions }) => conditions.Winds_10m_Intensity)).toMatchObject([
      { members: 2, values: [14.14, null, 15.56] },
      { members: 3, values: [0, 1.41, 2.83] },
    ]);
  });
});

describe("an ensemble that keeps statistics alone", () => {
  const names = ["mean", "spread", "p10", "p90", "members", "over_34kn"].map((name) => `wind_speed_${name}`);
  const run = ensembleRun({ ensemble: whole, fields: Object.fromEntries(names.map((name) => [name, {}])) });
  const stored = sourceOf([run], (field) => {
    expect(statisticOf(field)).toBeDefined();
    return {
      wind_speed_mean: 12,
      wind_speed_spread: 2,
      wind_speed_p10: 9,
      wind_speed_p90: 15,
      wind_speed_members: 30,
      wind_speed_over_34kn: 40,
    }[field]!;
  });

  it("answers with them, and what is not stored is null with the reason", async () => {
    const { first, meta } = await ask(stored, {
      percentiles: [10, 50, 90],
      thresholds: [
        { output: "Winds_10m_Intensity", over: 17.49 },
        { output: "Winds_10m_Intensity", over: 16 },
      ],
    });
    expect(first).toEqual({
      Winds_10m_Direction: null,
      Winds_10m_Intensity: {
        members: 30,
        control: null,
        mean: 12,
        spread: 2,
        percentiles: [9, null, 15],
        over: [
          { over: 17.49, members: 12, percent: 40 },
          { over: 16, members: null, percent: null },
        ],
      },
    });
    expect(meta.ensembles[0]).toMatchObject({
      from: "statistics",
      notes: [
        expect.stringContaining("no members"),
        "Stored percentiles are 10, 90: others are null",
        "Stored thresholds are 34kn: shares over others are null",
      ],
    });
    expect(meta.nulls).toEqual([]);
  });

  it("counts the members of the run where their number is not stored, and is null where nothing is", async () => {
    const { wind_speed_members: _, ...fields } = run.fields;
    const source = sourceOf([{ ...run, fields }], (field, _run, index) => {
      if (index === 1) return Number.NaN;
      return field.endsWith("over_34kn") ? 100 * (12 / 31) : 7;
    });
    const point = { latitude: 10, longitude: 20, timestamp: formatInstant(now) };
    const { results, meta } = await ask(source, {
      points: [point, point],
      thresholds: [{ output: "Winds_10m_Intensity", over: 17.49 }],
    });
    expect(results.map(({ conditions }) => conditions.Winds_10m_Intensity)).toEqual([
      expect.objectContaining({ members: 31, over: [{ over: 17.49, members: 12, percent: 38.7 }] }),
      null,
    ]);
    expect(meta.nulls).toEqual([{ variable: "wind", reason: "missing", points: [1] }]);
  });

  it("answers until the run ends, and not only as long as shares within a span are known", async () => {
    const withSpans = { ...run.fields, wind_speed_over_48kn_within_72h: { steps: [0] } };
    const source = sourceOf([{ ...run, fields: withSpans }], () => 7);
    const points = [{ latitude: 10, longitude: 20, timestamp: formatInstant(now + 9 * HOUR) }];
    const { first, meta } = await ask(source, { points });
    expect(first.Winds_10m_Intensity).toMatchObject({ mean: 7 });
    expect(meta.nulls).toEqual([]);
  });

  it("says what each of the fields says of itself", async () => {
    const [mean, spread] = ["speed of the mean wind", "spread of the component along the mean wind"];
    const described = {
      ...run.fields,
      wind_speed_mean: { comment: mean },
      wind_speed_spread: { comment: spread },
    };
    const { meta } = await ask(
      sourceOf([{ ...run, fields: described }], () => 7),
      {},
    );
    expect(meta.ensembles[0]!.notes!.slice(0, 2)).toEqual([mean, spread]);
  });

  it("has no statistics of the wind at another height", async () => {
    const { first, meta } = await ask(stored, { wind_height: 50 });
    expect(first.Winds_10m_Intensity).toBeNull();
    expect(meta.ensembles[0]!.notes).toContain(
      "Statistics are stored of the wind at 10 m: at other heights the answer is null",
    );
  });
});

test("without a name the ensemble answers that has most of the variables", async () => {
  const other = ensembleRun({
    id: "waves",
    source: "ecmwfens",
    ensemble: whole,
    fields: { ...wind, ...waves },
  });
  const source = sourceOf([ensembleRun({ ensemble: whole }), other], () => 1);
  const named = async (body: object) =>
    (await ask(source, body)).meta.ensembles.map(({ ensemble }) => ensemble);
  expect(await named({})).toEqual(["gefs"]);
  expect(await named({ variables: ["wind", "wave"] })).toEqual(["ecmwfens", "ecmwfens"]);
  expect(await named({ ensemble: "ecmwfens" })).toEqual(["ecmwfens"]);
});

test("the numbers are those of the answers of single members, counted by brute force", async () => {
  const number = fc.double({ min: -40, max: 40, noNaN: true });
  const member = fc.record({ east: fc.oneof(number, fc.constant(Number.NaN)), north: number });
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { minLength: 1, maxLength: 51 }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.constantFrom(-180, 180, 179.99, 0, -0.01),
      async (all, over, more, percentile, longitude) => {
        const run = ensembleRun({ ensemble: { members: all.map((_, at) => at), size: all.length } });
        const source = sourceOf([run], (field: FieldName | string, { member }) =>
          field.startsWith("east") ? all[member!]!.east : all[member!]!.north,
        );
        const points = [{ latitude: 10, longitude, timestamp: formatInstant(now + HOUR) }];
        const output = "Winds_10m_Intensity";
        const thresholds = [over, over + more].map((limit) => ({ output, over: limit }));
        const { first } = await ask(source, { points, thresholds, percentiles: [percentile], members: true });
        const manifest = await source.manifest();
        const single = await Promise.all(
          all.map(async (_, number) => {
            const one = manifestOfMember(manifest, "gefs", number);
            const alone = { ...source, manifest: async () => one, refresh: async () => one };
            const request = {
              points,
              variables: ["wind" as const],
              wind_height: 10,
              include_meta: false,
              receive_mail: false,
            };
            return (await answerPoints(alone, request, now, signal)).results[0]!.conditions;
          }),
        );
        const speeds = all
          .map(({ east, north }) => Math.hypot(east, north))
          .filter((speed) => !Number.isNaN(speed));
        if (speeds.length === 0) {
          expect(first[output]).toBeNull();
          return;
        }
        expect(first[output]!.values).toEqual(single.map((one) => one[output]));
        expect(first.Winds_10m_Direction?.values ?? all.map(() => null)).toEqual(
          single.map((one) => one.Winds_10m_Direction),
        );
        const [low, high] = first[output]!.over!;
        expect(low!.members).toBe(speeds.filter((speed) => speed > over).length);
        expect(high!.members!).toBeLessThanOrEqual(low!.members!);
        expect(low!.percent).toBeCloseTo((100 * low!.members!) / speeds.length, 0);
        const sorted = speeds.toSorted((a, b) => a - b);
        const place = ((sorted.length - 1) * percentile) / 100;
        const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
        expect(first[output]!.percentiles![0]).toBeCloseTo(below + (above - below) * (place % 1), 1);
      },
    ),
    { numRuns: 60 },
  );
});
