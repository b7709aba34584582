import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openEndpoint, openTestServer, type TestServer } from "#test/http.ts";

let server: TestServer;
let produced = 0;
const stalled = new AbortController();
const text = JSON.stringify({ numbers: Array.from({ length: 20_000 }, (_, index) => index) });
const headers = { "content-type": "application/json", etag: '"v1"' };

beforeAll(async () => {
  server = await openTestServer({
    "/large": { GET: openEndpoint(() => ({ status: 200, headers, body: text })) },
    "/small": { GET: openEndpoint(() => ({ status: 200, headers, body: "{}" })) },
    "/middle": { GET: openEndpoint(() => ({ status: 200, headers, body: text.slice(0, 5000) })) },
    "/packed": {
      GET: openEndpoint(() => ({
        status: 200,
        headers: { ...headers, "content-encoding": "gzip" },
        body: Buffer.from("packed".repeat(500)),
      })),
    },
    "/binary": {
      GET: openEndpoint(() => ({
        status: 200,
        headers: { "content-type": "application/octet-stream" },
        body: Buffer.alloc(5000),
      })),
    },
    "/stream": { GET: openEndpoint(() => ({ status: 200, headers, body: streamOf(50) })) },
    "/endless": {
      GET: openEndpoint(() => ({
        status: 200,
        headers: { "content-type": "application/octet-stream" },
        body: streamOf(1e9, 65_536),
      })),
    },
    "/stalled": {
      GET: openEndpoint(() => ({
        status: 200,
        headers: { "content-type": "text/event-stream" },
        body: Object.assign(streamOf(1e9, 65_536), { signal: stalled.signal }),
      })),
    },
    "/broken": { GET: openEndpoint(() => ({ status: 200, headers, body: broken() })) },
    "/unchanged": { GET: openEndpoint(() => ({ status: 304, headers: { etag: '"v1"' }, body: null })) },
  });
});
afterAll(() => server.close());

async function* streamOf(count: number, size = 1000): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    produced++;
    yield Buffer.alloc(size, "x");
  }
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("[1,");
  throw new Error("the disk is gone");
}

/** The reply as it came over the wire, not decompressed. */
function fetchRaw(path: string, accept?: string, method = "GET") {
  return new Promise<{ headers: Record<string, string | string[] | undefined>; body: Buffer }>(
    (resolve, reject) => {
      const options = { method, headers: accept ? { "accept-encoding": accept } : {} };
      get(server.url + path, options, (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk) => chunks.push(chunk));
        reply.on("end", () => resolve({ headers: reply.headers, body: Buffer.concat(chunks) }));
        reply.on("error", reject);
      }).on("error", reject);
    },
  );
}

it.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0.1, gzip", "gzip"],
  ["*", "br"],
  ["gzip;q=0", undefined],
  ["identity", undefined],
  [undefined, undefined],
])("compresses for Accept-Encoding %s by %s, with a Vary header", async (accept, encoding) => {
  for (const path of ["/large", "/middle"]) {
    const { headers: got, body } = await fetchRaw(path, accept);
    expect(got["content-encoding"]).toBe(encoding);
    expect(got.vary).toContain("Accept-Encoding");
    expect(Number(got["content-length"])).toBe(body.length);
    expect(got.etag).toBe(encoding ? 'W/"v1"' : '"v1"');
    const plain = encoding === "br" ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
    expect(plain.toString()).toBe(path === "/large" ? text : text.slice(0, 5000));
  }
});

it("does not compress small, compressed or binary bodies", async () => {
  expect((await fetchRaw("/small", "br")).headers["content-encoding"]).toBeUndefined();
  expect((await fetchRaw("/binary", "br")).headers["content-encoding"]).toBeUndefined();
  const packed = await fetchRaw("/packed", "br, gzip");
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(packed.body.toString()).toBe("packed".repeat(500));
});

it("streams, compressed where the client accepts it", async () => {
  expect((await fetchRaw("/stream")).body.length).toBe(50_000);
  const { headers: got, body } = await fetchRaw("/stream", "gzip");
  expect(got["content-encoding"]).toBe("gzip");
  expect(gunzipSync(body).length).toBe(50_000);
});

it("produces no more of a stream than the client reads, and stops when it disconnects", async () => {
  produced = 0;
  await new Promise<void>((resolve) => {
    const request = get(`${server.url}/endless`, (reply) => {
      reply.once("readable", () => {
        request.destroy();
        resolve();
      });
    });
    request.on("error", () => resolve());
  });
  await expect.poll(() => server.context.logged.at(-1)?.fields).toMatchObject({ route: "/endless" });
  const atEnd = produced;
  await new Promise((resolve) => setImmediate(resolve));
  expect(produced).toBe(atEnd);
  expect(produced).toBeLessThan(1000);
  expect(server.context.logged.filter(({ level }) => level === "error")).toEqual([]);
});

it("cuts the connection when a stream fails, so that half an answer is not mistaken for a complete one", async () => {
  await expect(fetchRaw("/broken")).rejects.toThrow();
  await expect.poll(() => server.context.logged.filter(({ level }) => level === "error").length).toBe(1);
});

it("a reader that takes nothing is disconnected when the body says so", async () => {
  produced = 0;
  const response = await new Promise<IncomingMessage>((resolve) => get(`${server.url}/stalled`, resolve));
  const cut = once(response, "error");
  await vi.waitFor(() => expect(produced).toBeGreaterThan(1));
  stalled.abort();
  // The client reads only now what was sent before.
  response.resume();
  expect((await cut)[0].code).toBe("ECONNRESET");
});
