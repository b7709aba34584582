import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { framePath } from "#lib/contract/frame-paths.ts";
import { chunkNames } from "#lib/field/frame-chunks.ts";
import { operations } from "./list.ts";

/**
 * Plain `next start` answers the API as our own server does, without server/main.ts. Needs the pages that `npm test`
 * builds first.
 */
const root = path.resolve(import.meta.dirname, "../..");
const isBuilt = existsSync(path.join(root, ".next/BUILD_ID"));

const KEY = "next-start-key-0123456789";
const NOW = "2026-01-01T00:00:00Z";
const folder = mkdtempSync(path.join(tmpdir(), "metocean-next-start-"));
const children: ChildProcess[] = [];
let [ours, next] = ["", ""];

const points = [{ latitude: 48.5, longitude: -5.2, timestamp: NOW }];
const validBodies: Record<string, object> = {
  "/MetOcean": { points, variables: ["wind"] },
  "/MetOcean/async": { points, variables: ["wind"] },
  "/2DMetOcean": {
    bounding_boxes: [{ latitude: [48, 48.5], longitude: [-6, -5.5], timestamp: NOW }],
    variable: "wind",
  },
  "/storms/approach": {
    provider: "jtwc",
    vessel: { latitude: 15, longitude: 140, course_deg: 90, speed_kt: 12 },
  },
};
const queries: Record<string, string> = {
  "/2DMetOcean/manifest": "?variable=wind",
  "/storms": "?provider=jtwc",
  "/storms/{id}/danger": "?provider=jtwc",
  "/storms/{id}/history": "?provider=jtwc",
};

describe.skipIf(!isBuilt)("plain next start (needs the built pages, which `npm test` builds)", () => {
  beforeAll(async () => {
    // One after the other: both at once would make the demo world twice.
    ours = await start("ours", ["server/main.ts"], /Open MetOcean +(http:\/\/[^/\s]+)/);
    const args = ["node_modules/next/dist/bin/next", "start", "-p", "0", "-H", "127.0.0.1"];
    next = await start("next", args, /Local: +(http:\/\/\S+)/);
  }, 180_000);
  afterAll(async () => {
    await Promise.all(children.map(stop));
    rmSync(folder, { recursive: true, force: true });
  });

  const keyed = operations.filter(({ needsKey }) => needsKey);
  const named = (some: typeof operations) =>
    some.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

  it.each(named(operations))("%s: succeeds alike", { timeout: 60_000 }, async (_name, operation) => {
    const send = async (origin: string) => {
      const target = await targetOf(origin, operation.path);
      return exchange(origin, target, { method: operation.method, body: validBodies[operation.path] });
    };
    const [expected, received] = await Promise.all([send(ours), send(next)]);
    if (operation.path === "/metrics") {
      expect(received.status).toBe(expected.status);
      return;
    }
    expect(expected.status).toBeLessThan(300);
    expect(received).toEqual(expected);
  });

  it.each(named(keyed))(
    "%s: rejects missing and wrong keys alike",
    async (_name, { method, path: pattern, body }) => {
      for (const [key, status] of [
        [undefined, 403],
        ["wrong", 401],
      ] as const) {
        const options = { method, headers: { "x-api-key": key }, ...(body && { body: {} }) };
        expect((await same(filled(pattern), options)).status).toBe(status);
      }
    },
  );

  it.each(named(operations.filter(({ body }) => body)))(
    "%s: rejects invalid bodies alike",
    async (_name, { path: target, body }) => {
      const rejects = async (status: number, sent: Sent) =>
        expect((await same(target, { method: "POST", ...sent })).status).toBe(status);
      await rejects(415, { body: "{}", headers: { "content-type": "text/plain" } });
      await rejects(415, { body: "{}", headers: { "content-encoding": "gzip" } });
      await rejects(422, { body: '{"points":' });
      await rejects(422, { body: "" });
      await rejects(422, { body: {} });
      await rejects(422, { body: validBodies[target], headers: { "idempotency-key": "two words" } });
      if (body!.limitBytes < 4e6) await rejects(413, { body: " ".repeat(body!.limitBytes + 1) });
    },
  );

  it.each([...new Set(operations.map(({ path: pattern }) => pattern))])(
    "%s: answers other methods alike",
    async (pattern) => {
      const target = filled(pattern);
      const wrong = await same(target, { method: "PATCH" });
      expect(wrong.status).toBe(405);
      expect(wrong.headers.allow).toContain("OPTIONS");
      expect((await same(target, { method: "OPTIONS" })).status).toBe(204);
      const headers = { "access-control-request-method": "POST", "x-api-key": undefined };
      expect((await same(target, { method: "OPTIONS", headers })).status).toBe(204);
      await same(target, { method: "HEAD", headers: { "x-api-key": undefined } });
    },
  );

  it.each([
    ["GET", "/task/unknown", {}, 404],
    ["GET", "/user/tasks/LOST", {}, 422],
    ["GET", "/user/tasks?limit=0", {}, 422],
    ["GET", "/storms?provider=nobody", {}, 422],
    ["GET", "/storms/none/history?provider=jtwc", {}, 404],
    ["GET", "/2DMetOcean/frames/Forecast/none/wind/2026-01-01T00:00:00Z/1/all", {}, 404],
    ["GET", "/2DMetOcean/signed-frames/forged/Forecast/none/wind/2026-01-01T00:00:00Z/1/all", {}, 403],
    ["POST", "/MetOcean", { accept: "text/csv" }, 200],
    ["GET", "/limits/", {}, 200],
  ])("%s %s is alike", async (method, target, headers, status) => {
    const body = method === "POST" ? validBodies[target] : undefined;
    expect((await same(target, { method, headers, body })).status).toBe(status);
  });

  it("echoes a harmless request id", async () => {
    for (const origin of [ours, next]) {
      const reply = await fetch(`${origin}/limits`, { headers: { "x-request-id": "my-own-request" } });
      expect(reply.headers.get("x-request-id")).toBe("my-own-request");
    }
  });

  it.each(["br, gzip", "*", "identity"])(
    "a task's result is readable with Accept-Encoding %s",
    async (accepted) => {
      const [expected, received] = await Promise.all(
        [ours, next].map(async (origin) => {
          const headers = { "accept-encoding": accepted };
          return exchange(origin, `/task/${await endedTask(origin)}`, { headers });
        }),
      );
      expect(expected!.status).toBe(200);
      expect(received).toEqual(expected);
    },
  );

  it.each(["/task/a/b/c", "/metocean", "/storms/x/y/z"])(
    "%s, which no route file has, is a 404 of the API only in our own server",
    async (target) => {
      const [expected, received] = await Promise.all([fetch(ours + target), fetch(next + target)]);
      expect([expected.status, received.status]).toEqual([404, 404]);
      expect(expected.headers.get("content-type")).toBe("application/json");
      expect(received.headers.get("content-type")).toContain("text/html");
    },
  );

  it("serves no image optimiser, which no page uses", async () => {
    for (const origin of [ours, next]) {
      const reply = await fetch(`${origin}/_next/image?url=%2Ficon.svg&w=64&q=75`);
      expect(reply.status).toBe(404);
    }
  });

  it.each(["/docs", "/tasks"])("renders the page %s", async (page) => {
    for (const origin of [ours, next]) expect((await fetch(origin + page)).status).toBe(200);
  });
});

async function start(name: string, args: string[], address: RegExp): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: path.join(folder, name),
      KEY_PEPPER: "the same in both servers",
      METOCEAN_NOW: NOW,
      BOOTSTRAP_API_KEY: KEY,
      BOOTSTRAP_API_KEY_LIMIT: "100000 per 1 minute",
    },
  });
  children.push(child);
  let output = "";
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = address.exec(output);
      if (found) resolve(found[1]!);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`${args[0]} ended:\n${output}`)));
  });
  // The storms of the demo world take a moment after the start.
  await vi.waitFor(
    async () => expect((await exchange(origin, "/storms?provider=jtwc", {})).status).toBe(200),
    { timeout: 120_000, interval: 500 },
  );
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

interface Sent {
  method?: string;
  headers?: Record<string, string | undefined>;
  body?: object | string;
}

/** Status, headers and body of a reply, without what differs between any two requests. */
async function exchange(origin: string, target: string, { method = "GET", headers, body }: Sent) {
  const all = {
    "x-api-key": KEY,
    ...(body !== undefined && { "content-type": "application/json" }),
    ...headers,
  };
  const reply = await fetch(origin + target, {
    method,
    headers: Object.fromEntries(Object.entries(all).filter((entry) => entry[1] !== undefined)) as Record<
      string,
      string
    >,
    body: typeof body === "object" ? JSON.stringify(body) : body,
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const type = reply.headers.get("content-type");
  const isText = /json|text/.test(type ?? "");
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

function constant(text: string | null): string | null {
  return (
    (text ?? "")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
      .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, "<instant>")
      .replaceAll(/\d+\.\d{3} seconds/g, "<seconds>")
      .replaceAll(/[0-9a-f]{64}/g, "<hash>")
      // How far a task was when it was cancelled, and how well its times compress.
      .replaceAll(/"(started_at|progress|result_bytes)":[^,]+/g, '"$1":"<any>"')
      .replaceAll(/\b\d{10}\.[\w-]{22}/g, "<grant>")
      .replace(/^W\//, "")
  );
}

/** The reply of both servers, which is the same. */
async function same(target: string, sent: Sent) {
  const [expected, received] = await Promise.all([
    exchange(ours, target, sent),
    exchange(next, target, sent),
  ]);
  expect(received).toEqual(expected);
  return expected;
}

function filled(pattern: string): string {
  return pattern.replaceAll(/\{\w+\}/g, "x") + (queries[pattern] ?? "");
}

/** A target with which an operation succeeds. */
async function targetOf(origin: string, pattern: string): Promise<string> {
  const query = queries[pattern] ?? "";
  if (pattern.includes("{task_id}")) {
    const id = pattern.startsWith("/cancel") ? await submit(origin, longTask) : await endedTask(origin);
    return pattern.replace("{task_id}", id);
  }
  if (pattern.includes("{state}")) return pattern.replace("{state}", "FAILURE");
  if (pattern.includes("{id}")) return pattern.replace("{id}", await firstStorm(origin)) + query;
  if (pattern.includes("{chunk}")) return frameTarget(origin, pattern);
  return pattern + query;
}

const headers = { "x-api-key": KEY, "content-type": "application/json" };

/** A task that is still pending when it is cancelled. */
const longTask = {
  points: Array.from({ length: 20_000 }, (_, index) => ({
    latitude: ((index * 37) % 1200) / 10 - 60,
    longitude: ((index * 61) % 3400) / 10 - 170,
    timestamp: NOW,
  })),
  variables: ["wind", "wave", "current"],
};

async function submit(origin: string, request = validBodies["/MetOcean/async"]): Promise<string> {
  const body = JSON.stringify(request);
  const reply = await fetch(`${origin}/MetOcean/async`, { method: "POST", headers, body });
  return ((await reply.json()) as { task_id: string }).task_id;
}

async function endedTask(origin: string): Promise<string> {
  const id = await submit(origin);
  const status = async () =>
    ((await (await fetch(`${origin}/task/${id}`, { headers })).json()) as { status: string }).status;
  await vi.waitFor(async () => expect(await status()).toBe("SUCCESS"), { timeout: 50_000, interval: 100 });
  return id;
}

async function firstStorm(origin: string): Promise<string> {
  const reply = await fetch(`${origin}/storms?provider=jtwc`, { headers });
  const { results } = (await reply.json()) as {
    results: { id: string; tracks: { forecast?: object | null } }[];
  };
  return results.find(({ tracks }) => tracks.forecast)!.id;
}

async function frameTarget(origin: string, pattern: string): Promise<string> {
  const reply = await fetch(`${origin}/2DMetOcean/manifest?variable=wind`, { headers });
  const { frames, times, levels } = fieldManifest.parse(await reply.json()).runs[0]!;
  const [time, coarsest] = [times[0]!, levels.at(-1)!];
  const signed = framePath(frames, time, coarsest.level, chunkNames(coarsest.grid, coarsest.chunk)[0]!);
  return pattern.includes("{grant}") ? signed : signed.replace(/signed-frames\/[^/]+/, "frames");
}
