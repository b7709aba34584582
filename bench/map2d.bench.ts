import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { formatInstant } from "#lib/time.ts";
import { beginRun } from "#server/archive/writer.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";

const START = 1_767_225_600;
const STEPS = 24;
const STEP_S = 3_600;
const ROUNDS = 9;
/** Clock tick of /proc/<pid>/stat, milliseconds. */
const TICK_MS = 10;
const MB = 2 ** 20;

const grid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};

/**
 * Compares the wind of a 0.25° globe as JSON from the running server with xarray's `to_dict` and json on values in
 * memory. The archive consists of files, as in production, and Linux has them in its cache. It needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-map2d-"));
  const agent = new Agent({ keepAlive: true });
  try {
    await writeArchive(path.join(folder, "archive"));
    const { child, url } = await startMeasuredServer(folder, START);
    console.log(
      `  load of the machine before: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(", ")}`,
    );
    try {
      const ask = (step: number, encoding = "identity", whole = true) =>
        timed(agent, `${url}/2DMetOcean`, bodyAt(step, whole), encoding);
      for (let i = 0; i < 20; i++) await ask(i % STEPS, "identity", false);
      const first = await ask(0);
      if (JSON.stringify(JSON.parse(first.body.toString())) !== first.body.toString())
        throw new Error("The body is not what JSON.stringify writes");
      console.log(`bodies of ${(first.body.length / MB).toFixed(1)} MB`);

      // Requests are interleaved, so that all meet the same load. Later steps have evicted the earlier ones, so the
      // first request reads a step from the archive's files and the others from the cache.
      for (let step = 1; step < STEPS; step++) await ask(step);
      const names = [
        "a field that is not cached",
        "the same field again",
        "the same as gzip",
        "as gzip again",
      ];
      const series = names.map((): Series => ({ ms: [], processor: 0 }));
      for (let round = 0; round < ROUNDS; round++)
        for (const [i, of] of series.entries()) {
          const before = processorMs(child.pid!);
          of.ms.push((await ask(round, i < 2 ? "identity" : "gzip")).ms);
          of.processor += processorMs(child.pid!) - before;
        }
      const unpacked = gunzipSync((await ask(0, "gzip")).body);
      if (withoutId(unpacked) !== withoutId(first.body)) throw new Error("The gzip is that of another body");
      console.log(
        `  medians of ${ROUNDS}, and the server's processor time a request, which counts on a busy machine:`,
      );
      const python = compareWithXarray(folder, first.body);
      for (const [i, { ms, processor }] of series.entries()) {
        const [wall, busy] = [median(ms), processor / ROUNDS];
        const peer = python
          ? `; xarray ${(python.ms / wall).toFixed(1)}× (processor ${(python.processor_ms / busy).toFixed(1)}×)`
          : "";
        console.log(
          `  ${names[i]!.padEnd(26)} ${wall.toFixed(0)} ms, processor ${busy.toFixed(0)} ms${peer}`,
        );
      }
    } finally {
      agent.destroy();
      await stopProcess(child);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Requests of one kind: the duration of each, and their total processor time. */
interface Series {
  ms: number[];
  processor: number;
}

function bodyAt(step: number, whole: boolean): string {
  const box = whole
    ? { latitude: [-90, 90], longitude: [-180, 180] }
    : { latitude: [20, 30], longitude: [-60, -34] };
  const timestamp = formatInstant(START + step * STEP_S);
  return JSON.stringify({ bounding_boxes: [{ ...box, timestamp }], variable: "wind" });
}

interface Timed {
  ms: number;
  /** Body as received, compressed or not. */
  body: Buffer;
}

/** Measures from the first byte sent to the last byte received. The client only counts bytes. */
function timed(agent: Agent, url: string, body: string, encoding: string): Promise<Timed> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "x-api-key": MEASURED_KEY,
      "accept-encoding": encoding,
      "content-length": body.length,
    };
    request(url, { method: "POST", headers, agent }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("error", reject);
      reply.on("end", () => {
        const ms = performance.now() - began;
        const whole = Buffer.concat(chunks);
        if (reply.statusCode === 200) resolve({ ms, body: whole });
        else reject(new Error(`${reply.statusCode} ${whole.subarray(0, 300)}`));
      });
    })
      .on("error", reject)
      .end(body);
  });
}

/** Processor time of a process, milliseconds. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user! + system!) * TICK_MS;
}

/** A body without the parts that differ between requests. */
function withoutId(body: Buffer): string {
  return body
    .toString()
    .replace(/"task_id":"[^"]+"/, "")
    .replace(/"execution_time":"[^"]+"/, "");
}

interface Peer {
  ms: number;
  processor_ms: number;
}

/** @returns Wall-clock and processor time; undefined without xarray. */
function compareWithXarray(folder: string, body: Buffer): Peer | undefined {
  const python = "/usr/bin/python3";
  try {
    execFileSync(python, ["-c", "import xarray"], { stdio: "ignore" });
  } catch {
    console.log("  (no python3-xarray here: nothing to compare with)");
    return undefined;
  }
  const { conditions } = JSON.parse(body.toString()).result.results[0] as {
    conditions: Record<string, (number | null)[][]>;
  };
  const values = Object.values(conditions).flatMap((rows) => rows.flat());
  writeFileSync(
    path.join(folder, "fields.f64"),
    new Uint8Array(Float64Array.from(values, (value) => value ?? Number.NaN).buffer),
  );
  const shape = [grid.latitude.count, grid.longitude.count];
  writeFileSync(path.join(folder, "shape.json"), JSON.stringify({ names: Object.keys(conditions), shape }));
  const printed = execFileSync(python, ["bench/peers/xarray_json.py", folder], { encoding: "utf8" });
  return JSON.parse(printed) as Peer;
}

/** Writes a smooth wind with the noise of a real one in its last two digits, m s-1. */
async function writeArchive(folder: string): Promise<void> {
  const times = Array.from({ length: STEPS }, (_, step) => START + step * STEP_S);
  const origin = {
    dataset: "Forecast",
    source: "gfs",
    model: "benchmark 0.25°",
    referenceTime: START,
  } as const;
  const run = await beginRun(folder, { ...origin, grid, times });
  const values = new Float32Array(grid.latitude.count * grid.longitude.count);
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (const [name, phase] of [
    ["eastward_wind_10m", 0],
    ["northward_wind_10m", 1],
  ] as const)
    await run.writeField(name, {}, async (step) => {
      for (let row = 0, at = 0; row < grid.latitude.count; row++) {
        const y = ((row * 0.25 - 90) * Math.PI) / 180;
        for (let column = 0; column < grid.longitude.count; column++) {
          const x = (column * 0.25 * Math.PI) / 180;
          values[at++] =
            9 * Math.cos(3 * y) * Math.sin(5 * x - step * 0.15 + phase) +
            4 * Math.sin(13 * x + 17 * y + step * 0.3 + phase) +
            0.08 * (random() + random() - 1);
        }
      }
      return values;
    });
  await run.publish();
}
