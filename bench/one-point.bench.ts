import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatInstant } from "#lib/time.ts";
import { beginRun } from "#server/archive/writer.ts";
import { load, type Measured, report, startBare } from "./measured-load.ts";
import { MEASURED_KEY, type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";

const START = 1_767_225_600;
const STEPS = 9;
const STEP_S = 10_800;
const SECONDS = 8;
const ROUNDS = 3;

/**
 * One-point requests through the whole server (key, limit, validation, interpolation, envelope, log, metrics) against a
 * bare node handler that reads the same body and answers a constant of equal size: each server in a process of its own,
 * taking turns in one run. Needs the built pages, because the server under test is the real one.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const started: ChildProcess[] = [];
  try {
    await writeArchive(path.join(folder, "archive"));
    const full = await startMeasuredServer(folder, START);
    started.push(full.child);
    const sample = await fetch(`${full.url}/MetOcean`, { method: "POST", headers, body: bodies[0] });
    const text = await sample.text();
    if (sample.status !== 200 || text.includes("null"))
      throw new Error(`The server answers ${sample.status} ${text}`);
    const bare = await startBare(text.length);
    started.push(bare.child);

    const requests = bodies.map((body) => ({ method: "POST" as const, headers, body }));
    const ask = ({ url, child }: MeasuredServer, seconds = SECONDS) =>
      load(`${url}/MetOcean`, requests, child, seconds);
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    await ask(full, 2);
    await ask(bare, 2);
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await ask(full));
      theirs.push(await ask(bare));
    }
    const [whole, plain] = [
      report("one point, whole server", ours),
      report("one point, bare node:http", theirs),
    ];
    console.log(`one point: ${(whole.rate / plain.rate).toFixed(2)} of a bare handler`);
  } finally {
    for (const child of started) await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}

const headers = { "content-type": "application/json", "x-api-key": MEASURED_KEY };

/** Other places and times each, so that no one answer is measured. */
const bodies = Array.from({ length: 64 }, (_, index) =>
  JSON.stringify({
    points: [
      {
        latitude: ((index * 37) % 120) - 60 + 0.1,
        longitude: ((index * 61) % 340) - 170 + 0.1,
        timestamp: formatInstant(START + ((index * 1700) % ((STEPS - 1) * STEP_S))),
      },
    ],
    variables: ["wind"],
  }),
);

/** A smooth wind on a 1° globe. */
async function writeArchive(folder: string): Promise<void> {
  const grid = {
    latitude: { start: -90, step: 1, count: 181 },
    longitude: { start: -180, step: 1, count: 360 },
  };
  const run = await beginRun(folder, {
    dataset: "Forecast",
    source: "gfs",
    model: "benchmark 1°",
    referenceTime: START,
    grid,
    times: Array.from({ length: STEPS }, (_, step) => START + step * STEP_S),
  });
  for (const [field, phase] of [
    ["eastward_wind_10m", 0],
    ["northward_wind_10m", 1],
  ] as const) {
    await run.writeField(field, {}, async (step) =>
      Float32Array.from({ length: 181 * 360 }, (_, index) => 10 * Math.sin(index / 500 + phase + step)),
    );
  }
  await run.publish();
}
