import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import type { TimeLimits } from "#server/platform/fetching/request.ts";
import { randomBytes } from "#test/blob-stores.ts";
import { httpSource } from "./http-source.ts";

const { signal } = new AbortController();
const object = randomBytes(100_000);

type Reply = (response: http.ServerResponse, request: http.IncomingMessage) => void;

/** Answers as a web server with files would. */
const asFile: Reply = (response, { headers, url }) => {
  if (url !== "/archive/runs/a") return void response.writeHead(404).end("no");
  if (headers["if-none-match"] === '"one"') return void response.writeHead(304).end();
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (first === undefined) {
    const whole = { "content-length": object.length, etag: '"one"' };
    return void response.writeHead(200, whole).end(object);
  }
  const from = first === "" ? object.length - Number(last) : Number(first);
  if (from >= object.length) return void response.writeHead(416).end();
  const part = object.subarray(from, first === "" ? undefined : Number(last) + 1);
  const range = `bytes ${from}-${from + part.length - 1}/${object.length}`;
  response.writeHead(206, { "content-range": range, "content-length": part.length }).end(part);
};

/** Short limits for tests of hosts that stop responding. */
const HASTY: TimeLimits = { connectMs: 1000, idleMs: 400, wholeMs: 5000 };
/**
 * Long limits for tests that count requests, so that a busy machine does not look like a host that stopped responding.
 */
const PATIENT: TimeLimits = { connectMs: 10_000, idleMs: 10_000, wholeMs: 20_000 };

const opened = (...replies: Reply[]) => openedWith(HASTY, ...replies);

/** Opens a source at a server that sends these replies first and correct ones afterwards. */
async function openedWith(limits: TimeLimits, ...replies: Reply[]) {
  const asked: string[] = [];
  const slept: number[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.headers.range ?? "whole");
    (replies.shift() ?? asFile)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const source = httpSource(`http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`, {
    limits,
    sleep: async (seconds) => void slept.push(seconds),
    random: () => 0.5,
  });
  onTestFinished(() => {
    source.close();
    server.closeAllConnections();
    server.close();
  });
  return { source, asked, slept };
}

it("reads objects whole, in part, from the end, behind the end, and only where they changed", async () => {
  const { source } = await opened();
  const same = (found: Uint8Array | undefined, expected: Uint8Array) =>
    expect(Buffer.compare(found!, expected)).toBe(0);
  same(await source.get("runs/a", signal), object);
  same(await source.getRange("runs/a", 10, 20, signal), object.subarray(10, 30));
  same(await source.getRange("runs/a", -20, 20, signal), object.subarray(-20));
  same(await source.getRange("runs/a", 99_990, 20, signal), object.subarray(-10));
  expect(await source.getRange("runs/a", 200_000, 20, signal)).toHaveLength(0);
  expect(await source.get("runs/b", signal)).toBeUndefined();
  expect(await source.getRange("runs/b", 0, 1, signal)).toBeUndefined();
  const found = await source.getChanged("runs/a", undefined, signal);
  expect(found).toMatchObject({ version: '"one"' });
  expect(await source.getChanged("runs/a", '"one"', signal)).toBe("unchanged");
  expect(await source.getChanged("runs/a", '"two"', signal)).toMatchObject({ version: '"one"' });
  expect(await source.getChanged("runs/b", undefined, signal)).toBeUndefined();
});

const failures: [string, Reply][] = [
  ["500", (response) => response.writeHead(500).end()],
  ["503 with a short Retry-After", (response) => response.writeHead(503, { "retry-after": "1" }).end()],
  ["a broken connection", (response) => response.destroy()],
  ["silence", () => {}],
  [
    "a body that ends early",
    (response) => {
      const headers = { "content-range": "bytes 10-29/100000", "content-length": 20 };
      response.writeHead(206, headers).write(object.subarray(10, 15));
      setImmediate(() => response.destroy());
    },
  ],
  [
    "another range",
    (response) => response.writeHead(206, { "content-range": "bytes 0-19/9" }).end(object.subarray(0, 20)),
  ],
];

it.each(failures)("asks again after %s", async (_, reply) => {
  const { source, asked, slept } = await opened(reply, reply);
  expect(Buffer.compare((await source.getRange("runs/a", 10, 20, signal))!, object.subarray(10, 30))).toBe(0);
  expect(asked).toHaveLength(3);
  expect(slept.map((seconds) => Math.max(1, Math.ceil(seconds)))).toEqual([1, 1]);
});

it("gives up after four attempts, with when to retry", async () => {
  const down: Reply = (response) => response.writeHead(503).end();
  const { source, slept } = await opened(down, down, down, down);
  const failure = await source.get("runs/a", signal).catch((error) => error);
  expect(failure).toBeInstanceOf(StoreUnavailableError);
  expect([failure.retryAfter, slept]).toEqual([5, [0.1, 0.2, 0.4]]);
});

it.each<[string, Reply]>([
  ["a refusal", (response) => response.writeHead(403).end()],
  ["a redirect", (response) => response.writeHead(302, { location: "/login" }).end()],
  ["a compressed object", (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x")],
  [
    "a body without end",
    (response) => {
      const piece = randomBytes(1 << 20);
      const more = () => void (response.destroyed || response.write(piece, more));
      response.writeHead(200);
      more();
    },
  ],
  ["a pause that is too long", (response) => response.writeHead(503, { "retry-after": "60" }).end()],
])("asks once after %s", async (_, reply) => {
  const { source, asked } = await openedWith(PATIENT, reply);
  await expect(source.getRange("runs/a", 10, 20, signal)).rejects.toThrow(StoreUnavailableError);
  expect(asked).toHaveLength(1);
});

it("takes a part of a small object that comes whole, also from a bucket that repeats how it was uploaded", async () => {
  const { source } = await opened((response) =>
    response.writeHead(200, { "content-encoding": "aws-chunked" }).end(object),
  );
  expect(Buffer.compare((await source.getRange("runs/a", 10, 20, signal))!, object.subarray(10, 30))).toBe(0);
});
