import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { load, type Measured, rateOf, report, startBare } from "./measured-load.ts";
import { type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";
import {
  pointBodies as bodies,
  pointHeaders as headers,
  modelBody,
  POINTS_START as START,
  writeWind,
} from "./one-point.ts";

/** Rounds are short and many, because other machines of a host disturb single ones. */
const SECONDS = 3;
const ROUNDS = 12;
/** Time in which V8 compiles most of the server's code. */
const WARM_S = 6;

/** Sources of as many models. */
const models = ["gfs", "ecmwf", "ecmwfaifs", "first-more", "second-more"] as const;

/** Hours of the chart of the panel. */
const CHART_HOURS = 241;
const MODEL_SECONDS = 4;
const MODEL_ROUNDS = 3;

/**
 * Compares one-point requests through the whole server (key, limit, validation, interpolation, envelope, log, metrics)
 * with a bare node handler that reads the same body and answers a constant of equal size. Each server has a process of
 * its own, and they take turns in one run. It needs the built pages, because the server under test is the real one. Then
 * compares a point from five models with the same point from one, at one time and at the hours of the panel's chart.
 */
export async function bench(): Promise<void> {
  await onePoint();
  await byModel();
}

async function onePoint(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const started: ChildProcess[] = [];
  try {
    await writeWind(path.join(folder, "archive"));
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
    await ask(full, WARM_S);
    await ask(bare, WARM_S);
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await ask(full));
      theirs.push(await ask(bare));
    }
    report("one point, whole server", ours);
    report("one point, bare node:http", theirs);
    const shares = ours.map((one, round) => rateOf(one) / rateOf(theirs[round]!));
    console.log(`one point: ${median(shares).toFixed(2)} of a bare handler, the median of ${ROUNDS} rounds`);
  } finally {
    for (const child of started) await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}

async function byModel(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  let started: ChildProcess | undefined;
  try {
    for (const source of models) await writeWind(path.join(folder, "archive"), source);
    const { child, url } = await startMeasuredServer(folder, START);
    started = child;
    for (const hours of [1, CHART_HOURS]) {
      const ask = (asked: readonly string[], seconds = MODEL_SECONDS) => {
        const request = { method: "POST" as const, headers, body: modelBody(asked, hours) };
        return load(`${url}/MetOcean`, [request], child, seconds);
      };
      const one: Measured[] = [];
      const five: Measured[] = [];
      await ask(models, 2);
      for (let round = 0; round < MODEL_ROUNDS; round++) {
        one.push(await ask(models.slice(0, 1)));
        five.push(await ask(models));
      }
      const name = hours === 1 ? "one point" : `${hours} hours of a point`;
      const [single, all] = [report(`${name}, one model`, one), report(`${name}, five models`, five)];
      console.log(`${name}: five models take ${(single.rate / all.rate).toFixed(2)} times as long as one`);
    }
  } finally {
    if (started) await stopProcess(started);
    await rm(folder, { recursive: true, force: true });
  }
}
