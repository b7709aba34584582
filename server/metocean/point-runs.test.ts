import { describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { pointRequest, pointRunsRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader, type PointSource } from "#server/archive/reader.ts";
import { publish, randomSteps, temporaryFolder } from "#test/archive.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { base, coarse, HOUR, now, wind } from "#test/map2d.ts";
import { seeded } from "#test/seeded.ts";
import { answerRuns } from "./point-runs.ts";
import { answerPoints } from "./points.ts";

const { signal } = new AbortController();
const hours = [0, 3, 6, 9, 12, 15, 18, 21, 24];

/** Publishes a forecast with numbers of its own. */
function put(root: string, referenceTime: number, seed: number, source = "gfs") {
  const times = hours.map((hour) => referenceTime + hour * HOUR);
  const run = { dataset: "Forecast", source, model: "T", referenceTime, grid: coarse, times } as const;
  const fields = wind.map((name, index): [FieldName, Float32Array[]] => [
    name,
    randomSteps(coarse, hours.length, seeded(seed + index)),
  ]);
  return publish(root, { ...run, times: [...times] }, Object.fromEntries(fields));
}

function open(root: string): PointSource {
  const store = directoryStore(root);
  const reader = openReader(store, { cacheBytes: 16 * 2 ** 20 });
  return { ...openCatalog(store), valuesAt: reader.valuesAt.bind(reader) };
}

const places = [0, 1, 2, 3].map((index) => ({ latitude: 1.37 * index, longitude: 2.11 * index }));
const points = [7, 10, 16, 22].map((hour, index) => ({
  ...places[index]!,
  timestamp: formatInstant(base + hour * HOUR),
}));

const askRuns = (source: PointSource, body: object, at = now) =>
  answerRuns(source, pointRunsRequest.parse({ points, variables: ["wind"], ...body }), at, signal);

describe("the last runs at points", () => {
  it("say digit for digit what was answered when each was the newest", async () => {
    const root = temporaryFolder();
    const body = pointRequest(10).parse({ points, variables: ["wind"], wind_height: 10 });
    await put(root, base, 11);
    const before = await answerPoints(open(root), body, now, signal);
    await put(root, base + 6 * HOUR, 31);
    const after = await answerPoints(open(root), body, now, signal);
    expect(after.results).not.toEqual(before.results);

    const { results, meta } = await askRuns(open(root), { last_runs: 2 });
    expect(results.map(({ reference_time }) => reference_time)).toEqual(
      [base + 6 * HOUR, base].map(formatInstant),
    );
    expect(results[0]!.results).toEqual(after.results);
    expect(results[1]!.results).toEqual(before.results);
    expect(
      results.map(({ variables }) => variables.map((one) => [one.variable, one.points, one.newest_points])),
    ).toEqual([[["wind", 4, 4]], [["wind", 4, 0]]]);
    expect(meta.missing).toEqual([]);
  });

  it("are those of the model that the request names, not of the one that answers now", async () => {
    const root = temporaryFolder();
    await put(root, base, 11, "ecmwf");
    await put(root, base + 6 * HOUR, 31);
    const one = await answerPoints(
      open(root),
      pointRequest(10).parse({ points, variables: ["wind"], models: ["ecmwf"] }),
      now,
      signal,
    );
    const { results } = await askRuns(open(root), { model: "ecmwf" });
    expect(results.map(({ reference_time }) => reference_time)).toEqual([formatInstant(base)]);
    expect(results[0]!.results.map(({ conditions }) => conditions)).toEqual(
      one.results.map(({ conditions }) => conditions),
    );
  });

  it("are null where a run does not reach, and named in words where they are gone", async () => {
    const root = temporaryFolder();
    await put(root, base, 11);
    await put(root, base + 6 * HOUR, 31);
    const late = [...points, { ...places[0]!, timestamp: formatInstant(base + 27 * HOUR) }];
    const removed = formatInstant(base - 6 * HOUR);
    const { results, meta } = await askRuns(open(root), {
      points: late,
      reference_times: [formatInstant(base), removed],
    });
    expect(results.map(({ reference_time }) => reference_time)).toEqual([formatInstant(base)]);
    expect(results[0]!.results.at(-1)!.conditions).toEqual({
      Winds_10m_Direction: null,
      Winds_10m_Intensity: null,
    });
    expect(meta.missing).toHaveLength(1);
    expect(meta.missing[0]).toMatchObject({ reference_time: removed, reason: "not_in_archive" });
    expect(meta.missing[0]!.message).toContain(`The run of ${removed} is not available for wind`);
  });

  it("are one where one run exists, which is said", async () => {
    const root = temporaryFolder();
    await put(root, base, 11);
    const { results, meta } = await askRuns(open(root), {});
    expect(results).toHaveLength(1);
    expect(meta.missing).toMatchObject([{ variable: "wind", reason: "fewer" }]);
  });

  it("of the demo world say in words that their differences are invented, and none is of depth or the past", async () => {
    const at = parseInstant("2026-09-15T12:00:00Z");
    const askDemo = (timestamp: string, variables: string[]) =>
      askRuns(demoArchive(at), { points: [{ ...places[1]!, timestamp }], variables }, at);
    const { results } = await askDemo("2026-09-16T12:00:00Z", ["wind"]);
    expect(results.map((run) => run.variables[0]!.notes?.join().includes("invented") ?? false)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    const past = await askDemo("2026-09-13T12:00:00Z", ["wind", "bathy"]);
    expect(past.results).toEqual([]);
    expect(past.meta.missing.map(({ variable, reason }) => [variable, reason])).toEqual([
      ["wind", "past"],
      ["bathy", "static"],
    ]);
  });
});
