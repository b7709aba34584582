import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { parseLimit } from "#lib/contract/limits.ts";
import { openGuests } from "#server/http/guests.ts";
import { memoryRateLimiter } from "#server/http/rate-limiter.ts";
import { KeyRequests } from "#server/keys/key-requests.ts";
import { KeyStore } from "#server/keys/keys.ts";
import { keysCommand } from "#server/keys/keys-command.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { type Mail, smtpMailer } from "#server/platform/mail.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { openTestServer, type TestServer, testContext, testRequestContext } from "#test/http.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { redeemKey, requestKey } from "./keys.ts";
import { apiRouter } from "./operations.ts";
import { limits } from "./service.ts";

const publicUrl = "https://sea.example.org";
const limit = parseLimit("7 per 1 minute")!;

it("there are no requests for keys where the operator has not turned them on", () => {
  const router = apiRouter(testContext(testRequestContext()));
  expect(router.owns("/key_requests")).toBe(false);
});

describeWithDatabase("keys by e-mail", (fresh) => {
  let database: Database;
  let stub: SmtpStub;
  let mailer: ReturnType<typeof smtpMailer>;
  let server: TestServer;
  let requests: KeyRequests;
  let keys: KeyStore;
  const context = testRequestContext();

  beforeAll(async () => {
    database = await openDatabase(await fresh());
    stub = await openSmtpStub();
    mailer = smtpMailer(stub.url, "Open MetOcean <service@example.org>");
    const { clock, log } = context;
    keys = new KeyStore(database.prisma, { pepper: "pepper of the tests", clock });
    requests = new KeyRequests({ tables: database.prisma, keys, mailer, publicUrl, limit, clock, log });
    const connected = testContext({ ...context, keys, keyRequests: requests });
    Object.defineProperty(connected, "limiter", { get: () => context.limiter });
    server = await openTestServer(
      {
        "/key_requests": { POST: () => requestKey.endpoint(connected) },
        "/key_requests/redeem": { POST: () => redeemKey.endpoint(connected) },
      },
      { context, trustedProxies: 1 },
    );
  });
  afterAll(async () => {
    await server?.close();
    await requests?.close();
    mailer?.close();
    await stub?.close();
    await database?.close();
  });
  beforeEach(async () => {
    stub.emails.length = 0;
    context.limiter = memoryRateLimiter(context.clock);
    await database.prisma.keyRequest.deleteMany();
    await database.prisma.apiKey.deleteMany();
  });

  const page = { "sec-fetch-site": "same-origin", origin: publicUrl, "x-api-key": "" };
  const post = (path: string, body: unknown, headers = {}) =>
    server.post(path, body, { ...page, ...headers });
  const ask = (email: string, headers = {}) => post("/key_requests", { email }, headers);
  const redeem = (token: string, headers = {}) => post("/key_requests/redeem", { token }, headers);

  /** The tokens of the e-mails that were received. */
  async function tokens(): Promise<string[]> {
    await requests.close();
    return stub.emails.map(({ raw }) => {
      const text = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      return /https:\/\/sea\.example\.org\/#new-key=([\w-]+)/.exec(text)?.[1] ?? "";
    });
  }

  it("a link makes one key, once, of the owner of the address, with the operator's limit", async () => {
    expect((await ask("Mate@Example.org")).status).toBe(202);
    const [token = ""] = await tokens();
    expect(stub.emails.map(({ recipients }) => recipients)).toEqual([["Mate@example.org"]]);
    const reply = await redeem(token);
    expect([reply.status, reply.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const { key } = (await reply.json()) as { key: string };
    expect(await keys.find(key)).toMatchObject({
      owner: "mail:mate@example.org",
      email: "mate@example.org",
      limit: { text: "7 per 1 minute" },
    });
    const again = await redeem(token);
    expect([again.status, Object.keys(await again.json())]).toEqual([410, ["detail"]]);
    expect(await keys.count()).toBe(1);
  });

  it("two that come together with one token make one key", async () => {
    await ask("mate@example.org");
    const [token = ""] = await tokens();
    const replies = await Promise.all([1, 2, 3].map(() => redeem(token)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 410, 410]);
    expect(await keys.count()).toBe(1);
  });

  it("neither token nor key is in the database, and opening the link makes nothing", async () => {
    await ask("mate@example.org");
    const [token = ""] = await tokens();
    const reply = await redeem(token);
    const { key } = (await reply.json()) as { key: string };
    const rows = JSON.stringify([
      await database.prisma.keyRequest.findMany(),
      await database.prisma.apiKey.findMany(),
    ]);
    for (const secret of [token, key.slice(12)]) expect(rows).not.toContain(secret);
    for (const path of ["/key_requests/redeem", `/key_requests/redeem?token=${token}`])
      expect((await fetch(server.url + path)).status).toBe(405);
    expect(JSON.stringify(context.logged)).not.toContain(token);
  });

  it("a link ends after an hour; wrong tokens are answered as used ones", async () => {
    await ask("mate@example.org");
    const [token = ""] = await tokens();
    context.time += 3600;
    const replies = [await redeem(token), await redeem("wrong"), await redeem(`${token}x`)];
    const texts = await Promise.all(replies.map((reply) => reply.text()));
    expect(new Set(texts).size).toBe(1);
    expect(replies.map(({ status }) => status)).toEqual([410, 410, 410]);
  });

  it("the reply says nothing of the address: known, unknown, or with e-mails enough for a day", async () => {
    await keys.create({ owner: "Ann", email: "ann@example.org" });
    const seen: unknown[] = [];
    for (const email of ["ann@example.org", "new@example.org", ...Array(5).fill("many@example.org")]) {
      const reply = await ask(email, { "x-forwarded-for": `192.0.2.${seen.length}` });
      const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(reply.headers);
      seen.push({ status: reply.status, text: await reply.text(), headers });
    }
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    await tokens();
    const many = stub.emails.filter(({ recipients }) => recipients[0] === "many@example.org");
    expect(many).toHaveLength(3);
  });

  it("requests that come together get three e-mails for an address, too", async () => {
    // Each request counts the rows before the row of another is written.
    const slowly = "BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END";
    const { prisma } = database;
    await prisma.$executeRawUnsafe(
      `CREATE FUNCTION slowly() RETURNS trigger AS '${slowly}' LANGUAGE plpgsql`,
    );
    await prisma.$executeRaw`
      CREATE TRIGGER slowly BEFORE INSERT ON key_request FOR EACH ROW EXECUTE FUNCTION slowly()`;
    onTestFinished(async () => void (await prisma.$executeRaw`DROP FUNCTION slowly() CASCADE`));
    await Promise.all(Array.from({ length: 6 }, () => requests.request("mate@example.org")));
    expect(await tokens()).toHaveLength(3);
  });

  it("300 e-mails go out in a day, of all processes together; then it says when the next one may", async () => {
    const now = context.clock.now();
    const sent = (index: number) => ({
      tokenHash: `hash ${index}`,
      email: `${index}@example.org`,
      createdAt: new Date(1000 * (now - 80_000 + index)),
      expiresAt: new Date(1000 * now),
    });
    await database.prisma.keyRequest.createMany({
      data: Array.from({ length: 299 }, (_, index) => sent(index)),
    });
    const replies = await Promise.all(
      [1, 2, 3].map((index) => ask(`new-${index}@example.org`, { "x-forwarded-for": `192.0.2.${index}` })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 429, 429]);
    expect(await tokens()).toHaveLength(1);
    const refused = replies.find(({ status }) => status === 429)!;
    expect(await refused.json()).toEqual({ error: "Rate limit exceeded: 300 per 1 day" });
    expect(refused.headers.get("retry-after")).toBe("6400");
    context.time += 6400;
    expect((await ask("later@example.org", { "x-forwarded-for": "192.0.2.9" })).status).toBe(202);
    await requests.close();
  });

  it("what was sent while the clock was a day ahead counts for no longer than a day", async () => {
    context.time += 86_400;
    for (let times = 0; times < 4; times++) await requests.request("mate@example.org");
    expect(await tokens()).toHaveLength(3);
    context.time -= 86_400;
    await requests.request("mate@example.org");
    expect(await tokens()).toHaveLength(4);
  });

  it("one address of the network asks five times an hour", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++) statuses.push((await ask(`${index}@example.org`)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    expect((await ask("other@example.org", { "x-forwarded-for": "198.51.100.1" })).status).toBe(202);
    await requests.close();
  });

  it("other sites and what is no address are refused, and send nothing", async () => {
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://other.example" };
    expect((await ask("mate@example.org", foreign)).status).toBe(403);
    expect((await redeem("x", foreign)).status).toBe(403);
    for (const email of ["mate", "a@b", "a@b.c, d@e.f", "a@b.c\r\nBcc: d@e.f", "<a@b.c>", "a".repeat(300)])
      expect([422, 429]).toContain((await ask(email)).status);
    expect((await post("/key_requests", {}, { "x-forwarded-for": "192.0.2.9" })).status).toBe(422);
    await requests.close();
    expect(stub.emails).toEqual([]);
  });

  it("other ways to write a domain are the same address, which gets three e-mails a day", async () => {
    const forms = ["example.org", "EXAMPLE.org", "\uff45xample.org", "e\uff58ample.org", "ex\u24d0mple.org"];
    for (const form of forms) expect((await ask(`mate@${form}`)).status).toBe(202);
    await tokens();
    expect(stub.emails.map(({ recipients }) => recipients)).toEqual(Array(3).fill(["mate@example.org"]));
    const owners = await database.prisma.keyRequest.findMany({ distinct: ["email"] });
    expect(owners.map(({ email }) => email)).toEqual(["mate@example.org"]);
  });

  it("what a database cannot hold, and what is no domain, is no address", async () => {
    for (const email of [
      "a\u0000@example.org",
      "a\ud800@example.org",
      "a\u200b@example.org",
      "a\u007f@example.org",
      "a@1.2.3.999",
    ]) {
      const reply = await ask(email);
      expect([reply.status, await reply.json()]).toMatchObject([
        422,
        { detail: [{ loc: ["body", "email"] }] },
      ]);
    }
  });

  it("an address has three keys that work; another one revokes the oldest", async () => {
    const made: string[] = [];
    for (let index = 0; index < 4; index++) {
      context.time += 86_401;
      await ask("mate@example.org");
      const [token = ""] = await tokens();
      stub.emails.length = 0;
      made.push(((await (await redeem(token)).json()) as { key: string }).key);
    }
    const owners = await Promise.all(made.map(async (key) => (await keys.find(key))?.owner));
    expect(owners).toEqual([undefined, ...Array(3).fill("mail:mate@example.org")]);
  });

  it("keys list says how each key was made", async () => {
    await ask("mate@example.org");
    const [token = ""] = await tokens();
    await redeem(token);
    const written: string[] = [];
    const out = { write: (text: string) => written.push(text) };
    const deps = { open: async () => keys, out, err: out, now: context.time };
    await keysCommand(["create", "--owner", "Ann"], deps);
    await keys.adopt("key-of-the-environment", { owner: "bootstrap", origin: "environment" });
    written.length = 0;
    await keysCommand(["list"], deps);
    const lines = written.join("").split("\n");
    expect(lines[0]).toMatch(/^PREFIX +OWNER +E-MAIL +LIMIT +CREATED +MADE BY +STATE$/);
    for (const [owner, origin] of [
      ["mail:mate@example.org", "e-mail"],
      ["Ann", "command"],
      ["bootstrap", "environment"],
    ])
      expect(lines.find((line) => line.includes(owner!))).toContain(` ${origin} `);
  });

  it("a mail server that fails is logged, and the next request tries again", async () => {
    const failing = { send: async (_mail: Mail) => Promise.reject(new Error("no connection")) };
    const { clock, log } = context;
    const deps = { tables: database.prisma, keys, mailer: failing, publicUrl, limit, clock, log };
    const broken = new KeyRequests(deps);
    await broken.request("mate@example.org");
    await broken.close();
    expect(context.logged.filter(({ level }) => level === "warn")).toHaveLength(1);
    await ask("mate@example.org");
    expect(await tokens()).toHaveLength(1);
  });
});

let server: TestServer | undefined;
afterEach(() => server?.close());

function contextOf(mode: "off" | "map" | "api") {
  const context = testRequestContext();
  const limit = parseLimit("7 per 1 minute")!;
  const secret = "pepper of the tests";
  const publicUrl = "http://localhost:3000";
  if (mode !== "off")
    context.guests = openGuests({ mode, limit, secret, clock: context.clock, publicUrl, isProxied: false });
  return context;
}

it.each([
  { mode: "off", owned: false },
  { mode: "api", owned: false },
  { mode: "map", owned: true },
] as const)("sessions are an operation only where visitors need one: GUESTS=$mode", ({ mode, owned }) => {
  const router = apiRouter(testContext(contextOf(mode)));
  expect(router.owns("/guests/session")).toBe(owned);
});

it("the limits of visitors are stated where there are visitors, and nowhere else", async () => {
  const store = { limits: {} };
  const definition = limits(() => []);
  const read = async (mode: "off" | "map") => {
    const context = testContext({ ...contextOf(mode), tasks: { store } });
    await server?.close();
    server = await openTestServer({ "/limits": { GET: () => definition.endpoint(context) } });
    return (await (await fetch(`${server.url}/limits`)).json()) as Record<string, unknown>;
  };
  expect(await read("off")).not.toHaveProperty("guests");
  expect((await read("map")).guests).toEqual({
    mode: "map",
    rate: {
      data: "7 per 1 minute",
      storms: "7 per 1 minute",
      tasks: "7 per 1 minute",
      frames: "3000 per 1 minute",
    },
    points: 2200,
    ensemble_points: 265,
    body_bytes: 131_072,
  });
});
