import { expect, it } from "vitest";
import { hourFrom, requestExamples } from "#lib/contract/examples.ts";
import { parseLimit } from "#lib/contract/limits.ts";
import type { RequestName } from "#lib/contract/wire-schemas.ts";
import { openGuests } from "#server/http/guests.ts";
import { pathSigner } from "#server/http/signed-path.ts";
import { KeyStore } from "#server/keys/keys.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { createMetrics } from "#server/platform/metrics.ts";
import { UnknownStationError } from "#server/tides/errors.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, bytesOf, connectContext } from "#test/send.ts";
import { body, describeTasksApi, submit, success, weatherNow, work } from "#test/tasks-api.ts";
import { operations } from "./operations.ts";

const ABSENT = "6f1c1a52-9d6c-4f39-8d53-0f7d3a1f7a11";

/**
 * Returns the kind of an owner's data that a request to an operation can name. It is derived from the path, so that a
 * new operation is included; only lists of tasks cannot be told by their path.
 */
function namedBy({ method, path }: { method: string; path: string }) {
  if (path.includes("{task_id}")) return "task";
  if (path.startsWith("/user/tasks")) return "list";
  // These paths have tests of their own, channels.test.ts and watches.test.ts.
  if (/^\/(channels|watches|alerts)\b/.test(path)) return "watch";
  return method === "POST" ? "idempotency key" : "nothing";
}

/**
 * One format is sent from memory and one is converted; the replies that an owner gets depend on nothing else of a
 * format.
 */
const formats = ["application/json", "text/csv"];

/**
 * Accepted requests for all operations that take an Idempotency-Key: the examples, cut so that they are soon computed.
 */
const example = (name: RequestName) => requestExamples[name](weatherNow);
const bothWays = (request: object) => [request, { ...request, async: true }];
const route = [
  { latitude: 40, longitude: -42 },
  { latitude: 40.1, longitude: -42.1 },
];
const passage = { route, vessel: { kind: "fixed", speed_kt: 12 }, storms: undefined };
const { from } = requestExamples.FileRequest(weatherNow);
const file = { ...example("FileRequest"), estimate: false, to: from };
const points = { type: "points", points: [{ latitude: 30, longitude: -42 }] };
const accepted: Record<string, object[]> = {
  "/MetOcean": [body],
  "/MetOcean/runs": [body],
  // The archive of these tests has no ensemble.
  "/MetOcean/ensemble": [],
  "/MetOcean/async": [body],
  "/2DMetOcean": bothWays(example("MapRequest")),
  "/files": [
    file,
    { ...file, format: "csv" },
    { ...file, area: points, format: "csv" },
    { ...file, async: true },
  ],
  "/storms/approach": [example("StormApproachRequest")],
  "/passages/evaluate": bothWays({ ...example("PassageRequest"), ...passage }),
  "/passages/optimise": bothWays({ ...example("OptimiseRequest"), ...passage }),
  "/workability": bothWays({ ...example("WorkabilityRequest"), from, to: hourFrom(weatherNow, 24) }),
  // An immediate answer stores nothing under its key; as a task it is one of /MetOcean/async
  // (test/clients/service.test.ts).
  "/edr/collections/{collection_id}/trajectory": [],
};

/** Operations that visitors may use, listed so that a new operation is not open to them by accident. */
const forGuests = [
  "POST /MetOcean",
  "GET /point",
  "POST /MetOcean/runs",
  "POST /MetOcean/ensemble",
  "POST /passages/evaluate",
  "GET /storms",
  "GET /storms/outlooks",
  "POST /storms/approach",
  "GET /storms/{id}/danger",
  "GET /storms/{id}/history",
  "GET /tides",
  "GET /tides/stations",
  "GET /tides/now",
  "GET /tides/{station_id}",
  "GET /feeds",
  "GET /2DMetOcean/manifest",
  "GET /2DMetOcean/frames/{dataset}/{run}/{variable}/{time}/{level}/{chunk}",
];

describeTasksApi("what belongs to an owner", (api) => {
  let requests = 0;

  /** Returns everything of a reply that a client sees, apart from its own rate limit. */
  async function seen(
    method: string,
    target: string,
    headers: Record<string, string | undefined>,
    sent?: object,
  ) {
    // Each request has an address of its own, because wrong keys are counted by address.
    const address = `10.0.${requests >> 8}.${requests++ & 255}`;
    const reply = await ask(method, target, { headers, address, body: sent });
    const { "x-ratelimit-remaining": _, ratelimit: __, ...rest } = reply.headers;
    return { status: reply.status, body: (await bytesOf(reply)).toString(), headers: rest };
  }

  /** Makes a pending, a finished and a failed task of Ann's. */
  async function tasksOf(key: string): Promise<string[]> {
    const done = await submit(api, {}, { "x-api-key": key, "idempotency-key": "of-Ann" });
    await work(api);
    api.run = async () => {
      throw new ProcessingError("Chunk 3 of the archive is damaged");
    };
    const failed = await submit(api, {}, { "x-api-key": key });
    await work(api);
    api.run = success(api);
    const pending = await submit(api, {}, { "x-api-key": key });
    return [done, failed, pending];
  }

  /** Connects the operations with keys of their own, and visitors where a test lets them in. */
  function connect(more: object = {}): KeyStore {
    const { clock, database } = api.test;
    const keys = new KeyStore(database.prisma, { pepper: "pepper of the tests", clock });
    connectContext({
      ...api.context,
      keys,
      archive: demoArchive(weatherNow),
      calendars: { read: async () => undefined },
      storms: { published: () => ({ entries: [], synthetic: true }), history: async () => [] },
      tides: {
        stations: async () => ({ results: [], total: 0, attribution: [] }),
        station: async () => {
          throw new UnknownStationError("There is no such station");
        },
      },
      ready: async () => ({ database: undefined }),
      draining: new AbortController().signal,
      metrics: createMetrics(),
      metricsAccess: "public",
      framePaths: pathSigner("pepper of the tests", clock),
      ...more,
    } as unknown as typeof api.context);
    return keys;
  }

  it("is as absent as what never existed to every other key, and unreadable without a valid one", async () => {
    const { clock, database } = api.test;
    const keys = connect();
    const limit = parseLimit("1000000 per 1 minute");
    const make = (owner: string, more = {}) => keys.create({ owner, limit, ...more });
    const expiresAt = new Date(clock.now() * 1000);
    const [{ text: ann }, { text: bob }, { text: revoked, record }, { text: expired }] = [
      await make("Ann"),
      await make("Bob"),
      await make("Ann"),
      await make("Ann", { expiresAt }),
    ];
    await keys.revoke(record.id);
    const invalid = {
      none: undefined,
      empty: "",
      wrong: `${ann}x`,
      short: ann.slice(0, -1),
      prefix: record.prefix,
      upper: ann.toUpperCase(),
      two: `${ann}, ${bob}`,
      revoked,
      expired,
    };

    // HEAD is answered where GET is.
    const stated = operations
      .filter(({ needsKey }) => needsKey)
      .flatMap((operation) =>
        operation.method === "GET" ? [operation, { ...operation, method: "HEAD" }] : [operation],
      );
    expect(new Set(stated.map(namedBy))).toEqual(
      new Set(["task", "list", "watch", "idempotency key", "nothing"]),
    );
    const withIdempotency = stated.filter((operation) => namedBy(operation) === "idempotency key");
    expect(withIdempotency.map(({ path }) => path).toSorted()).toEqual(Object.keys(accepted).toSorted());

    const mine = await tasksOf(ann);
    const everything = async () => ({
      tasks: await database.prisma.task.findMany({ orderBy: { id: "asc" } }),
      keys: await database.prisma.idempotencyKey.findMany(),
    });
    // Ann's converted results are stored beside her result.
    for (const accept of formats)
      await ask("GET", `/task/${mine[0]}`, { headers: { accept, "x-api-key": ann } });
    const before = await everything();
    const cursor = Buffer.from(`${Math.round(clock.now() * 1000) + 1}.${mine[0]}`).toString("base64url");

    for (const { method, path } of stated) {
      const targetOf = (id: string) =>
        path
          .replace("{task_id}", id)
          .replace("{state}", "SUCCESS")
          .replaceAll(/\{\w+\}/g, id);
      const ids = [...mine, mine[0]!.toUpperCase(), ABSENT, "nothing", "%00", `${mine[0]}/`.slice(0, -1)];
      for (const accept of method === "HEAD" ? formats.slice(0, 1) : formats) {
        const refusals = new Map<number, unknown>();
        // The key is checked before the format.
        for (const [name, key] of accept === formats[0] ? Object.entries(invalid) : []) {
          for (const id of [mine[0]!, ABSENT]) {
            const more = { accept, "x-api-key": key, "idempotency-key": "of-Ann", "if-none-match": "*" };
            const reply = await seen(method, targetOf(id), more, method === "POST" ? body : undefined);
            expect(reply.status, `${method} ${path} with ${name}`).toBe(key ? 401 : 403);
            refusals.set(reply.status, refusals.get(reply.status) ?? reply);
            expect(reply).toEqual(refusals.get(reply.status));
          }
        }
        if (namedBy({ method, path }) === "task") {
          const absent = await seen(method, targetOf(ABSENT), { accept, "x-api-key": bob });
          expect([absent.status, absent.body]).toEqual([404, '{"detail":"Task not found"}']);
          for (const id of ids)
            for (const more of [{}, { "if-none-match": "*" }])
              expect(await seen(method, targetOf(id), { accept, "x-api-key": bob, ...more })).toEqual(absent);
        }
        if (namedBy({ method, path }) === "list") {
          for (const query of ["", `?cursor=${cursor}`, "?limit=1"]) {
            const reply = await seen(method, targetOf("") + query, { accept, "x-api-key": bob });
            expect([reply.status, reply.body, reply.headers.link]).toEqual([
              200,
              '{"results":[]}',
              undefined,
            ]);
          }
        }
      }
    }
    expect(await everything()).toEqual(before);

    // A key that Ann used is free for Bob, in every operation and format, with Ann's body and with another.
    for (const { path } of withIdempotency)
      for (const [at, sent] of accepted[path]!.entries())
        for (const [index, accept] of formats.entries()) {
          const key = `${path.replaceAll("/", "-")}-${at}-${index}`;
          const post = (apiKey: string, more = {}) =>
            seen("POST", path, { accept, "x-api-key": apiKey, "idempotency-key": key }, { ...sent, ...more });
          await database.prisma.task.deleteMany({ where: { status: "PENDING" } });
          const first = await post(ann);
          const again = await post(ann);
          const what = `${path} as ${accept}`;
          expect([first.status, again.status], what).toEqual(Array(2).fill(first.status === 202 ? 202 : 200));
          expect(again.headers["idempotent-replayed"], what).toBe("true");
          const others = [await post(bob), await post(bob, { task_name: "other" })];
          expect(others[0]!.headers["idempotent-replayed"], what).toBeUndefined();
          expect([others[0]!.status, others[1]!.status], what).toEqual([first.status, 422]);
          const id = /"task_id":\[?"([^"]+)"/.exec(first.body)?.[1];
          if (id) for (const other of others) expect(JSON.stringify(other), what).not.toContain(id);
        }
    // An operation that needs no key reveals nothing about anybody, with or without a key.
    const secrets = ["Ann", "Bob", ann, bob, record.prefix, ...mine];
    for (const { method, path } of operations.filter(({ needsKey }) => !needsKey)) {
      const target = path.replaceAll(/\{\w+\}/g, mine[0]!);
      for (const key of [undefined, "", ann, bob, `${ann}x`, revoked]) {
        const answer = await seen(method, target, { "x-api-key": key });
        expect(answer.status, `${method} ${path}`).toBeLessThan(500);
        const reply = JSON.stringify(answer);
        for (const secret of secrets) expect(reply, `${method} ${path}`).not.toContain(secret);
      }
    }

    const own = await seen("GET", `/task/${mine[0]}`, { "x-api-key": ann });
    expect([own.status, JSON.parse(own.body).status]).toEqual([200, "SUCCESS"]);
    connectContext(api.context);
  });

  it.each(["map", "api"] as const)("is nothing to a visitor without a key, GUESTS=%s", async (mode) => {
    const { clock, database } = api.test;
    const limit = parseLimit("1000000 per 1 minute")!;
    const shared = { mode, limit, clock, publicUrl: "https://sea.example.org", isProxied: false };
    const guests = openGuests({ ...shared, secret: "pepper of the tests" });
    const keys = connect({ guests });
    const [{ text: ann }, { text: bob }] = [
      await keys.create({ owner: "Ann", limit }),
      await keys.create({ owner: "Bob", limit }),
    ];
    const mine = await tasksOf(ann);
    const everything = async () => ({
      tasks: await database.prisma.task.findMany({ orderBy: { id: "asc" } }),
      keys: await database.prisma.idempotencyKey.findMany(),
    });
    const before = await everything();
    const cookieOf = (secret: string) =>
      openGuests({ ...shared, secret })
        .cookieFor({ header: () => undefined })!
        .split(";")[0]!;
    const page = { "sec-fetch-site": "same-origin" };
    const visitor = { "x-api-key": undefined, ...page, cookie: cookieOf("pepper of the tests") };
    const wrong: Record<string, Record<string, string | undefined>> = {
      "no session": { ...visitor, cookie: undefined },
      "another instance's": { ...visitor, cookie: cookieOf("another pepper of tests") },
      "another site": { ...visitor, "sec-fetch-site": "cross-site" },
      "no page": { ...visitor, "sec-fetch-site": undefined },
      "another origin": { ...visitor, origin: "https://other.example" },
    };
    const secrets = ["Ann", "Bob", ann, bob, ...mine];
    const open: string[] = [];
    for (const { method, path, needsKey, openToGuests } of operations) {
      if (!needsKey) continue;
      const name = `${method} ${path}`;
      if (openToGuests) open.push(name);
      const targetOf = (id: string) =>
        path
          .replace("{task_id}", id)
          .replace("{state}", "SUCCESS")
          .replaceAll(/\{\w+\}/g, id);
      for (const accept of formats)
        for (const id of [mine[0]!, ABSENT]) {
          const sent = method === "POST" ? (accepted[path]?.[0] ?? body) : undefined;
          const ask = (headers: object) =>
            seen(method, targetOf(id), { accept, "idempotency-key": "of-Ann", ...headers }, sent);
          const reply = await ask(visitor);
          for (const secret of secrets) expect(JSON.stringify(reply), name).not.toContain(secret);
          expect(reply.headers["idempotent-replayed"], name).toBeUndefined();
          if (openToGuests)
            expect([403, 401, 500].includes(reply.status), `${name} ${reply.body}`).toBe(false);
          else expect([reply.status, reply.body], name).toEqual([403, expect.stringContaining("visitors")]);
          for (const [way, headers] of Object.entries(wrong))
            if (!openToGuests || mode === "map")
              expect((await ask(headers)).status, `${name} by ${way}`).toBe(403);
          // A key, even a wrong one, takes precedence over the session.
          for (const key of [`${ann}x`, "short"])
            expect((await ask({ ...visitor, "x-api-key": key })).status, name).toBe(401);
          if (namedBy({ method, path }) === "task")
            expect((await ask({ ...visitor, "x-api-key": bob })).status, name).toBe(404);
        }
    }
    expect(open).toEqual(forGuests);
    expect(await everything()).toEqual(before);
    connectContext(api.context);
  });
});
