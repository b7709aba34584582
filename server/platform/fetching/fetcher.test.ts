import { randomBytes } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { digest, type FetchingTest, fetchingTest } from "#test/fetching.ts";
import { type Fault, type ObjectServer, stored } from "#test/object-server.ts";
import { BrokenError, CutError, RedirectedError, ReplacedError, ThrottledError } from "./errors.ts";
import type { Fetcher } from "./fetcher.ts";
import type { GetOptions } from "./request.ts";

const object = randomBytes(300_000);
const whole = digest(object);
const url = "https://data.example/a/object";
let test: FetchingTest;
let server: ObjectServer;
let fetcher: FetchingTest["fetcher"];
let waits: number[];

beforeEach(async () => {
  test = await fetchingTest();
  ({ server, fetcher, waits } = test);
  server.objects.set("/data.example/a/object", stored(object));
});

afterEach(() => test[Symbol.asyncDispose]());

const get = (options: Partial<GetOptions> = {}, of?: Fetcher, address = url) =>
  test.get(address, options, of);

/** Sets faults for the next answers, in order; later answers have none. */
function faults(...list: (Fault | undefined)[]): void {
  server.fault = () => list.shift();
}

it("fetches an object into memory or a function, and reports its version", async () => {
  const { etag } = stored(object);
  const version = { kind: "ok", etag, lastModified: 1.7e9, total: 300_000, length: 300_000 };
  expect(await get()).toEqual({ ...version, bytes: whole });
  const chunks: Uint8Array[] = [];
  expect(await get({ into: (bytes) => void chunks.push(bytes) })).toEqual(version);
  expect(digest(Buffer.concat(chunks))).toBe(whole);
});

it("fetches a range, and the rest of an object from an offset", async () => {
  const range = await get({ range: { from: 1000, to: 3000 } });
  expect(range).toMatchObject({ bytes: digest(object.subarray(1000, 3000)), total: 300_000 });
  expect(await get({ range: { from: 299_000 } })).toMatchObject({ bytes: digest(object.subarray(299_000)) });
});

it("asks the operator's mirror by the original host and path, and identifies itself", async () => {
  server.objects.set("/data.example/list?prefix=a%2Fb", stored("list"));
  await get({}, fetcher({ mirror: `${server.url}/` }), "https://data.example/list?prefix=a%2Fb");
  expect(server.requests).toMatchObject([
    {
      path: "/data.example/list?prefix=a%2Fb",
      headers: { "user-agent": "Open-MetOcean/0.2 (+mailto:someone@example.org)" },
    },
  ]);
});

it("reports that an object is unchanged or absent without fetching its bytes", async () => {
  expect(await get({ etag: stored(object).etag! })).toEqual({ kind: "unchanged" });
  expect(await get({ modifiedSince: 1.7e9 })).toEqual({ kind: "unchanged" });
  expect(await get({}, undefined, `${url}-of-tomorrow`)).toEqual({ kind: "absent" });
  expect(waits).toEqual([]);
});

it.each([
  "https://elsewhere.example/a/object",
  "http://data.example/a/object",
  "https://data.example:8443/a/object",
  "https://name:word@data.example/a/object",
  "https://data.example@elsewhere.example/",
  "https://constructor/a",
  "file:///etc/passwd",
  "no address",
])("sends no request for %s", async (address) => {
  await expect(get({}, undefined, address)).rejects.toThrow("is not a host of a feed");
  expect(server.requests).toEqual([]);
});

it("fetches only the rest after a connection was cut, and no byte twice", async () => {
  faults({ cutAfter: 100_000 }, { cutAfter: 50_000 }, { cutAfter: 0 });
  expect(await get({ range: { from: 10 } })).toMatchObject({ bytes: digest(object.subarray(10)) });
  const { etag } = stored(object);
  const [first, ...rest] = server.requests.map(({ headers }) => [headers.range, headers["if-match"]]);
  expect(first).toEqual(["bytes=10-", undefined]);
  expect(rest).toHaveLength(3);
  for (const request of rest) expect(request[1]).toBe(etag);
});

it("continues through more cuts than it has attempts where each brings 64 KiB, and gives up where each brings less", async () => {
  const cuts = (bytes: number) => Array.from({ length: 4 }, () => ({ cutAfter: bytes }));
  // With two attempts, four cuts in a row would fail at the second if progress did not count.
  faults(...cuts(70_000));
  expect(await get({}, fetcher({ attempts: 2 }))).toMatchObject({ bytes: whole });
  expect(server.requests).toHaveLength(5);
  faults(...cuts(10_000));
  await expect(get({}, fetcher({ attempts: 2 }))).rejects.toThrow(CutError);
});

it("asks for the rest after a cut with the headers of the request, and without its condition", async () => {
  // The host itself is redirected to loopback here, because headers are not sent to FEED_MIRROR.
  const request = vi.spyOn(https, "request").mockImplementation(((
    address: URL,
    options: http.RequestOptions,
  ) =>
    http.request(`${server.url}/${address.host}${address.pathname}`, {
      ...options,
      agent: false,
    })) as typeof https.request);
  onTestFinished(() => request.mockRestore());
  faults({ cutAfter: 100_000 }, { cutAfter: 50_000 });
  const headers = { authorization: "Bearer word" };
  const answer = await get({ headers, etag: '"another"' }, fetcher({ mirror: undefined }));
  expect(answer).toMatchObject({ bytes: whole });
  expect(server.requests.map(({ headers: sent }) => [sent.authorization, sent["if-none-match"]])).toEqual([
    ["Bearer word", '"another"'],
    ["Bearer word", undefined],
    ["Bearer word", undefined],
  ]);
});

it("refuses the rest when it belongs to another object than the one that was cut", async () => {
  server.fault = () => {
    if (server.requests.length > 1)
      server.objects.set("/data.example/a/object", stored(randomBytes(300_000)));
    return server.requests.length === 1 ? { cutAfter: 100_000 } : undefined;
  };
  await expect(get()).rejects.toThrow("data.example has replaced /a/object while it was being fetched");
});

it("refuses another version than the requested one, with and without an ETag", async () => {
  await expect(get({ ifMatch: { etag: '"other"' } })).rejects.toThrow(ReplacedError);
  server.objects.set("/data.example/a/object", { bytes: object, lastModified: 1.8e9 });
  const ifMatch = { lastModified: 1.7e9, total: 300_000 };
  await expect(get({ ifMatch })).rejects.toThrow(ReplacedError);
  expect(await get({ ifMatch: { ...ifMatch, lastModified: 1.8e9 } })).toMatchObject({ kind: "ok" });
});

it.each<[string, Fault, Partial<GetOptions>, string]>([
  ["the whole object in place of a range", { whole: true }, { range: { from: 5, to: 9 } }, "sent whole"],
  ["another range", { shift: 1 }, { range: { from: 5, to: 9 } }, "bytes 6 to 9 were sent, not 5 to 8"],
  [
    "an object shorter than the range",
    { shift: 0 },
    { range: { from: 5, to: 300_001 } },
    "only 300000 bytes",
  ],
  ["an object that ends before the range", { shift: 0 }, { range: { from: 300_000 } }, "shorter"],
  ["an object longer than accepted", { shift: 0 }, { maxBytes: 299_999 }, "longer"],
  [
    "an unknown encoding",
    { status: 200, headers: { "content-encoding": "br", "content-length": "0" } },
    {},
    "br",
  ],
  [
    "compressed garbage",
    { status: 200, headers: { "content-encoding": "gzip" }, body: "x" },
    {},
    "decompressed",
  ],
])("refuses %s", async (_, fault, options, words) => {
  server.fault = () => fault;
  const failure = await get(options).catch((error) => error);
  expect(failure).toBeInstanceOf(BrokenError);
  expect(failure.message).toContain(words);
  expect(server.requests).toHaveLength(1);
});

it("never accepts more bytes than were announced", async () => {
  server.fault = () => ({ announce: -10 });
  const answer = await get();
  expect(answer).toMatchObject({ bytes: digest(object.subarray(0, 299_990)), total: 299_990 });
});

it("decompresses texts, but no decompression bomb", async () => {
  const send = (text: string) => {
    const body = gzipSync(text).toString("latin1");
    return {
      status: 200,
      headers: { "content-encoding": "gzip" },
      body: Buffer.from(body, "latin1") as never,
    };
  };
  server.fault = () => send("WTPN31 PGTW");
  expect(await get()).toMatchObject({ bytes: digest(Buffer.from("WTPN31 PGTW")) });
  expect(server.requests[0]!.headers["accept-encoding"]).toBe("gzip");
  server.fault = () => send("0".repeat(2e6));
  await expect(get()).rejects.toThrow(BrokenError);
  server.fault = () => undefined;
  await get({ into: () => {} });
  expect(server.requests.at(-1)!.headers["accept-encoding"]).toBe("identity");
});

it.each([
  ["429", { status: 429, headers: { "retry-after": "20" } }],
  ["SlowDown of S3", { status: 503, headers: { "retry-after": new Date(1_785_000_020_000).toUTCString() } }],
])("waits as long as %s asks for", async (_, fault) => {
  faults(fault);
  expect(await get()).toMatchObject({ bytes: whole });
  expect(waits).toEqual([20]);
});

it("sends no request of any kind to a host that asks for a long pause", async () => {
  faults({ status: 429, headers: { "retry-after": "900" } });
  const of = fetcher();
  const failure = await get({}, of).catch((error) => error);
  expect(failure).toBeInstanceOf(ThrottledError);
  expect(failure.retryAt).toBe(1_785_000_900);
  await expect(get({}, of)).rejects.toThrow("until 2026-07-25T17:35:00Z");
  expect(server.requests).toHaveLength(1);
  test.clock.seconds += 900;
  expect(await get({}, of)).toMatchObject({ bytes: whole });
});

it("follows no redirect, and treats one as throttling where the host's rules say so", async () => {
  server.fault = () => ({ status: 302, headers: { location: "https://elsewhere.example/bot" } });
  await expect(get()).rejects.toThrow(RedirectedError);
  expect(server.requests).toHaveLength(1);
  await expect(get({}, fetcher({ hosts: { "data.example": { throttledBy: [302] } } }))).rejects.toThrow(
    ThrottledError,
  );
});

it("ends a request that gets no answer, or whose body stops", async () => {
  const brief = fetcher({ limits: { idleMs: 60 }, attempts: 1 });
  server.fault = () => ({ silent: "answer" });
  await expect(get({}, brief)).rejects.toThrow("data.example sent nothing for 0.06 s");
  // The test ends the silence of a body itself: on a busy machine a short limit passes before the body begins.
  const limits = vi.spyOn(http.ClientRequest.prototype, "setTimeout");
  onTestFinished(() => limits.mockRestore());
  server.fault = () => ({ pauseAfter: 1000 });
  const into = () => limits.mock.lastCall![1]!();
  await expect(get({ into }, fetcher({ attempts: 1 }))).rejects.toThrow(
    "it ended after 1000 of 300000 bytes; data.example sent nothing for 30 s",
  );
  server.fault = () => ({ silent: "body" });
  const limited = fetcher({ limits: { wholeMs: 60 }, attempts: 1 });
  await expect(get({}, limited)).rejects.toThrow("took more than 0.06 s");
});

it("stops at once when it is cancelled, while a host is silent and while it waits", async () => {
  server.fault = () => ({ silent: "body" });
  const cancelled = new AbortController();
  const pending = get({ signal: cancelled.signal });
  pending.catch(() => {});
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  cancelled.abort(new Error("the service ends"));
  await expect(pending).rejects.toThrow("the service ends");
  await expect(get({ signal: cancelled.signal })).rejects.toThrow("the service ends");
  expect(waits).toEqual([]);
});
