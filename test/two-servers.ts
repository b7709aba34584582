import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, vi } from "vitest";
import { copyMigratedData } from "./postgres.ts";
import { OUR_ADDRESS, printedAddress } from "./printed-address.ts";

const root = path.resolve(import.meta.dirname, "..");

const KEY = "next-start-key-0123456789";

/** The weather's clock of both servers. */
export const NOW = "2026-01-01T00:00:00Z";

/** Our own server and plain `next start`, each with a database and tasks of its own. */
export interface TwoServers {
  /** Origins. */
  ours: string;
  next: string;
  close(): Promise<void>;
}

/** Starts both at the same time, in the demo world, with databases that are migrated already. */
export async function startTwoServers(): Promise<TwoServers> {
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-next-start-"));
  const children: ChildProcess[] = [];
  const start = async (name: string, args: string[], address: RegExp) => {
    const dataDir = path.join(folder, name);
    mkdirSync(dataDir);
    await copyMigratedData(dataDir);
    const child = startProcess(args, dataDir);
    children.push(child);
    return originOf(child, args[0]!, address);
  };
  const close = async () => {
    await Promise.all(children.map(stop));
    rmSync(folder, { recursive: true, force: true });
  };
  const nextArgs = ["node_modules/next/dist/bin/next", "start", "-p", "0", "-H", "127.0.0.1"];
  try {
    const [ours, next] = await Promise.all([
      start("ours", ["server/main.ts"], OUR_ADDRESS),
      start("next", nextArgs, /Local: +(http:\/\/\S+)/),
    ]);
    return { ours, next, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startProcess(args: string[], dataDir: string): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      // Where nobody listens: alerts of the tests go nowhere.
      ALERT_NETWORKS: "127.0.0.1/32",
      PUBLIC_URL: "https://weather.example.org",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: dataDir,
      METRICS_ACCESS: "public",
      KEY_PEPPER: "the same in both servers",
      METOCEAN_NOW: NOW,
      BOOTSTRAP_API_KEY: KEY,
      BOOTSTRAP_API_KEY_LIMIT: "100000 per 1 minute",
    },
  });
}

/** Waits for the address that a server prints, and for the storms of the demo world, which take a moment longer. */
async function originOf(child: ChildProcess, name: string, address: RegExp): Promise<string> {
  const origin = await printedAddress(child, name, address);
  await vi.waitFor(async () => expect((await exchange(origin, "/storms?provider=jtwc")).status).toBe(200), {
    timeout: 120_000,
    interval: 200,
  });
  return origin;
}

/** Ends a server, and the database that it has started. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(timer);
}

export interface Sent {
  method?: string;
  headers?: Record<string, string | undefined>;
  body?: object | string;
}

/** Sends a request with a good key; a header of `undefined` is not sent. */
export function send(origin: string, target: string, { method = "GET", headers, body }: Sent = {}) {
  const all = {
    "x-api-key": KEY,
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  };
  return fetch(origin + target, {
    method,
    redirect: "manual",
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: typeof body === "object" ? JSON.stringify(body) : body,
  });
}

/** Status, headers and body of a reply, without what differs between any two requests. */
export async function exchange(origin: string, target: string, sent?: Sent) {
  const reply = await send(origin, target, sent);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const isText = /json|text/.test(reply.headers.get("content-type") ?? "");
  return {
    status: reply.status,
    headers: Object.fromEntries(comparedHeaders.map((name) => [name, constant(reply.headers.get(name))])),
    body: isText ? constant(bytes.toString()) : createHash("sha256").update(bytes).digest("hex"),
  };
}

/** Next adds to Vary, and drops Content-Encoding and Content-Length. */
const comparedHeaders = [
  "content-type",
  "cache-control",
  "etag",
  "allow",
  "location",
  "retry-after",
  "www-authenticate",
  "accept-encoding",
  "ratelimit-policy",
  "x-ratelimit-limit",
  "x-data-provenance",
  "x-notification",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "x-content-type-options",
  "referrer-policy",
  "cross-origin-resource-policy",
];

function constant(text: string | null): string {
  return (
    (text ?? "")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
      .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, "<instant>")
      .replaceAll(/\d+\.\d{3} seconds/g, "<seconds>")
      .replaceAll(/[0-9a-f]{64}/g, "<hash>")
      // How far a task was when it was cancelled, and how well its times compress.
      .replaceAll(/"(started_at|progress|result_bytes)":[^,]+/g, '"$1":"<any>"')
      .replaceAll(/\b\d{10}\.[\w-]{22}/g, "<grant>")
      // What remains of a grant may pass a second between the two requests.
      .replace(/^public, max-age=\d+, immutable$/, "public, max-age=<seconds>, immutable")
      .replace(/^W\//, "")
  );
}
