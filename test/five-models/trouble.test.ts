import { afterAll, beforeAll, expect, it } from "vitest";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { checkArchive } from "#test/feeds-week/check-archive.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";
import { type SimulatedService, simulatedService } from "#test/feeds-week/simulated-service.ts";
import { ask, textOf } from "#test/send.ts";
import { serveArchive } from "./served-archive.ts";

/** Some hours before the last midnight of the year. */
const START = Date.UTC(2026, 11, 31, 8) / 1000;
const models = ["gfs", "ecmwf", "ecmwfaifs"];
const variables: VariableName[] = ["wind", "gust", "pressure"];

/** A feed with a step every six hours of two days. */
function thinned(name: string): FieldFeed {
  const feed = feedNamed(name);
  return {
    ...feed,
    parts: (cycle, profile) =>
      feed
        .parts(cycle, profile)
        .filter(({ times }) => (times[0]! - cycle) % (6 * HOUR_S) === 0 && times[0]! - cycle <= 2 * DAY_S)
        .map((part, index) => ({ ...part, index })),
  };
}

let service: SimulatedService;
const checked = new Set<string>();

beforeAll(async () => {
  service = await simulatedService({
    feeds: models.map(thinned),
    profile: "lite",
    resolution: 5,
    start: START,
  });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Hosts lack or damage what matches, for some hours from now. */
function trouble(
  fault: "missing" | "truncated" | "lacks",
  match: string,
  hours: number,
  elements?: string[],
) {
  const until = service.clock.now() + hours * HOUR_S;
  service.mirror.faults.add({ fault, match, until, ...(elements && { elements }) });
}

/**
 * Asks each model for the values two hours from now. Checks that no model has a number of another one, that each null has its
 * reason and each number a run, and that all published numbers are those of the planet.
 *
 * @returns By model and variable, the age of the run in hours, or the reason of the null.
 */
async function said(): Promise<Record<string, Record<string, number | string>>> {
  const now = service.clock.now();
  expect((await checkArchive(service.archive, checked, 4)).wrong).toEqual([]);
  serveArchive(service.archive, now);
  const points = [{ latitude: 20, longitude: -40, timestamp: formatInstant(now + 2 * HOUR_S) }];
  const asked = [...models, "best"];
  const body = { points, variables, models: asked, include_meta: true };
  const { result } = JSON.parse(await textOf(await ask("POST", "/MetOcean", { body })));
  const { provenance, nulls } = result.meta as PointMeta;
  const found: Record<string, Record<string, number | string>> = {};
  for (const [index, model] of asked.entries()) {
    const { conditions } = result.results[index];
    found[model] = {};
    for (const [variable, output] of [
      ["wind", "Winds_10m_Intensity"],
      ["gust", "Gust_10m"],
      ["pressure", "Pressure"],
    ] as const) {
      const rows = provenance.filter((row) => row.answer === model && row.variable === variable);
      const reasons = nulls.filter((row) => row.variable === variable && row.points.includes(index));
      const value = conditions[output];
      expect([model, variable, value === null, reasons.length, rows.length]).toEqual(
        value === null ? [model, variable, true, 1, expect.any(Number)] : [model, variable, false, 0, 1],
      );
      if (model !== "best") for (const { source } of rows) expect(source).toBe(model);
      found[model][variable] =
        value === null
          ? reasons[0]!.reason
          : Math.round((now - parseInstant(rows[0]!.reference_time!)) / HOUR_S);
    }
  }
  return found;
}

async function told(name: string): Promise<string> {
  const { state, error } = (await service.states.all()).find((one) => one.name === name)!;
  return error === null ? state : `${state}: ${error}`;
}

/** Lets some hours pass, at the end of which the service looks for new data. */
async function pass(hours: number): Promise<void> {
  const then = service.clock.now() + hours * HOUR_S;
  service.clock.advanceTo(then);
  await service.runUntil(then + 60);
}

const at = (hours: number) => ({ wind: hours, gust: hours, pressure: hours });
/** AIFS has no gusts. */
const ofAifs = (hours: number) => ({ ...at(hours), gust: "out_of_archive" });

it("says of three models over New Year which are late, cut, older, without a field or gone, and nothing false", async () => {
  await pass(1);
  expect(await said()).toEqual({ gfs: at(9), ecmwf: at(9), ecmwfaifs: ofAifs(9), best: at(9) });

  // The cycle of 06 UTC: AIFS is late, files of ECMWF are cut off, those of GFS have no gusts.
  trouble("missing", "20261231/06z/aifs-single/", 12);
  trouble("truncated", "20261231/06z/ifs/0p25/oper/", 12);
  trouble("lacks", "gfs.20261231/06/", 12, ["GUST"]);
  await pass(6.5);
  // The gusts of GFS are those of its run before, and not those of another model.
  const withOlderGust = { ...at(10), gust: 16 };
  expect(await said()).toEqual({
    gfs: withOlderGust,
    ecmwf: at(16),
    ecmwfaifs: ofAifs(16),
    best: withOlderGust,
  });
  expect(await Promise.all(models.map(told))).toEqual([
    "current: the cycle 2026-12-31T06:00:00Z lacks Gust_10m: other runs answer where they have them",
    expect.stringMatching(/^failing: the cycle 2026-12-31T06:00:00Z is in quarantine: /),
    "late: nothing has come since the cycle 2026-12-31T00:00:00Z: it was expected at 2026-12-31T11:45:00Z, and no " +
      "host has more; for the cycle 2026-12-31T06:00:00Z asked ecmwf-forecasts.s3.eu-central-1.amazonaws.com, " +
      "storage.googleapis.com/ecmwf-open-data, data.ecmwf.int/forecasts for " +
      "20261231/06z/aifs-single/0p25/oper/20261231060000-0h-oper-fc.index",
  ]);

  await pass(6);
  expect(await said()).toEqual({ gfs: at(10), ecmwf: at(10), ecmwfaifs: ofAifs(10), best: at(10) });
  expect(await Promise.all(models.map(told))).toEqual(["current", "current", "current"]);

  // AIFS is gone for a week. Its last run answers as long as it reaches, and says how old it is.
  trouble("missing", "/aifs-single/", 7 * 24);
  await pass(24);
  expect((await said()).ecmwfaifs).toEqual(ofAifs(34));
  await pass(5 * 24);
  const gone = { wind: "out_of_archive", gust: "out_of_archive", pressure: "out_of_archive" };
  expect(await said()).toEqual({ gfs: at(10), ecmwf: at(10), ecmwfaifs: gone, best: at(10) });
  expect(await told("ecmwfaifs")).toMatch(
    /^late: nothing has come since the cycle 2026-12-31T12:00:00Z: .* asked /,
  );

  await pass(2 * 24);
  expect(await said()).toEqual({ gfs: at(10), ecmwf: at(10), ecmwfaifs: ofAifs(10), best: at(10) });
  expect(await told("ecmwfaifs")).toBe("current");
}, 120_000);
