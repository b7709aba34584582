import { createHash } from "node:crypto";
import { existsSync, globSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { kill } from "#test/chaos/kill.ts";
import { until } from "#test/until.ts";
import { FuzzClient } from "./client.ts";
import { type Random, randomOf } from "./random.ts";
import { type FuzzServer, startServer } from "./server.ts";

/** Largest file, MiB. It is small, so that many requests ask for more. */
const MAX_MB = 1;

/** Settings of the server: addresses come from headers, and none has reached its limit. */
export const opengribsSettings = {
  OPENGRIBS: "on",
  OPENGRIBS_LIMIT: "999999999 per 1 minute",
  OPENGRIBS_MAX_MB: String(MAX_MB),
  TRUSTED_PROXIES: "1",
};

/** Programs wait for a file as long as it takes; the service gives up after ten minutes. */
const HANG_MS = 11 * 60_000;

const MAX_FAULTS = 20;

/** Areas that requests name. They are few, because the demo computes every new one. */
const AREAS = 24;

interface OpengribsRun {
  url: string;
  requests: number;
  seed: number;
  /** Number of requests at the same time. */
  parallel: number;
  /** Called after every thousand requests. */
  progress?(done: number): void;
}

export interface OpengribsReport {
  /** Replies by kind: files, messages, downloads, abandoned requests, and other statuses. */
  counts: Map<string, number>;
  /** Bytes of the largest file. */
  largest: number;
  /** One line per fault, with the number of the request, which the same seed repeats. */
  faults: string[];
}

/**
 * Sends random requests of the OpenGribs protocol. Wrong is a reply that is neither a file nor a message for its reader,
 * an error of the server, a file that is larger than the limit or differs from its reply, and a download of anything
 * that was not offered.
 */
export async function fuzzOpengribs(run: OpengribsRun): Promise<OpengribsReport> {
  const report: OpengribsReport = { counts: new Map(), largest: 0, faults: [] };
  const client = new FuzzClient(run.url, run.parallel, HANG_MS);
  const ofAreas = randomOf(run.seed);
  const areas = Array.from({ length: AREAS }, () => areaOf(ofAreas));
  let next = 0;
  const work = async () => {
    while (next < run.requests && report.faults.length < MAX_FAULTS) {
      const index = next++;
      if (index % 1000 === 0) run.progress?.(index);
      const random = randomOf(run.seed + Math.imul(index, 2_654_435_761));
      const target = targetOf(random, random.of(areas));
      try {
        await one(client, target, random, report);
      } catch (error) {
        report.faults.push(`request ${index}: ${error}; ${target.slice(0, 1000)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: run.parallel }, work));
  client.close();
  return report;
}

/** @throws Error that names the fault. */
async function one(
  client: FuzzClient,
  target: string,
  random: Random,
  report: OpengribsReport,
): Promise<void> {
  const { counts } = report;
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const headers = { host: random.of(hosts), "x-forwarded-for": `192.0.2.${random.below(200)}` };
  const method = random.below(40) === 0 ? random.of(["POST", "HEAD", "DELETE"]) : "GET";
  // Some programs do not wait for the reply.
  const signal = random.below(20) === 0 ? AbortSignal.timeout(random.below(400)) : undefined;
  const reply = await client.send({ method, target, headers }, signal).catch((error) => {
    if (signal?.aborted) return undefined;
    throw error;
  });
  if (!reply) return void count("abandoned");
  const { status, body } = reply;
  if (status >= 500) throw new Error(`status ${status}`);
  if (status !== 200 || method !== "GET") return void count(String(status));
  if (!target.includes("getmygribs2.php")) {
    if (!target.includes("getstatus2.php")) throw new Error("a file that was not offered");
    return void count("status");
  }
  const text = body.toString();
  if (text.includes("\n")) throw new Error("a reply of several lines");
  const { status: isFile, message } = JSON.parse(text) as { status: boolean; message: Offer | string };
  if (typeof message === "string") {
    if (isFile || !/^[A-Z].*\.$/s.test(message)) throw new Error(`no message for its reader: ${text}`);
    return void count("messages");
  }
  if (!isFile || message.size > MAX_MB * 2 ** 20) throw new Error(`a file of ${message.size} bytes`);
  count("files");
  report.largest = Math.max(report.largest, message.size);
  const { pathname } = new URL(message.url);
  const file = await client.send({ method: "GET", target: pathname, headers });
  if (file.status !== 200) throw new Error(`status ${file.status} of an offered file`);
  if (createHash("sha1").update(file.body).digest("hex") !== message.sha1)
    throw new Error(`${file.body.length} other bytes than offered`);
}

interface Offer {
  url: string;
  size: number;
  sha1: string;
}

const hosts = ["grbsrv.opengribs.org", "localhost", "boat.example:3000", "[::1]", "a b", "x/../y", ""];

const models = ["gfs_p25_", "gfs_p50_", "gfs_1p0_", "ecmwf_p50_", "icon_p25_", "arpege_eu_p10_", "none"];
const waveModels = ["ww3_p50_", "gwam_p25_", "ewam_p05_", "none"];
const letters = [
  "W",
  "P",
  "p",
  "R",
  "C",
  "T",
  "H",
  "I",
  "S",
  "s",
  "Z",
  "c",
  "i",
  "r",
  "G",
  "2",
  "9",
  "skewt",
];
const waveLetters = ["s", "H", "D", "P", "h", "d", "p"];

/** Values that no program sends. */
const oddities = [
  ...[
    "",
    " ",
    "0",
    "-0",
    "-1",
    "90",
    "-90",
    "90.0001",
    "180",
    "-180",
    "360",
    "540",
    "541",
    "-361",
    "1e9",
    "+5",
  ],
  ...[
    "NaN",
    "Infinity",
    "0x10",
    "1,5",
    "99999999999999999999",
    "1.23456789012",
    "-",
    ".",
    "null",
    "undefined",
  ],
  ...["α", "'; drop table tasks; --", "<script>", "\u0000", "\r\nx: y", "../..", "%2e%2e%2f", "__proto__"],
  ...["W;G;P;", ";;;;", "W".repeat(500), "W;".repeat(2000), "constructor;", "gfs", "gfs_", "gfs_9p999_"],
  ...["icon_eu_p06_", "ww3_p50_", "gfs_p00_", "GFS_P50_", "last", "LAST", "06", "6", "24", "12", "16", "400"],
];

/** Paths below `/downloads` where nothing is offered. */
const stray = [
  ...["/downloads", "/downloads/", "/downloads/1", "/downloads/1/x.grb2", "/downloads/1/../../key-pepper"],
  ...[
    "/downloads/..%2F..%2Fkey-pepper/x.grb2",
    "/downloads/%2e%2e/%2e%2e/key-pepper",
    "/downloads/1/%2e%2e.grb2",
  ],
  ...[
    "/downloads/1/..%5C..%5Cx.grb2",
    "/downloads//etc/passwd",
    "/downloads/1/%00.grb2",
    "/downloads/1/%zz.grb2",
  ],
  ...[
    "/downloads/1/....//....//x.grb2",
    "/downloads/-1/x.grb2",
    "/downloads/1e3/x.grb2",
    "/downloads/1/.store-id",
  ],
  ...["/downloads/1/x.grb2.draft", "/downloads/%31/x.grb2?x=../../", `/downloads/1/${"x".repeat(3000)}.grb2`],
];

function targetOf(random: Random, area: Area): string {
  const roll = random.below(100);
  if (roll < 8) return random.of(stray);
  if (roll < 10) return `/getstatus2.php${random.of(["", "/", "?x=%zz", "?model=gfs"])}`;
  const script = random.of(["/getmygribs2.php", "/getmygribs2.php", "/getmygribs2.php/"]);
  const origin = random.below(4) === 0 ? "http://grbsrv.opengribs.org" : "";
  return `${origin}${script}?${queryOf(random, area)}`;
}

function queryOf(random: Random, area: Area): string {
  const query = new URLSearchParams(likely(random, area));
  const names = [...query.keys()];
  for (let count = random.below(8); count > 1; count--) {
    const name = random.of(names);
    const roll = random.below(6);
    if (roll === 0) query.delete(name);
    else if (roll === 1) query.append(name, random.of(oddities));
    else query.set(name, random.of(oddities));
  }
  const text = query.toString();
  return random.below(50) === 0 ? text.replace("=", random.of(["=%zz", "&&", "=%", "[]=", "=%ff"])) : text;
}

type Area = Readonly<Record<"la1" | "la2" | "lo1" | "lo2", string>>;

/** An area as a program may send it: mostly a small one, at any longitude. */
function areaOf(random: Random): Area {
  const size = random.below(12) === 0 ? 180 : random.between(0, 6);
  const south = random.between(-90, 90 - Math.min(size, 170));
  const west = random.between(-360, 360);
  const edge = (value: number) => String(Math.round(100 * value) / 100);
  return {
    la1: edge(south),
    la2: edge(Math.min(90, south + size)),
    lo1: edge(west),
    lo2: edge(west + random.between(0, 2) * size),
  };
}

/** A request as a program may send it. */
function likely(random: Random, area: Area): Record<string, string> {
  const some = (list: readonly string[]) =>
    list
      .filter(() => random.chance(0.25))
      .map((one) => `${one};`)
      .join("");
  return {
    osys: "debian",
    ver: "1.2.6",
    model: random.of(models),
    ...area,
    intv: random.of(["6", "12", "24"]),
    days: random.of(["1", "1", "1", "1", "1", "1", "2", "16"]),
    cyc: random.of(["last", "last", "last", "00", "06", "12", "18"]),
    par: some(letters),
    wmdl: random.of(waveModels),
    wpar: some(waveLetters),
  };
}

/** Files of the protocol in a data directory, by name. */
export function opengribsFiles(dataDir: string): string[] {
  return globSync("**/downloads/*", { cwd: dataDir });
}

const isDraft = (name: string) => name.endsWith(".draft");

/** Waits until no file is being written. */
export async function untilWritten(dataDir: string): Promise<void> {
  await until(() => !opengribsFiles(dataDir).some(isDraft));
}

/** @throws Error that names a file which is larger than the limit. */
export function checkSizes(dataDir: string): void {
  for (const name of opengribsFiles(dataDir)) {
    const file = path.join(dataDir, name);
    if (existsSync(file) && statSync(file).size > MAX_MB * 2 ** 20) throw new Error(`${name} is too large`);
  }
}

/** A little more than the time for which the service keeps a file, seconds. */
const OLD_S = 3_700;

/**
 * Kills a server while it writes a file, and starts it again when all complete files are an hour old. The incomplete file must
 * be gone when the server is ready, the old files must go, and the service must make files again.
 *
 * @returns The server that runs at the end.
 */
export async function killWhileWriting(server: FuzzServer, dataDir: string): Promise<FuzzServer> {
  const sent = new FuzzClient(server.url, 1, HANG_MS);
  const small = "la1=47&la2=48&lo1=-6&lo2=-5&model=gfs_p50_&par=W;&intv=6&days=1";
  const fileOf = async ({ url }: FuzzServer) => {
    const reply = await fetch(`${url}/getmygribs2.php?${small}`);
    return (await reply.json()) as { status: boolean };
  };
  await fileOf(server);
  // Ten global fields, which take the demo seconds.
  const query = "la1=-90&la2=90&lo1=-180&lo2=180&model=gfs_1p0_&par=W&intv=24&days=4";
  const interrupted = sent.send({ method: "GET", target: `/getmygribs2.php?${query}`, headers: {} });
  interrupted.catch(() => undefined);
  await until(() => opengribsFiles(dataDir).some(isDraft));
  await kill(server.child);
  sent.close();
  const old = opengribsFiles(dataDir).filter((name) => !isDraft(name));
  if (old.length === 0) throw new Error("before a kill there are no files");
  const made = Date.now() / 1000 - OLD_S;
  for (const name of old) utimesSync(path.join(dataDir, name), made, made);
  const again = await startServer(dataDir, opengribsSettings);
  const left = opengribsFiles(dataDir).filter(isDraft);
  if (left.length > 0) throw new Error(`after a kill there is ${left}`);
  await until(() => !opengribsFiles(dataDir).some((name) => old.includes(name)));
  const { status } = await fileOf(again);
  if (!status || opengribsFiles(dataDir).length === 0) throw new Error("after a kill there are no files");
  return again;
}
