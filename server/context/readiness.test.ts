import { expect, it, vi } from "vitest";
import type { VariableName } from "#lib/catalog/variables.ts";
import { emptyManifest } from "#server/archive/manifest.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { NoSpaceError, UnavailableError } from "#server/platform/errors.ts";
import { createMetrics } from "#server/platform/metrics.ts";
import { firstData, openReadiness, type ReadinessDeps } from "./readiness.ts";

const away = () => Promise.reject(new UnavailableError("away", 5));
const MINUTE_MS = 60_000;

function open(more: Partial<ReadinessDeps> = {}) {
  const metrics = createMetrics();
  const clock = { ms: 0 };
  const ready = openReadiness({
    database: { ping: async () => undefined },
    archive: { condition: async () => undefined },
    clockProblem: async () => undefined,
    blobs: { getRange: async () => ({}) as never },
    storage: { ensureSpace: async () => undefined },
    log: { warn: vi.fn() },
    elapsed: () => clock.ms,
    metrics,
    ...more,
  });
  const states = async () =>
    Object.fromEntries(
      [...(await metrics.text()).body.matchAll(/^part_state\{part="(\w+)"\} (\d)$/gm)].map(
        ([, part, state]) => [part, Number(state)],
      ),
    );
  return { ready, states, clock };
}

it.each<[string, Partial<ReadinessDeps>, object]>([
  [
    "the bucket is away",
    { blobs: { getRange: away } },
    { storage: { degraded: "does not answer: no tasks are accepted" } },
  ],
  [
    "the clock is two hours slow",
    { clockProblem: async () => "the clock of this machine is 120 min slow" },
    { clock: { degraded: "the clock of this machine is 120 min slow" } },
  ],
  [
    "the disk is full",
    { storage: { ensureSpace: () => Promise.reject(new NoSpaceError()) } },
    { storage: { degraded: "full: no tasks are accepted" } },
  ],
  [
    "the database is away",
    { database: { ping: away } },
    { database: { degraded: expect.stringMatching(/^does not answer/) } },
  ],
])(
  "what all replicas lose at the same time takes none of them out of service: %s",
  async (_, deps, expected) => {
    const { ready, states } = open(deps);
    expect(await ready()).toMatchObject(expected);
    expect(Object.values(await states()).sort()).toEqual([0, 0, 0, 1]);
  },
);

it("a process fails when it can answer nothing: without a list of runs, and when its keys have ended", async () => {
  expect(await open({ archive: { condition: away } }).ready()).toMatchObject({ archive: "cannot be read" });
  let isAway = false;
  const { ready, states, clock } = open({ database: { ping: async () => (isAway ? away() : undefined) } });
  clock.ms = 60 * MINUTE_MS;
  await ready();
  isAway = true;
  clock.ms += 10 * MINUTE_MS;
  expect(await ready()).toMatchObject({ database: { degraded: expect.any(String) } });
  clock.ms += 1;
  expect(await ready()).toMatchObject({ database: "does not answer" });
  expect(await states()).toMatchObject({ database: 2 });
  isAway = false;
  expect(await ready()).toMatchObject({ database: undefined });
});

it("a silent store or database counts as unavailable before a proxy gives up", async () => {
  vi.useFakeTimers();
  try {
    const never = () => new Promise<never>(() => {});
    const found = open({ blobs: { getRange: never }, database: { ping: never } }).ready();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await found).toMatchObject({
      storage: { degraded: expect.any(String) },
      database: { degraded: expect.any(String) },
    });
  } finally {
    vi.useRealTimers();
  }
});

const { runs } = demoManifest(1_800_000_000);
const depths = { ...emptyManifest, runs: runs.filter(({ dataset }) => dataset === "Static") };
const forecast = { ...emptyManifest, runs: runs.filter(({ dataset }) => dataset === "Forecast") };

it.each<[string, VariableName[], typeof depths, boolean]>([
  ["nothing", ["wind", "bathy"], emptyManifest, false],
  ["depths alone", ["wind", "bathy"], depths, false],
  ["a forecast", ["wind", "bathy"], forecast, true],
  ["nothing, of feeds that bring depths alone,", ["bathy"], emptyManifest, true],
  ["nothing, without feeds of fields,", [], emptyManifest, true],
])("an archive with %s", async (_, brought, manifest, answers) => {
  const ensureData = firstData({ manifest: async () => manifest }, new Set(brought));
  if (answers) await ensureData();
  else await expect(ensureData()).rejects.toThrow(/^No data yet/);
});
