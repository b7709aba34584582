import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import type { FieldName } from "#lib/catalog/fields.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { beginRun } from "#server/archive/writer.ts";
import { startBare } from "./measured-load.ts";
import { MEASURED_KEY, type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { askAsOthers, describeOthers, type Others } from "./others.ts";
import { cpuSecondsOfTree } from "./proc.ts";
import { randomWaves } from "./weather-like.ts";

const BASE = Date.UTC(2026, 8, 15) / 1000;
const NOW = BASE + 4 * HOUR_S;
const STEPS = 8 * 8 + 1;
/** Different states of each field, which alternate from step to step. */
const STATES = 4;

/** Requests of another caller, each second, in windows of so many seconds. */
const PER_SECOND = 40;
const WINDOW_S = 5;

/** Limits: the whole file from a stored archive and from the demo, seconds; waits of others, milliseconds. */
const limits = { stored: 10, demo: 40, others: { point: 100, health: 50 } };

const grid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};

/** Fields of the runs: the mean and the spread of their values, in their units. */
const stored: Readonly<Record<"gfs" | "gfswave", Partial<Record<FieldName, readonly [number, number]>>>> = {
  gfs: {
    eastward_wind_10m: [0, 7],
    northward_wind_10m: [0, 7],
    air_pressure_at_mean_sea_level: [1012, 12],
    precipitation_flux: [1, 0.5],
  },
  gfswave: {
    sea_surface_wave_significant_height: [2.5, 1],
    sea_surface_wave_mean_period: [9, 2],
    sea_surface_wave_from_direction_x: [0, 0.2],
    sea_surface_wave_from_direction_y: [0, 0.2],
  },
};

/** Eight days of wind, pressure, rain and waves of the North Atlantic Ocean, as XyGrib asks for them. */
const query = new URLSearchParams({
  ...{ osys: "debian", ver: "1.2.6", la1: "20", la2: "60", lo1: "-70", lo2: "-5", intv: "3", days: "8" },
  ...{ cyc: "last", model: "gfs_p25_", par: "W;P;R;", wmdl: "ww3_p25_", wpar: "s;" },
});

/**
 * Measures how long XyGrib waits for a large file, from a stored archive and from the demo, and how long others wait
 * meanwhile. It needs the built pages.
 */
export async function bench(): Promise<void> {
  const bare = await startBare(300);
  try {
    await measured("stored archive", bare, limits.stored, (folder) =>
      writeArchive(path.join(folder, "archive")),
    );
    await measured("demo", bare, limits.demo, async () => undefined);
  } finally {
    await stopProcess(bare.child);
  }
}

async function measured(
  name: string,
  bare: MeasuredServer,
  limit: number,
  prepare: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  try {
    await prepare(folder);
    const settings = { OPENGRIBS: "on", OPENGRIBS_MAX_MB: "200" };
    const server = await startMeasuredServer(folder, NOW, "server/main.ts", settings);
    try {
      console.log(`load of the machine before: ${loadavg()[0]!.toFixed(1)}`);
      // The first requests are slow, because code is being compiled.
      await window(server, bare);
      console.log(`  others alone: ${describeOthers(await window(server, bare), limits.others)}`);
      const before = await cpuSecondsOfTree(server.child);
      const began = performance.now();
      const file = fetch(`${server.url}/getmygribs2.php?${query}`).then(async (reply) => ({
        seconds: (performance.now() - began) / 1000,
        reply: (await reply.json()) as { status: boolean; message: { size: number } },
      }));
      let ended = false;
      const end = () => {
        ended = true;
      };
      file.then(end, end);
      const beside: Others[] = [];
      while (!ended) beside.push(await window(server, bare));
      const worst = beside.reduce((one, other) => (other.point.p99 > one.point.p99 ? other : one));
      console.log(
        `  beside it, the worst of ${beside.length} times ${WINDOW_S} s: ${describeOthers(worst, limits.others)}`,
      );
      const { seconds, reply } = await file;
      if (!reply.status) throw new Error(JSON.stringify(reply));
      const size = (reply.message.size / 1e6).toFixed(1);
      const used = (await cpuSecondsOfTree(server.child)) - before;
      console.log(
        `${name}: ${seconds.toFixed(1)} s (limit ${limit}) for ${size} MB; ` +
          `the server used ${used.toFixed(1)} s of the processor, others included`,
      );
    } finally {
      await stopProcess(server.child);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function window(server: MeasuredServer, bare: MeasuredServer) {
  const point = JSON.stringify({
    points: [{ latitude: 40.1, longitude: -30.1, timestamp: formatInstant(NOW) }],
    variables: ["wind"],
  });
  return askAsOthers(server, bare, { key: MEASURED_KEY, point, perSecond: PER_SECOND, seconds: WINDOW_S });
}

/** Writes a run of each source, with eight days of every third hour. */
async function writeArchive(folder: string): Promise<void> {
  const times = Array.from({ length: STEPS }, (_, step) => BASE + 3 * step * HOUR_S);
  const waves = randomWaves(grid, 1.4, 60, 1);
  const states = Array.from({ length: STATES }, (_, state) => waves(3 * state));
  for (const [source, fields] of Object.entries(stored)) {
    const origin = { dataset: "Forecast", source, model: "benchmark 0.25°", referenceTime: BASE } as const;
    const run = await beginRun(folder, { ...origin, grid, times });
    for (const [name, [mean, spread]] of Object.entries(fields) as [FieldName, [number, number]][])
      await run.writeField(name, {}, async (step) =>
        states[step % STATES]!.map((value) => mean + spread * (mean === 0 ? value : Math.max(-2, value))),
      );
    await run.publish();
  }
}
