import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, request } from "node:http";
import { setImmediate as nextTick } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { type MadePagesDeps, madePages, type Reader } from "./made-pages.ts";
import { type Handle, render } from "./next-pages.ts";

const paths = new Set(["/", "/docs", "/docs/get-storms", "/tasks"]);

/** Requests that reached the renderer. */
let made: { url: string; headers: object }[] = [];
let close = () => {};
afterEach(() => {
  made = [];
  close();
});

/** Writes a page in several pieces, as Next does. */
const handle: Handle = async (incoming, response) => {
  const { url = "", headers } = incoming;
  made.push({ url, headers });
  response.statusCode = url.startsWith("/no-such-page") ? 404 : 200;
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.flushHeaders();
  response.write("<html>");
  await nextTick();
  response.write(Buffer.from(`<script>go()</script>${"waves ".repeat(1000)}${made.length}`));
  response.end("</html>");
};

async function open(answer: Handle = handle, compress?: MadePagesDeps["compress"]) {
  const clock = { now: 0 };
  const make = (url: string, { language, theme }: Reader) =>
    render(answer, url, { cookie: `${language} ${theme ?? ""}` });
  const visitorOf = ({ headers }: IncomingMessage) => headers["x-visitor"]?.toString() ?? "one";
  const serve = madePages({ paths, make, visitorOf, elapsed: () => clock.now, compress });
  const failures: unknown[] = [];
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error) => {
      failures.push(error);
      response.writeHead(500).end();
    });
  });
  close = () => void server.close();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  return { get, clock, failures };
}

it("a page is made once, however often and with whatever query it is asked for", async () => {
  const { get, clock } = await open();
  const [first, ...others] = await Promise.all([1, 2, 3].map(async () => (await get("/docs")).text()));
  for (const text of others) expect(text).toBe(first);
  clock.now += 3_600_000;
  expect(await (await get("/docs?a=1")).text()).toBe(first);
  expect(await (await get("/docs/")).text()).toBe(first);
  expect(made).toHaveLength(1);
});

it("the page of an operation is made again after an hour, for its examples; other operations are one unknown page", async () => {
  const { get, clock } = await open();
  for (const query of ["", "?a=1", "?l=wave"])
    expect((await get(`/docs/get-storms${query}`)).status).toBe(200);
  clock.now += 3_599_999;
  await get("/docs/get-storms");
  expect(made.map(({ url }) => url)).toEqual(["/docs/get-storms"]);
  clock.now += 1;
  await get("/docs/get-storms");
  expect(made).toHaveLength(2);
  for (const path of ["/docs/get-nothing", "/docs/get-storms/x"]) expect((await get(path)).status).toBe(404);
  expect(made.slice(2).map(({ url }) => url)).toEqual(["/no-such-page"]);
});

it("a page that shows its query is made once for each, and again after a minute", async () => {
  const { get, clock } = await open();
  for (const path of ["/?l=wave", "/?l=wave", "/?l=wind"]) expect((await get(path)).status).toBe(200);
  expect(made.map(({ url }) => url)).toEqual(["/?l=wave", "/?l=wind"]);
  clock.now += 60_000;
  await get("/?l=wave");
  expect(made).toHaveLength(3);
});

it("queries that a page does not read, or in another order, are no pages of their own", async () => {
  const { get } = await open();
  for (const query of ["x=1", "x=2&x=3", "utm_source=a", ""])
    expect((await get(`/?${query}`)).status).toBe(200);
  expect(made.map(({ url }) => url)).toEqual(["/"]);
  for (const query of ["l=wave&z=3", "z=3&x=1&l=wave", "z=3&z=4&l=wave"]) await get(`/?${query}`);
  expect(made.map(({ url }) => url)).toEqual(["/", "/?z=3&l=wave"]);
});

it("one visitor cannot have so many pages made that another one waits in vain", async () => {
  const gate = Promise.withResolvers<void>();
  const { get } = await open(async (incoming, response) => {
    await gate.promise;
    await handle(incoming, response);
  });
  let refused = 0;
  const greedy = Array.from({ length: 100 }, async (_, index) => {
    const { status } = await get(`/?z=${index}`, { "x-visitor": "greedy" });
    if (status === 503) refused++;
    if (refused === 92) gate.resolve();
  });
  const other = await get("/?l=wave", { "x-visitor": "other" });
  expect(other.status).toBe(200);
  await Promise.all(greedy);
  expect(refused).toBe(92);
});

it("where too many pages wait, a known page is sent as it was", async () => {
  let gate = Promise.resolve();
  const { get, clock } = await open(async (incoming, response) => {
    await gate;
    await handle(incoming, response);
  });
  const before = await (await get("/?l=wave")).text();
  clock.now += 3_600_000;
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  const others: Promise<Response>[] = [];
  for (let index = 0; index < 72; index++) {
    others.push(get(`/?z=${index}`, { "x-visitor": `visitor ${index % 9}` }));
  }
  // Eight of these are too many for a visitor or for all.
  await Promise.any(others);
  const reply = await get("/?l=wave", { "x-visitor": "another" });
  expect([reply.status, await reply.text()]).toEqual([200, before]);
  opened.resolve();
  await Promise.all(others);
});

it("the memory of pages is bounded by their real sizes, with their compressed forms", async () => {
  const { get } = await open(async (_incoming, response) => {
    made.push({ url: "", headers: {} });
    response.setHeader("content-type", "text/html");
    // Random text compresses to three quarters.
    response.end(randomBytes(768 * 1024).toString("base64"));
  });
  const br = { "accept-encoding": "br" };
  for (let z = 0; z < 5; z++) await (await get(`/?z=${z}`, br)).arrayBuffer();
  expect(made).toHaveLength(5);
  // Five pages of 1.75 MiB are more than 8 MiB: the first has gone.
  await (await get("/?z=0", br)).arrayBuffer();
  expect(made).toHaveLength(6);
  await (await get("/?z=4", br)).arrayBuffer();
  expect(made).toHaveLength(6);
});

it("nothing that a client sends reaches the renderer but path, query and theme", async () => {
  const { get } = await open();
  const hostile = {
    rsc: "1",
    "next-router-state-tree": "x",
    "next-router-prefetch": "1",
    "next-action": "x",
    "x-middleware-subrequest": "x",
    cookie: "a=b; theme=night; c=d",
  };
  const reply = await get("/docs", hostile);
  expect(reply.status).toBe(200);
  expect(await reply.text()).toContain("waves");
  expect((await get("/docs", { cookie: "theme=another" })).status).toBe(200);
  expect(made.map(({ headers }) => headers)).toEqual([
    { host: "localhost", accept: "text/html", cookie: "en night" },
    { host: "localhost", accept: "text/html", cookie: "en " },
  ]);
});

it("a page is made once for each language: the chosen one, else the one that the browser prefers", async () => {
  const { get } = await open();
  const asked: Record<string, string>[] = [
    { "accept-language": "de-CH,en;q=0.5" },
    { "accept-language": "de" },
    { "accept-language": "en", cookie: "language=de" },
    { "accept-language": "sv" },
    { cookie: "language=xx" },
    { cookie: "language=ja" },
  ];
  for (const headers of asked) {
    const reply = await get("/docs", headers);
    expect(reply.headers.get("vary")).toContain("accept-language");
  }
  expect(made.map(({ headers }) => headers)).toMatchObject([
    { cookie: "de " },
    { cookie: "en " },
    { cookie: "ja " },
  ]);
});

it("all unknown paths are one page", async () => {
  const { get } = await open();
  for (const path of ["/a", "/b/c", "//docs", "/docs/x"]) expect((await get(path)).status).toBe(404);
  expect(made.map(({ url }) => url)).toEqual(["/no-such-page"]);
});

it("a page is sent compressed, without a body to HEAD, and not at all to a client that has it", async () => {
  const { get } = await open();
  const plain = await get("/docs", { "accept-encoding": "identity" });
  const text = await plain.text();
  const short = await get("/docs", { "accept-encoding": "br, gzip" });
  expect(short.headers.get("content-encoding")).toBe("br");
  expect(Number(short.headers.get("content-length"))).toBeLessThan(text.length / 10);
  expect(await short.text()).toBe(text);
  const head = await get("/docs", { "accept-encoding": "identity" }, "HEAD");
  expect([head.headers.get("content-length"), await head.text()]).toEqual([String(text.length), ""]);
  const again = await get("/docs", { "if-none-match": plain.headers.get("etag")! });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect(made).toHaveLength(1);
});

it("browsers keep the icon for a day, and ask for a page each time", async () => {
  const { get } = await open(async (incoming, response) => {
    const type = incoming.url === "/docs" ? "text/html" : "image/svg+xml";
    response.setHeader("content-type", type).end("<svg/>");
  });
  const headers = async (path: string) => (await get(path)).headers.get("cache-control");
  expect(await headers("/tasks")).toBe("private, max-age=86400");
  expect(await headers("/docs")).toBe("private, no-cache");
});

it("the policy of a page allows the scripts in it and no other", async () => {
  const { get } = await open();
  const policy = (await get("/docs")).headers.get("content-security-policy")!;
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
});

it("pages are made one after another, a few wait, and others are asked to come again", async () => {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const { get } = await open(async (incoming, response) => {
    most = Math.max(most, ++running);
    await gate.promise;
    await handle(incoming, response);
    running--;
  });
  const refused: Response[] = [];
  const statuses = Array.from({ length: 68 }, async (_, index) => {
    const reply = await get(`/?z=${index}`, { "x-visitor": `visitor ${index % 10}` });
    if (reply.status === 503) refused.push(reply);
    // As many as do not fit: those that do are answered now.
    if (refused.length === 4) gate.resolve();
    return reply.status;
  });
  expect((await Promise.all(statuses)).filter((status) => status === 200)).toHaveLength(64);
  expect(refused[0]!.headers.get("retry-after")).toBe("5");
  expect(most).toBe(1);
});

it("a page that could not be made is made again at the next request", async () => {
  let fails = true;
  const { get, failures } = await open(async (incoming, response) => {
    if (fails) response.writeHead(500).end();
    else await handle(incoming, response);
  });
  expect((await get("/docs")).status).toBe(500);
  expect(failures).toHaveLength(1);
  fails = false;
  expect((await get("/docs")).status).toBe(200);
});

it("a page that could not be compressed is compressed at the next request", async () => {
  let fails = true;
  const compress = async (bytes: Buffer) => {
    if (fails) throw new Error("no memory");
    return bytes.subarray(0, 10);
  };
  const { get, failures } = await open(handle, { br: compress, gzip: compress });
  const ask = async () => (await get("/docs", { "accept-encoding": "br" })).status;
  expect([await ask(), failures.length]).toEqual([500, 1]);
  fails = false;
  const { port } = new URL((await get("/docs", { "accept-encoding": "identity" })).url);
  const raw = await new Promise<IncomingMessage>((resolve) =>
    request({ port, path: "/docs", headers: { "accept-encoding": "br" } }, resolve).end(),
  );
  raw.resume();
  expect([raw.statusCode, raw.headers["content-length"]]).toEqual([200, "10"]);
  expect(made).toHaveLength(1);
});
