import { afterAll, beforeAll, expect, it } from "vitest";
import { openEndpoint, openTestServer, type TestServer } from "#test/http.ts";
import { jsonReply } from "./reply.ts";

let server: TestServer;

beforeAll(async () => {
  const echo = openEndpoint(({ method, path, params, query }) =>
    jsonReply(200, { method, path, params, query: query.toString() }),
  );
  server = await openTestServer({
    "/MetOcean": { POST: echo },
    "/task/:task_id": { GET: echo, DELETE: echo },
    "/limits": { GET: echo },
  });
});
afterAll(() => server.close());

const ask = (path: string, method = "GET", headers: Record<string, string> = {}) =>
  fetch(server.url + path, { method, headers, redirect: "manual" });

it.each([
  "/task",
  "/metocean",
  "/MetOcean/other",
  "/limits/x",
  "/Task/1",
  "/task/a/b",
  "/MetOcean/__proto__",
])("an unknown path of the API, %s, is a 404 in JSON", async (path) => {
  const reply = await ask(path);
  expect(reply.status).toBe(404);
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(await reply.json()).toEqual({ detail: "Not Found" });
});

it("a wrong method is a 405 in JSON with Allow", async () => {
  const reply = await ask("/MetOcean");
  expect(reply.status).toBe(405);
  expect(reply.headers.get("allow")).toBe("POST, OPTIONS");
  expect(await reply.json()).toEqual({ detail: "Method Not Allowed" });
  expect((await ask("/task/1", "PUT")).headers.get("allow")).toBe("GET, DELETE, HEAD, OPTIONS");
});

it("a trailing slash is answered, not redirected", async () => {
  const reply = await ask("/limits/?a=1");
  expect(reply.status).toBe(200);
  expect(await reply.json()).toMatchObject({ path: "/limits", query: "a=1" });
  expect((await ask("/MetOcean//", "POST")).status).toBe(200);
});

it("HEAD answers as GET does, without the body", async () => {
  const [get, head] = [await ask("/limits"), await ask("/limits", "HEAD")];
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
  expect(await head.text()).toBe("");
  expect((await ask("/MetOcean", "HEAD")).status).toBe(405);
  expect((await ask("/MetOcean/none", "HEAD")).status).toBe(404);
});

it("gives an operation its path parameters, decoded", async () => {
  expect(await (await ask("/task/a%20b?x=%C5%BB")).json()).toMatchObject({
    params: { task_id: "a b" },
    query: "x=%C5%BB",
  });
  expect(await (await ask("/task/a%2Fb")).json()).toMatchObject({ params: { task_id: "a/b" } });
  expect(await (await ask("/task/%E0%A4%A")).json()).toMatchObject({ params: { task_id: "%E0%A4%A" } });
});

it("any origin may read replies and their rate limit headers, errors too, without cookies", async () => {
  for (const reply of [await ask("/limits"), await ask("/task"), await ask("/MetOcean")]) {
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
    const exposed = reply.headers.get("access-control-expose-headers");
    for (const name of [
      "RateLimit",
      "RateLimit-Policy",
      "X-RateLimit-Remaining",
      "Retry-After",
      "Location",
      "ETag",
    ]) {
      expect(exposed).toContain(name);
    }
  }
});

it("a preflight needs no key", async () => {
  const reply = await ask("/MetOcean", "OPTIONS", {
    origin: "https://elsewhere.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-api-key,content-type",
  });
  expect(reply.status).toBe(204);
  expect(reply.headers.get("access-control-allow-methods")).toContain("POST");
  expect(reply.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-api-key");
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  expect((await ask("/limits", "OPTIONS")).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

it("carries a request id, the caller's own where it is safe to log, and nosniff", async () => {
  const reply = await ask("/limits", "GET", { "x-request-id": "trace-12345678" });
  expect(reply.headers.get("x-request-id")).toBe("trace-12345678");
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  const made = (await ask("/limits", "GET", { "x-request-id": 'x" onload=' })).headers.get("x-request-id");
  expect(made).toMatch(/^[0-9a-f-]{36}$/);
});

it("accepts a request target with a host", async () => {
  const reply = await server.raw(
    `GET http://proxy.example/limits?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(reply).toMatch(/^HTTP\/1.1 200 /);
  expect(reply).toContain('"path":"/limits"');
});
