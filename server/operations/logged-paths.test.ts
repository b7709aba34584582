import { afterAll, beforeAll, expect, it } from "vitest";
import { Connections } from "#server/http/connections.ts";
import { httpServer } from "#server/http/http-server.ts";
import { BodyMemory } from "#server/http/request-body.ts";
import { listen } from "#server/platform/listen.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { apiRouter, operations } from "./operations.ts";

/** A path or a query may contain a secret that grants access: the address of a calendar, a link of a mail, a grant. */
const SECRET = "c2VjcmV0LWNhcGFiaWxpdHk";

/** Everything that is logged or measured of requests besides their replies. */
const said: string[] = [];
const log = (fields: object, message: string) =>
  said.push(
    JSON.stringify([fields, message], (_, value) => (value instanceof Error ? String(value.stack) : value)),
  );

const request = testRequestContext();
/** Every part of the context that operations use fails, as without a database. */
const broken = (): unknown =>
  new Proxy(() => undefined, {
    get: (_, name) => (name === "then" ? undefined : broken()),
    apply: () => {
      throw new Error("broken");
    },
  });
const context = new Proxy(
  testContext({
    ...request,
    log: { info: log, warn: log, error: log },
    limiter: { take: () => ({ allowed: true, remaining: 9, resetSeconds: 1, resetAt: 1 }) },
    guests: undefined,
    answers: undefined,
    draining: new AbortController().signal,
  }),
  { get: (target, name) => (name in target ? Reflect.get(target, name) : broken()) },
);

const server = httpServer({
  router: apiRouter(context),
  log: { info: log, warn: log, error: log },
  accessLog: { info: log },
  observe: (served) => said.push(JSON.stringify(served)),
  trustedProxies: 0,
  bodies: new BodyMemory(),
  connections: new Connections({ all: 100, ofAddress: 100 }),
  page: async (_incoming, response) => void response.writeHead(404).end(),
});
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
});
afterAll(() => server.close());

const withParameters = operations.map(({ method, path }) => [method, path] as const);

it.each(withParameters)(
  "%s %s: neither log nor metrics have what its path and its query hold",
  async (method, path) => {
    const filled = path.replaceAll(/\{\w+\}/g, SECRET);
    const misspelled = `/${filled[1]!.toUpperCase()}${filled.slice(2)}`;
    for (const target of [filled, `${filled}.ics`, `${filled}/${SECRET}`, misspelled]) {
      said.length = 0;
      const query = new URLSearchParams({ token: SECRET, channel: SECRET, f: "json" });
      await fetch(`${origin}${target}?${query}`, {
        method,
        headers: { "x-api-key": "good-key", "content-type": "application/json" },
        ...(/^P/.test(method) && { body: JSON.stringify({ token: SECRET, channel: SECRET }) }),
      }).then((reply) => reply.text());
      await expect.poll(() => said.length).toBeGreaterThan(0);
      expect(
        said.filter((line) => line.includes(SECRET)),
        target,
      ).toEqual([]);
    }
  },
);
