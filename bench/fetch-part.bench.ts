import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import { realClock } from "#server/platform/clock.ts";
import { createFetcher } from "#server/platform/fetching/fetcher.ts";
import { realSleep } from "#server/platform/fetching/sleep.ts";
import { feedOf } from "#test/fetched-part.ts";
import { messageCycle, messageLead } from "#test/grib-objects.ts";
import { startChildServer } from "./child-process.ts";
import { stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";

const PASSES = 9;
const WANTED = 20;
const MESSAGE = 1_000_179;

const feed = feedOf({
  kind: "messages",
  object: "step",
  index: { object: "step.idx", form: "wgrib2" },
  wanted: Array.from({ length: WANTED }, (_, index) => ({
    element: "UGRD",
    level: `${index * 3} m above ground`,
    time: "instant",
  })),
});
const part = { cycle: messageCycle, index: 0, times: [messageCycle + messageLead * 3600] };

/**
 * Prints how fast a step of twenty messages of a megabyte each, two others between any two, is fetched, checked and
 * synced; against a loop that copies the same ranges from the same server into a synced file and checks nothing.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "fetch-part-"));
  const script = path.join(import.meta.dirname, "object-server-process.ts");
  const { child, url: mirror } = await startChildServer([script]);
  try {
    const ways = { fetchPart: () => fetched(mirror, folder), "plain copying": () => copied(mirror, folder) };
    const taken: Record<string, { wall: number[]; cpu: number[] }> = {
      fetchPart: { wall: [], cpu: [] },
      "plain copying": { wall: [], cpu: [] },
    };
    for (let pass = 0; pass < PASSES; pass++) {
      for (const [name, run] of Object.entries(ways)) {
        const times = taken[name]!;
        const [begun, used] = [performance.now(), process.cpuUsage()];
        await run();
        times.wall.push((performance.now() - begun) / 1e3);
        const { user, system } = process.cpuUsage(used);
        times.cpu.push((user + system) / 1e6);
        for (const name of ["part", "copy"])
          await rm(path.join(folder, name), { recursive: true, force: true });
      }
    }
    const megabytes = (WANTED * MESSAGE) / 1e6;
    for (const [name, { wall, cpu }] of Object.entries(taken)) {
      const rate = (seconds: number[]) => (megabytes / median(seconds)).toFixed(0);
      console.log(
        `fetching a step: ${name}: ${rate(wall)} MB/s, ${rate(cpu)} MB a second of processor time, ${megabytes.toFixed(0)} MB, median of ${PASSES}`,
      );
    }
  } finally {
    await stopProcess(child);
    await rm(folder, { recursive: true });
  }
}

async function fetched(mirror: string, folder: string): Promise<void> {
  const fetcher = createFetcher({
    hosts: { "data.example": {} },
    mirror,
    userAgent: "bench",
    clock: realClock,
    sleep: realSleep,
    random: Math.random,
    bytesADay: Number.POSITIVE_INFINITY,
    spend: () => 0,
  });
  const { signal } = new AbortController();
  const options = { fetcher, folder: path.join(folder, "part"), clock: realClock, signal };
  const result = await fetchPart(feed, part, "full", options);
  fetcher.close();
  if (result === "absent") throw new Error("the step is absent");
}

async function copied(mirror: string, folder: string): Promise<void> {
  await using file = await open(path.join(folder, "copy"), "w");
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const copy = async (index: number) => {
    const from = index * 3 * MESSAGE;
    const headers = { range: `bytes=${from}-${from + MESSAGE - 1}` };
    const request = http.get(`${mirror}/data.example/store/step`, { agent, headers });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    let at = index * MESSAGE;
    for await (const bytes of response as AsyncIterable<Uint8Array>) {
      await file.write(bytes, 0, bytes.length, at);
      at += bytes.length;
    }
  };
  await Promise.all(Array.from({ length: WANTED }, (_, index) => copy(index)));
  await file.sync();
  agent.destroy();
}
