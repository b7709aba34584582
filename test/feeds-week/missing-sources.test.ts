import path from "node:path";
import { expect, it } from "vitest";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { openArchive } from "#server/context/archive.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { folderPlace } from "#server/platform/blob-url.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";
import { checkArchive } from "./check-archive.ts";
import { shortFeed } from "./short-feed.ts";
import { type SimulatedService, simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
const DAY = Date.UTC(2026, 8, 1) / 1000;
const STEP_S = 24 * HOUR_S;
const LAST_LEAD_S = 72 * HOUR_S;
/** Parts of the addresses of this planet's hosts. */
const GFS = "pgrb2";
const GFS_WAVE = "gfswave";
const ECMWF = "-oper-fc";
const ECMWF_WAVE = "-wave-fc";

const variables: VariableName[] = ["wind", "gust", "pressure", "wave", "current"];

/** Replies of the API from an archive. @param now Weather clock, Unix seconds. */
async function askPublished(
  folder: string,
  now: number,
  body: object,
): Promise<{ meta?: PointMeta; results: { conditions: Record<string, number | null> }[] }> {
  const weather = { now: () => now };
  const archive = await openArchive(
    {
      archive: { place: folderPlace(folder), cacheBytes: 0, minFreeBytes: 0 },
      dataDir: path.dirname(folder),
      demo: "never",
      demoSeed: 1,
      frozenAt: undefined,
      sourceOrder: {},
      chunkCacheBytes: 2 ** 24,
    },
    weather,
  );
  try {
    connectContext(testContext({ ...testRequestContext(), weather, archive }));
    const reply = await ask("POST", "/MetOcean", { body });
    expect(reply.status).toBe(200);
    return JSON.parse(String(reply.body)).result;
  } finally {
    await archive.close();
  }
}

/** The source that answers each variable two hours from now, and the age of its run, such as "gfs 6 h". */
async function answered(service: SimulatedService): Promise<Record<string, string>> {
  const now = service.clock.now();
  const points = [{ latitude: 20, longitude: -40, timestamp: formatInstant(now + 2 * HOUR_S) }];
  const body = { points, variables, include_meta: true };
  const { meta, results } = await askPublished(service.archive, now, body);
  expect(Object.values(results[0]!.conditions)).not.toContain(null);
  return Object.fromEntries(
    meta!.provenance.map(({ variable, source, reference_time: base }) => [
      variable,
      `${source} ${Math.round((now - parseInstant(base!)) / HOUR_S)} h`,
    ]),
  );
}

/** Status text of each feed that has one. */
async function told({ states }: SimulatedService): Promise<Record<string, string>> {
  const found = (await states.all()).filter(({ error }) => error !== null);
  return Object.fromEntries(found.map(({ name, state, error }) => [name, `${state}: ${error}`]));
}

/** A feed with few steps that reach three days, which is published within a second. */
function thinned(name: string): FieldFeed {
  const feed = shortFeed(name, LAST_LEAD_S / HOUR_S);
  return {
    ...feed,
    parts: (cycle, profile) =>
      feed
        .parts(cycle, profile)
        .filter(({ times }) => times.length > 1 || (times[0]! - cycle) % STEP_S === 0)
        .map((part, index) => ({ ...part, index })),
  };
}

const others = "other runs answer where they have them";

it("answers every value when one or two fields are missing at all hosts and when feeds are dead, and names the source and the reason", async () => {
  const feeds = ["gfs", "gfswave", "ecmwf", "ecmwfwave", "smoc", "hycom"].map(thinned);
  await using service = await simulatedService({
    feeds,
    profile: "lite",
    resolution: 5,
    start: DAY + 15 * HOUR_S,
  });
  const { faults } = service.mirror;
  const lack = (match: string, ...elements: string[]) => faults.add({ fault: "lacks", match, elements });
  const at = async (hours: number) => {
    service.clock.advanceTo(DAY + hours * HOUR_S);
    await service.runUntil(DAY + hours * HOUR_S + 60);
  };

  await at(15);
  const whole = { gust: "gfs 9 h", pressure: "gfs 9 h", wave: "ecmwfwave 9 h", current: "smoc 15 h" };
  expect(await answered(service)).toEqual({ wind: "gfs 9 h", ...whole });
  expect(await told(service)).toEqual({});

  lack(GFS, "GUST");
  lack(GFS_WAVE, "PERPW");
  lack(ECMWF, "10fg");
  lack(ECMWF_WAVE, "mwp");
  await at(22);
  const one = { gust: "gfs 16 h", pressure: "gfs 4 h", wave: "ecmwfwave 16 h", current: "smoc 22 h" };
  expect(await answered(service)).toEqual({ wind: "gfs 4 h", ...one });
  const lacks = (time: string, names: string) => `the cycle ${time}:00:00Z lacks ${names}: ${others}`;
  expect(await told(service)).toEqual({
    ecmwf: `current: ${lacks("2026-09-01T12", "Gust_10m")}`,
    ecmwfwave: `current: ${lacks("2026-09-01T12", "Waves_Mean_Period")}`,
    gfs: `current: ${lacks("2026-09-01T18", "Gust_10m")}`,
    gfswave: `growing: ${lacks("2026-09-01T18", "Waves_Mean_Period")}`,
  });

  lack(GFS, "PRMSL");
  lack(GFS_WAVE, "DIRPW");
  lack(ECMWF, "msl");
  lack(ECMWF_WAVE, "mwd");
  await at(28);
  const two = { gust: "gfs 22 h", pressure: "gfs 10 h", wave: "ecmwfwave 22 h", current: "smoc 28 h" };
  expect(await answered(service)).toEqual({ wind: "gfs 4 h", ...two });
  expect((await told(service)).gfs).toBe(`current: ${lacks("2026-09-02T00", "Gust_10m, Pressure")}`);

  faults.clear();
  await at(39);
  expect(await told(service)).toEqual({});
  faults.add({ fault: "missing", match: "gfs\\." });
  faults.add({ fault: "missing", match: "glo_phy" });
  await at(99);
  // With steps a day apart ECMWF has no gust before the first one.
  const dead = { gust: "gfs 69 h", pressure: "ecmwf 9 h", wave: "ecmwfwave 9 h", current: "hycom 39 h" };
  expect(await answered(service)).toEqual({ wind: "ecmwf 9 h", ...dead });
  const late = (since: string) => expect.stringMatching(`^late: nothing has come since the cycle ${since}`);
  expect(await told(service)).toEqual({
    gfs: late("2026-09-02T06"),
    gfswave: late("2026-09-02T06"),
    smoc: late("2026-09-02T00"),
  });

  faults.clear();
  await at(100);
  expect(await told(service)).toEqual({});
  expect((await checkArchive(service.archive, new Set(), 12)).wrong).toEqual([]);
}, 120_000);
