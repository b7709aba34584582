import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { framePath } from "#lib/contract/frame-paths.ts";
import { chunkNames } from "#lib/field/frame-chunks.ts";
import { haveSucceededAlike } from "#test/alike.ts";
import { whereBuilt } from "#test/built-pages.ts";
import { exchange, NOW, type Sent, send, startTwoServers, type TwoServers } from "#test/two-servers.ts";
import { standardOperations as operations } from "./list.ts";

// Plain `next start` answers the API as our own server does, without server/main.ts.
const NAME = "plain next start";
const points = [{ latitude: 48.5, longitude: -5.2, timestamp: NOW }];
const passage = {
  route: [
    { latitude: 48.5, longitude: -5.2 },
    { latitude: 48.5, longitude: -6 },
  ],
  departure: NOW,
  vessel: { kind: "fixed", speed_kt: 10 },
};
const watch = {
  name: "Gale",
  question: {
    kind: "place",
    latitude: 48,
    longitude: -6,
    window_hours: 48,
    join: "any",
    conditions: [{ quantity: "gust_kt", over: 90 }],
  },
};
const link = { channel: "00000000-0000-4000-8000-000000000000", token: "x".repeat(43) };
const validBodies: Record<string, object> = {
  "/MetOcean": { points, variables: ["wind"] },
  "/MetOcean/runs": { points, variables: ["wind"] },
  "/MetOcean/async": { points, variables: ["wind"] },
  "/2DMetOcean": {
    bounding_boxes: [{ latitude: [48, 48.5], longitude: [-6, -5.5], timestamp: NOW }],
    variable: "wind",
  },
  "/files": {
    area: { type: "box", latitude: [48, 48.5], longitude: [-6, -5.5] },
    variables: ["wind"],
    from: NOW,
    to: NOW,
  },
  "/storms/approach": {
    provider: "jtwc",
    vessel: { latitude: 15, longitude: 140, course_deg: 90, speed_kt: 12 },
  },
  "/passages/evaluate": passage,
  "/passages/optimise": passage,
  "/channels": { kind: "webhook", target: "http://127.0.0.1:9/alerts" },
  "/channels/confirm": link,
  "/alerts/read": {},
  "/edr/collections/{collection_id}/trajectory": {
    coords: `LINESTRING(-5.2 48.5,-6 48.5)`,
    datetime: NOW,
    "parameter-name": "Gust_10m",
  },
  "/watches": watch,
  "/watches/{id}": watch,
};
/** Where an empty body is a valid one. */
const invalidBodies: Record<string, object> = { "/alerts/read": { ids: 1 } };
/** Where only the reader of a mail can succeed: what others are told. */
const refusals: Record<string, number> = {
  "POST /channels/confirm": 410,
  "POST /channels/unsubscribe": 410,
  "GET /channels/unsubscribe": 303,
  "POST /channels/{channel_id}/confirmation": 409,
};
/** Whose replies have numbers of their own, or a secret. */
const ownReplies = [
  "GET /metrics",
  "POST /channels",
  "POST /channels/calendar",
  "POST /channels/{channel_id}/secret",
];
const ofGust = `&datetime=${NOW}&parameter-name=Gust_10m`;
const edrQueries: Record<string, string> = {
  position: `?coords=POINT(-5.2%2048.5)${ofGust}`,
  trajectory: `?coords=LINESTRING(-5.2%2048.5,-6%2048.5)${ofGust}`,
  cube: `?bbox=-6,48,-5.5,48.5${ofGust}`,
  area: `?coords=POLYGON((-6%2048,-5%2048,-5%2049,-6%2048))${ofGust}`,
  radius: `?coords=POINT(-5.5%2048.5)&within=30&within-units=nmi${ofGust}`,
  corridor: `?coords=LINESTRING(-6%2048,-5%2049)&corridor-width=60&width-units=km${ofGust}`,
};
/** Queries of EDR below a path. */
const queriesBelow = (path: string) =>
  Object.fromEntries(Object.entries(edrQueries).map(([name, query]) => [`${path}/${name}`, query]));

const queries: Record<string, string> = {
  ...queriesBelow("/edr/collections/{collection_id}"),
  ...queriesBelow("/edr/collections/{collection_id}/instances/{instance_id}"),
  "/point": `?lat=48.5&lon=-5.2&time=${NOW}`,
  "/2DMetOcean/manifest": "?variable=wind",
  "/storms": "?provider=jtwc",
  "/storms/outlooks": "?provider=jtwc",
  "/storms/{id}/danger": "?provider=jtwc",
  "/storms/{id}/history": "?provider=jtwc",
  "/channels/unsubscribe": `?${new URLSearchParams(link)}`,
};

/** A task that is still pending when it is cancelled. */
const longTask = {
  points: Array.from({ length: 20_000 }, (_, index) => ({
    latitude: ((index * 37) % 1200) / 10 - 60,
    longitude: ((index * 61) % 3400) / 10 - 170,
    timestamp: NOW,
  })),
  variables: ["wind", "wave", "current"],
};

whereBuilt(NAME, () => describe(NAME, compareServers));

function compareServers(): void {
  let servers: TwoServers;
  /** By origin: a task that has succeeded, for all tests that only read it. */
  const endedTasks = new Map<string, Promise<string>>();
  beforeAll(async () => {
    servers = await startTwoServers();
  }, 180_000);
  afterAll(() => servers?.close());

  const named = (some: typeof operations) =>
    some.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

  it.each(named(operations))("%s: succeeds alike", async (name, { method, path: pattern }) => {
    const succeed = async (origin: string) =>
      exchange(origin, await targetOf(origin, method, pattern), {
        method,
        ...(/^P/.test(method) && { body: validBodies[pattern] }),
      });
    if (/\/history$|^\/watches\//.test(pattern)) {
      // Each server adds the demo's earlier bulletins, and looks at a new watch, in the background.
      const areSame = async () => expect(haveSucceededAlike(await both(succeed))).toBe(true);
      return vi.waitFor(areSame, { timeout: 20_000, interval: 200 });
    }
    const [expected, received] = await both(succeed);
    if (refusals[name]) expect(expected.status).toBe(refusals[name]);
    else expect(expected.status).toBeLessThan(300);
    if (ownReplies.includes(name)) expect(received.status).toBe(expected.status);
    else expect(received).toEqual(expected);
  });

  it.each(named(operations.filter(({ needsKey }) => needsKey)))(
    "%s: rejects missing and wrong keys alike",
    async (_name, { method, path: pattern, body }) => {
      const rejected = (key: string | undefined) =>
        same(filled(pattern), { method, headers: { "x-api-key": key }, ...(body && { body: {} }) });
      const replies = await Promise.all([rejected(undefined), rejected("wrong")]);
      expect(replies.map(({ status }) => status)).toEqual([403, 401]);
    },
  );

  it.each(named(operations.filter(({ body }) => body)))(
    "%s: rejects invalid bodies alike",
    async (_name, { method, path: pattern, body }) => {
      const target = filled(pattern);
      // EDR has an error form of its own.
      const invalid = pattern.startsWith("/edr/") ? 400 : 422;
      const rejects = async (status: number, sent: Sent) =>
        expect((await same(target, { method, ...sent })).status).toBe(status);
      await Promise.all([
        rejects(415, { body: "{}", headers: { "content-type": "text/plain" } }),
        rejects(415, { body: "{}", headers: { "content-encoding": "gzip" } }),
        rejects(invalid, { body: '{"points":' }),
        rejects(invalid, { body: "" }),
        rejects(invalid, { body: invalidBodies[pattern] ?? {} }),
        rejects(invalid, { body: validBodies[pattern], headers: { "idempotency-key": "two words" } }),
      ]);
      if (body!.limitBytes < 4e6) await rejects(413, { body: " ".repeat(body!.limitBytes + 1) });
    },
  );

  it.each([...new Set(operations.map(({ path: pattern }) => pattern))])(
    "%s: answers other methods alike",
    async (pattern) => {
      const target = filled(pattern);
      const preflight = { "access-control-request-method": "POST", "x-api-key": undefined };
      const [wrong, ...options] = await Promise.all([
        same(target, { method: "PATCH" }),
        same(target, { method: "OPTIONS" }),
        same(target, { method: "OPTIONS", headers: preflight }),
        same(target, { method: "HEAD", headers: { "x-api-key": undefined } }),
      ]);
      expect(wrong.status).toBe(405);
      expect(wrong.headers.allow).toContain("OPTIONS");
      expect(options.slice(0, 2).map(({ status }) => status)).toEqual([204, 204]);
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
    for (const reply of await both((origin) =>
      send(origin, "/limits", { headers: { "x-request-id": "my-own-request" } }),
    ))
      expect(reply.headers.get("x-request-id")).toBe("my-own-request");
  });

  it.each(["br, gzip", "*", "identity"])(
    "a task's result is readable with Accept-Encoding %s",
    async (accepted) => {
      const headers = { "accept-encoding": accepted };
      const read = async (origin: string) =>
        exchange(origin, `/task/${await endedTask(origin)}`, { headers });
      const [expected, received] = await both(read);
      expect(expected.status).toBe(200);
      expect(received).toEqual(expected);
    },
  );

  it.each(["/task/a/b/c", "/metocean", "/storms/x/y/z"])(
    "%s, which no route file has, is a 404 of the API only in our own server",
    async (target) => {
      const [expected, received] = await both((origin) => send(origin, target));
      expect([expected.status, received.status]).toEqual([404, 404]);
      expect(expected.headers.get("content-type")).toBe("application/json");
      expect(received.headers.get("content-type")).toContain("text/html");
    },
  );

  it("serves no image optimiser, which no page uses", async () => {
    const replies = await both((origin) => send(origin, "/_next/image?url=%2Ficon.svg&w=64&q=75"));
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  });

  it.each(["/docs", "/docs/post-metocean", "/tasks"])("renders the page %s", async (page) => {
    const replies = await both((origin) => send(origin, page));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  });

  /** Asks our own server and plain `next start` at the same time. */
  function both<Result>(ask: (origin: string) => Promise<Result>): Promise<[Result, Result]> {
    return Promise.all([ask(servers.ours), ask(servers.next)]);
  }

  /** The reply of both servers, which is the same. */
  async function same(target: string, sent: Sent) {
    const [expected, received] = await both((origin) => exchange(origin, target, sent));
    expect(received).toEqual(expected);
    return expected;
  }

  /** A target with which an operation succeeds. */
  async function targetOf(origin: string, method: string, pattern: string): Promise<string> {
    const query = queries[pattern] ?? "";
    if (pattern.includes("{task_id}")) {
      const isCancelled = pattern.startsWith("/cancel");
      const changes = isCancelled || method === "DELETE";
      const id = await (changes ? submit(origin, isCancelled ? longTask : undefined) : endedTask(origin));
      if (method === "DELETE") await succeeded(origin, id);
      return pattern.replace("{task_id}", id);
    }
    if (pattern.startsWith("/edr")) return edrTarget(origin, pattern, method === "GET" ? query : "");
    if (pattern.includes("{state}")) return pattern.replace("{state}", "FAILURE");
    if (pattern.startsWith("/watches/{"))
      return pattern.replace("{id}", await idOf(origin, "/watches", watch));
    if (pattern.includes("{channel_id}")) return pattern.replace("{channel_id}", await aChannel(origin));
    if (pattern.includes("{token}")) {
      const reply = await send(origin, "/channels/calendar", { method: "POST" });
      return new URL(((await reply.json()) as { url: string }).url).pathname;
    }
    if (pattern.includes("{id}")) return pattern.replace("{id}", await firstStorm(origin)) + query;
    if (pattern.includes("{chunk}")) return frameTarget(origin, pattern);
    return pattern + query;
  }

  function endedTask(origin: string): Promise<string> {
    const known =
      endedTasks.get(origin) ??
      submit(origin).then(async (id) => {
        await succeeded(origin, id);
        return id;
      });
    endedTasks.set(origin, known);
    return known;
  }
}

function filled(pattern: string): string {
  return pattern.replaceAll(/\{\w+\}/g, "x") + (queries[pattern] ?? "");
}

async function idOf(origin: string, target: string, body: object): Promise<string> {
  const reply = await send(origin, target, { method: "POST", body });
  return ((await reply.json()) as { id: string }).id;
}

/** The newest run of the forecast, and the first storm. */
async function edrTarget(origin: string, pattern: string, query: string): Promise<string> {
  const first = async (target: string, list: string) => {
    const found = (await (await send(origin, target)).json()) as Record<string, { id: string }[]>;
    return found[list]![0]!.id;
  };
  let target = pattern.replace("{collection_id}", "forecast");
  if (target.includes("{instance_id}"))
    target = target.replace("{instance_id}", await first("/edr/collections/forecast/instances", "instances"));
  if (target.includes("{item_id}"))
    target = target.replace("{item_id}", await first("/edr/collections/active-storms/items", "features"));
  return target + query;
}

let channels = 0;

/** A channel of its own: there is one for each target. */
const aChannel = (origin: string) =>
  idOf(origin, "/channels", { kind: "webhook", target: `http://127.0.0.1:9/${channels++}` });

async function submit(origin: string, body = validBodies["/MetOcean/async"]): Promise<string> {
  const reply = await send(origin, "/MetOcean/async", { method: "POST", body });
  return ((await reply.json()) as { task_id: string }).task_id;
}

async function succeeded(origin: string, id: string): Promise<void> {
  const status = async () =>
    ((await (await send(origin, `/task/${id}`)).json()) as { status: string }).status;
  await vi.waitFor(async () => expect(await status()).toBe("SUCCESS"), { timeout: 50_000, interval: 100 });
}

async function firstStorm(origin: string): Promise<string> {
  const reply = await send(origin, "/storms?provider=jtwc");
  const { results } = (await reply.json()) as {
    results: { id: string; tracks: { forecast?: object | null } }[];
  };
  return results.find(({ tracks }) => tracks.forecast)!.id;
}

async function frameTarget(origin: string, pattern: string): Promise<string> {
  const reply = await send(origin, "/2DMetOcean/manifest?variable=wind");
  const { frames, times, levels } = fieldManifest.parse(await reply.json()).runs[0]!;
  const [time, coarsest] = [times[0]!, levels.at(-1)!];
  const signed = framePath(frames, time, coarsest.level, chunkNames(coarsest.grid, coarsest.chunk)[0]!);
  return pattern.includes("{grant}") ? signed : signed.replace(/signed-frames\/[^/]+/, "frames");
}
