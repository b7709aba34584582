import { expect, it } from "vitest";
import { acceptedTimes, datasetAges, datasetByAge } from "#lib/catalog/datasets.ts";
import { fieldNames } from "#lib/catalog/fields.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { formatInstant, monthsBefore, parseInstant } from "#lib/time.ts";
import { chooseRun } from "#server/archive/choose-run.ts";
import { emptyManifest } from "#server/archive/manifest.ts";
import { isSynthetic, type Manifest, type Run, runSchema } from "#server/archive/run.ts";
import { type DemoMode, demoManifest, demoRunOf, withDemo } from "./runs.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const noon = parseInstant("2026-09-15T12:00:00Z");

/** Various times: the middle of a cycle, the seconds around a publication, leap days, distant years. */
const moments = [
  "2026-09-15T12:00:00Z",
  "2026-09-15T09:30:00Z",
  "2026-09-17T03:29:59Z",
  "2026-09-17T03:30:00Z",
  "2028-02-29T23:59:59Z",
  "2026-05-31T01:00:00Z",
  "2100-03-01T00:00:00Z",
].map((text) => [text, parseInstant(text)] as const);

/** The run of every variable at a time. */
function runsAt(time: number, now: number, manifest = demoManifest(now)) {
  return variableNames.map((name) => chooseRun(manifest, name, 0, -30, time, now));
}

const newest = (now: number) =>
  demoManifest(now).runs.find(({ dataset, times }) => dataset === "Forecast" && times.length === 265)!;

it("is issued every six hours, published three and a half hours later, and reaches 264 hours", () => {
  const six = parseInstant("2026-09-15T06:00:00Z");
  expect(newest(six + 3.5 * HOUR).referenceTime).toBe(six);
  expect(newest(six + 3.5 * HOUR - 1).referenceTime).toBe(six - 6 * HOUR);
  expect(newest(six + 9.5 * HOUR).referenceTime).toBe(six + 6 * HOUR);
  expect(newest(noon).times.at(-1)).toBe(six + 264 * HOUR);
});

it.each(moments)("at %s, has a run for every second of the window", (_, now) => {
  const { first, last } = acceptedTimes(now);
  const times = [first, first + 1, last - 1, last, now];
  for (const age of Object.values(datasetAges)) {
    for (const second of [-1, 0, 1]) times.push(now - age * DAY + second);
  }
  for (let time = first; time < last; time += 23.6 * DAY) times.push(Math.floor(time));
  for (const time of times) {
    for (const [index, run] of runsAt(time, now).entries()) {
      const name = variableNames[index]!;
      const { archiveOnly, static: isStatic } = variable(name);
      const has = !archiveOnly || time >= monthsBefore(now, 6);
      const dataset = isStatic ? "Static" : archiveOnly ? "Forecast" : datasetByAge(time, now);
      expect(typeof run === "string" ? run : run.dataset, `${name} ${formatInstant(time)}`).toBe(
        has ? dataset : "out_of_archive",
      );
    }
  }
});

it("has runs in the form of the archive, with all fields, each reconstructed from its id", () => {
  for (const now of [noon, parseInstant("1999-01-01T00:00:00Z"), parseInstant("2100-01-01T00:00:00Z")]) {
    const { runs } = demoManifest(now);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(runs.length);
    for (const run of runs.filter((_, index) => index % 5 === 0)) {
      expect(runSchema.parse(run)).toEqual(run);
      expect(run.model).toContain("DEMO-WORLD");
      expect(run.provenance).toBe("synthetic");
      expect(demoRunOf(run.id)).toEqual(run);
    }
    const found = new Set(runs.flatMap((run: Run) => Object.keys(run.fields)));
    expect([...found].sort()).toEqual([...fieldNames].sort());
  }
});

it.each([
  "..",
  "Forecast.demo-world-2.20260915T06Z",
  "Forecast.demo-world-2.20260230T06Z.20260301T06Z",
  "Forecast.demo-world-2.20260915T06Z.20260916T06Z.x",
  "Forecast.gfs.20260915T06Z.20260926T06Z",
  "constructor.demo-world-2.20260915T06Z.20260926T06Z",
])("has no run of the id %j", (id) => {
  expect(demoRunOf(id)).toBeUndefined();
});

const real: Manifest = {
  version: 1,
  runs: [{ ...demoManifest(noon).runs[0]!, id: "real", source: "etopo", provenance: undefined }],
};

it.each<[DemoMode, string, Manifest, boolean]>([
  ["auto", "no run", emptyManifest, true],
  ["auto", "one real run", real, false],
  ["always", "no run", emptyManifest, true],
  ["always", "one real run", real, true],
  ["never", "no run", emptyManifest, false],
  ["never", "one real run", real, false],
])("DEMO=%s with %s never mixes real and synthetic runs", async (mode, _, manifest, synthetic) => {
  const catalog = withDemo(
    { manifest: async () => manifest, refresh: async () => manifest },
    mode,
    () => noon,
  );
  for (const answer of [await catalog.manifest(), await catalog.refresh()]) {
    expect(answer).toBe(synthetic ? demoManifest(noon) : manifest);
    expect(isSynthetic(answer)).toBe(synthetic);
    expect(answer.runs.filter(({ source }) => source.startsWith("demo-") !== synthetic)).toEqual([]);
  }
});
