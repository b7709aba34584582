import { afterEach, expect, it } from "vitest";
import { guestSession } from "#server/operations/keys.ts";
import {
  envelopeEndpoint,
  openTestServer,
  readEndpoint,
  sampleSchema,
  type TestServer,
  testContext,
  testRequestContext,
} from "#test/http.ts";
import { type GuestSettings, guestSessions, openGuests, SESSION_S } from "./guests.ts";

let server: TestServer;
afterEach(() => server?.close());

const limit = { count: 5, periodSeconds: 60, text: "5 per 1 minute" };
const publicUrl = "https://sea.example.org";
const query = sampleSchema.pick({ name: true });
const empty = () => ({ status: 200, headers: {}, body: "" });

async function open(settings: Partial<GuestSettings> = {}, known: string[] = []) {
  const context = testRequestContext();
  const base = { mode: "map", limit, secret: "pepper of the tests", publicUrl, isProxied: true } as const;
  context.guests = openGuests({ ...base, clock: context.clock, ...settings });
  const kept: unknown[] = [];
  context.answers = {
    find: async () => void kept.push("find"),
    ensureQuota: async () => void kept.push("quota"),
    keep: async () => kept.push("keep") > 0,
  } as never;
  server = await openTestServer(
    {
      "/map": { GET: readEndpoint({ group: "storms", query, openToGuests: true }, empty) },
      "/tasks": { GET: readEndpoint({ group: "tasks", query }, empty) },
      "/points": {
        POST: envelopeEndpoint(
          {
            schema: sampleSchema,
            limitBytes: 2000,
            group: "data",
            guests: {
              limitBytes: 200,
              refusal: ({ points }) => (points.length > 2 ? "Too many points for a visitor" : undefined),
            },
          },
          async ({ caller }) => {
            known.push(caller.owner);
            return { results: [] };
          },
        ),
      },
      "/guests/session": { POST: (it) => guestSession.endpoint(testContext(it)) },
    },
    { context, trustedProxies: 1 },
  );
  const { host } = new URL(server.url);
  const page = { "sec-fetch-site": "same-origin", origin: `http://${host}` };
  const begin = async (headers: Record<string, string> = page) =>
    fetch(`${server.url}/guests/session`, { method: "POST", headers });
  const get = (path: string, headers: Record<string, string>) => fetch(server.url + path, { headers });
  const begun = await begin({ ...page, "x-forwarded-for": "198.51.100.99" });
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { context, page, begin, get, cookie, host, kept };
}

const detailOf = async (reply: Response) => ((await reply.json()) as { detail: string }).detail;

it("a page of ours gets a session that scripts cannot read, other sites do not send, and that ends soon", async () => {
  const { begin, page } = await open();
  const reply = await begin();
  expect(reply.status).toBe(204);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("set-cookie")).toMatch(
    /^metocean-guest=\d+\.[\w-]{22}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Strict; Secure$/,
  );
  expect(
    (await begin({ ...page, cookie: reply.headers.get("set-cookie")! })).headers.get("set-cookie"),
  ).toBeNull();
});

it.each([
  { publicUrl: "http://localhost:3000", isProxied: false, proto: "https", secure: false },
  { publicUrl: "http://localhost:3000", isProxied: true, proto: "https", secure: true },
  { publicUrl: "http://localhost:3000", isProxied: true, proto: "https, http", secure: false },
  { publicUrl, isProxied: false, proto: "http", secure: true },
])("the cookie is for TLS alone where there is TLS: %o", async ({ secure, proto, ...settings }) => {
  const { begin, page } = await open(settings);
  const reply = await begin({ ...page, "x-forwarded-proto": proto });
  expect(reply.headers.get("set-cookie")?.endsWith("; Secure")).toBe(secure);
});

it("a session begins for a page of ours only", async () => {
  const { begin, host } = await open();
  const wrong: Record<string, string>[] = [
    {},
    { origin: "https://other.example" },
    { origin: "null" },
    { origin: `http://${host}`, "sec-fetch-site": "cross-site" },
    { origin: `http://${host}`, "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin", origin: "https://other.example" },
    { referer: "https://other.example/" },
    { referer: `http://${host}.other.example/` },
  ];
  for (const headers of wrong) {
    const reply = await begin({ ...headers, "x-forwarded-for": "203.0.113.5" });
    expect([reply.status, reply.headers.get("set-cookie")], JSON.stringify(headers)).toEqual(
      // The limit of visitors applies to the session.
      wrong.indexOf(headers) < limit.count ? [403, null] : [429, null],
    );
  }
  for (const headers of [{ origin: publicUrl }, { referer: `http://${host}/?c=1,2` }] as Record<
    string,
    string
  >[])
    expect((await begin(headers)).status).toBe(204);
});

it("whoever was let in is out as soon as visitors no longer are, as where they never were", async () => {
  let isOpen = true;
  const { begin, get, page, cookie } = await open({ isOpen: async () => isOpen });
  const basic = { authorization: `Basic ${Buffer.from("proxy:password").toString("base64")}` };
  const statuses = async () => {
    const replies = [get("/map", { ...page, cookie }), get("/map", { ...page, cookie, ...basic }), begin()];
    return (await Promise.all(replies)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200, 204]);
  isOpen = false;
  expect(await statuses()).toEqual([403, 401, 403]);
  isOpen = true;
  expect(await statuses()).toEqual([200, 200, 204]);
});

it("a visitor reads what is open to visitors, by a session and from a page, and nothing else", async () => {
  const { get, page, cookie, host } = await open();
  const from = (index: number) => ({ "x-forwarded-for": `203.0.113.${index}` });
  expect((await get("/map", { ...page, cookie })).status).toBe(200);
  // Without TLS a browser names the page only in the referer.
  expect((await get("/map", { referer: `http://${host}/`, cookie })).status).toBe(200);
  const forged = cookie.replace(/\d\./, (digit) => `${(Number(digit[0]) + 1) % 10}.`);
  const wrong: Record<string, string>[] = [
    page,
    { cookie },
    { ...page, cookie: forged },
    { ...page, cookie: cookie.replace("metocean-guest", "other") },
    { ...page, cookie: `x${cookie}` },
    { ...page, "sec-fetch-site": "cross-site", cookie },
    { ...page, origin: "https://other.example", cookie },
    { referer: "https://other.example/", cookie },
  ];
  for (const [index, headers] of wrong.entries()) {
    const reply = await get("/map", { ...headers, ...from(index) });
    expect(reply.status, JSON.stringify(headers)).toBe(403);
    expect(await detailOf(reply)).toMatch(/^Visitors read the map through its page, .*or send an API key/);
    expect(reply.headers.get("cache-control")).toBe("no-store");
  }
  // The request has a stale cookie of a parent domain beside the right one.
  expect((await get("/map", { ...page, cookie: `${forged}; ${cookie}` })).status).toBe(200);
  const reply = await get("/tasks", { ...page, cookie });
  expect(reply.status).toBe(403);
  expect(await detailOf(reply)).toMatch(/^This needs an API key in the header x-api-key: visitors/);
});

it("visitors of one address share a limit, an IPv6 address by its /64, and a key beside them has its own", async () => {
  const { get, page, cookie } = await open();
  const visit = (address: string, more = {}) =>
    get("/map", { ...page, cookie, "x-forwarded-for": address, ...more });
  for (let index = 0; index < limit.count; index++) await visit(`2001:db8:1:2::${index}`);
  expect((await visit("2001:db8:1:2:ffff::1")).status).toBe(429);
  const withKey = await visit("2001:db8:1:2::1", { "x-api-key": "good-key" });
  expect([withKey.status, withKey.headers.get("x-ratelimit-remaining")]).toEqual([200, "9"]);
  expect((await visit("2001:db8:1:3::1")).status).toBe(200);
});

it("a key wins over a session: a wrong one is 401, and a session does not help it", async () => {
  const { get, page, cookie } = await open();
  expect((await get("/map", { ...page, cookie, "x-api-key": "bad-key" })).status).toBe(401);
  expect((await get("/tasks", { ...page, cookie, "x-api-key": "good-key" })).status).toBe(200);
  expect((await get("/map", { ...page, cookie, "x-api-key": "" })).status).toBe(200);
});

it("a visitor's body is small, its points are few, and nothing of it is kept", async () => {
  const known: string[] = [];
  const { page, cookie, kept } = await open({}, known);
  const post = (points: number, more: Record<string, string> = {}, text = "") =>
    server.post(
      "/points",
      { points: Array(points).fill({ latitude: 1 }), text },
      {
        "x-api-key": "",
        ...page,
        cookie,
        "idempotency-key": "mine",
        "x-forwarded-for": "192.0.2.44",
        ...more,
      },
    );
  const reply = await post(2);
  expect([reply.status, reply.headers.get("idempotent-replayed")]).toEqual([200, null]);
  expect((await post(2)).headers.get("idempotent-replayed")).toBeNull();
  expect([known, kept]).toEqual([["192.0.2.44", "192.0.2.44"], []]);
  const many = await post(3);
  expect([many.status, await detailOf(many)]).toEqual([403, "Too many points for a visitor"]);
  expect((await post(1, {}, "x".repeat(300))).status).toBe(413);
  const withKey = await post(3, { "x-api-key": "good-key" }, "x".repeat(300));
  expect([withKey.status, kept]).toEqual([200, ["find", "quota", "keep"]]);
});

it("where programs are let in too, no session is needed for what is open, and nothing else is", async () => {
  const { get } = await open({ mode: "api" });
  expect((await get("/map", {})).status).toBe(200);
  expect(
    (await get("/map", { origin: "https://other.example", "sec-fetch-site": "cross-site" })).status,
  ).toBe(200);
  expect((await get("/tasks", {})).status).toBe(403);
  expect((await get("/map", { "x-api-key": "bad-key" })).status).toBe(401);
  for (let index = 2; index < limit.count; index++) await get("/map", {});
  expect((await get("/map", {})).status).toBe(429);
});

const time = { now: 1_800_000_000 };
const clock = { now: () => time.now };
const sessions = guestSessions("pepper of the tests", clock);

it("a session is valid until it ends, and a minute longer for a replica whose clock is ahead", () => {
  time.now = 1_800_000_000;
  const session = sessions.begin();
  expect(sessions.check(session)).toBe("valid");
  time.now += SESSION_S + 59;
  expect(sessions.check(session)).toBe("valid");
  time.now += 1;
  expect(sessions.check(session)).toBe("ended");
});

it("one of a replica whose clock is a minute ahead is valid, one from further in the future is not", () => {
  time.now = 1_800_000_060;
  const ahead = sessions.begin();
  time.now -= 60;
  expect(sessions.check(ahead)).toBe("valid");
  time.now -= 1;
  expect(sessions.check(ahead)).toBe("ended");
});

it("another secret, another end and what was never signed are forged", () => {
  const session = sessions.begin();
  const [ends = "", mac = ""] = session.split(".");
  const later = `${Number(ends) + 1}.${mac}`;
  expect(guestSessions("another pepper of tests", clock).check(session)).toBe("forged");
  for (const text of [
    later,
    "",
    ".",
    ends,
    mac,
    `${session}x`,
    `${session}.`,
    `0${session}`,
    `${ends}.${"A".repeat(22)}`,
  ])
    expect(sessions.check(text), text).toBe("forged");
});
