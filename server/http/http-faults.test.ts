import { afterEach, expect, it } from "vitest";
import { openEndpoint, openTestServer, type TestServer } from "#test/http.ts";

let server: TestServer;
afterEach(() => server.close());

async function open() {
  server = await openTestServer({
    "/open": { GET: openEndpoint(() => ({ status: 200, headers: {}, body: "open" })) },
    "/task/:task_id": { POST: openEndpoint(() => ({ status: 200, headers: {}, body: "task" })) },
  });
}

/** Status, headers with names in lower case, and JSON of the last reply in a text. */
function lastReply(text: string) {
  const reply = text.slice(text.lastIndexOf("HTTP/1.1 "));
  const [head = "", body = ""] = reply.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ")[0]!.toLowerCase(), line.slice(line.indexOf(": ") + 2)]),
  );
  return { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) as unknown };
}

const request = (first: string, ...lines: string[]) => `${[first, ...lines].join("\r\n")}\r\n\r\n`;
const close = "Connection: close";

it.each([
  ["an expectation", 417, request("GET /open HTTP/1.1", "Host: x", "Expect: x", close)],
  ["no Host", 400, request("GET /open HTTP/1.1", close)],
  ["two Hosts", 400, request("GET /open HTTP/1.1", "Host: x", "hOST: y", close)],
  ["two Hosts of a page", 400, request("GET / HTTP/1.1", "Host: x", "Host: x", close)],
  ...["gzip, chunked", "gzip;q=1, Chunked", "identity, chunked"].map((coding): [string, number, string] => [
    `a body with the codings ${coding}`,
    501,
    request("POST /task/1 HTTP/1.1", "Host: x", `Transfer-Encoding: ${coding}`).concat("1\r\nx\r\n0\r\n\r\n"),
  ]),
  ["a path with two slashes", 404, request("POST //task/1 HTTP/1.1", "Host: x", close)],
  ["a path with slashes only before it", 404, request("POST ///open HTTP/1.1", "Host: x", close)],
  ["a tunnel", 405, request("CONNECT example.org:443 HTTP/1.1", "Host: example.org:443")],
  ["text that is not HTTP", 400, "nonsense\r\n\r\n"],
  [
    "headers that are too large",
    431,
    request("GET /open HTTP/1.1", "Host: x", `X-Large: ${"x".repeat(20_000)}`),
  ],
])("answers %s with a detail in JSON and the headers of every reply", async (_what, status, text) => {
  await open();
  const reply = lastReply(await server.raw(text));
  expect(reply.status).toBe(status);
  expect(reply.body).toEqual({ detail: expect.any(String) });
  expect(reply.headers).toMatchObject({
    connection: "close",
    "content-type": "application/json",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
  });
});

it("answers HTTP/1.0 without a Host", async () => {
  await open();
  expect(await server.raw(request("GET /open HTTP/1.0"))).toMatch(/^HTTP\/1.1 200 /);
});

it("answers OPTIONS * with what the server as a whole allows", async () => {
  await open();
  const text = await server.raw(request("OPTIONS * HTTP/1.1", "Host: x", close));
  expect(text).toMatch(/^HTTP\/1.1 204 /);
  expect(text.toLowerCase()).toContain("allow: get, post, put, delete, head, options\r\n");
  expect(await server.raw(request("GET * HTTP/1.1", "Host: x", close))).toMatch(/^HTTP\/1.1 404 /);
});

it("reads a body in chunks, in whatever case its coding is written", async () => {
  await open();
  const head = request("POST /task/1 HTTP/1.1", "Host: x", "Transfer-Encoding: Chunked ", close);
  expect(await server.raw(`${head}1\r\nx\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
});
