import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { setImmediate as nextTick } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { madePages, type Reader } from "./made-pages.ts";
import { type Handle, render } from "./next-pages.ts";

const paths = new Set(["/", "/docs", "/docs/get-storms", "/tasks"]);

/** Requests that reached the renderer. */
let made: { url: string; headers: object }[] = [];
let close = () => {};
afterEach(() => {
  made = [];
  close();
});
const urls = () => made.map(({ url }) => url);

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

async function open(answer: Handle = handle) {
  const clock = { now: 0 };
  const make = (url: string, { language, theme }: Reader) =>
    render(answer, url, { cookie: `${language} ${theme ?? ""}` });
  const visitorOf = ({ headers }: IncomingMessage) => headers["x-visitor"]?.toString() ?? "one";
  const serve = madePages({ paths, make, visitorOf, elapsed: () => clock.now });
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.writeHead(500).end());
  });
  close = () => void server.close();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  const statuses = async (...asked: string[]) => {
    const found = [];
    for (const path of asked) found.push((await get(path)).status);
    return [...new Set(found)];
  };
  return { get, statuses, clock };
}

/** A renderer that waits until it is opened. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const count = { running: 0, most: 0 };
  const answer: Handle = async (incoming, response) => {
    count.most = Math.max(count.most, ++count.running);
    await gate.promise;
    await handle(incoming, response);
    count.running--;
  };
  return { answer, count, open: gate.resolve };
}

it("a page is made once, however often and with whatever query it is asked for", async () => {
  const { get, clock } = await open();
  const textOf = async (path: string) => (await get(path)).text();
  const [first, ...others] = await Promise.all(["/docs", "/docs", "/docs"].map(textOf));
  clock.now += 3_600_000;
  for (const text of [...others, await textOf("/docs?a=1"), await textOf("/docs/")]) expect(text).toBe(first);
  expect(made).toHaveLength(1);
});

it.each([
  [
    "a page that shows its query is made for each, and again after a minute",
    "/?l=wave",
    ["/?l=wave", "/?l=wind"],
    60_000,
  ],
  [
    "the page of an operation, whatever its query, is made again after an hour, for its examples",
    "/docs/get-storms",
    ["/docs/get-storms?a=1", "/docs/get-storms?l=wave"],
    3_600_000,
  ],
])("%s", async (_, path, others, ms) => {
  const { statuses, clock } = await open();
  expect(await statuses(path, ...others, path)).toEqual([200]);
  const before = urls().length;
  expect(before).toBe(path.includes("?") ? 2 : 1);
  clock.now += ms - 1;
  await statuses(path);
  expect(made).toHaveLength(before);
  clock.now += 1;
  await statuses(path);
  expect(made).toHaveLength(before + 1);
});

it.each([
  [["/?x=1", "/?x=2&x=3", "/?utm_source=a", "/?"], 200, "/"],
  [["/?l=wave&z=3", "/?z=3&x=1&l=wave", "/?z=3&z=4&l=wave"], 200, "/?z=3&l=wave"],
  [["/a", "/b/c", "//docs", "/docs/x", "/docs/get-nothing", "/docs/get-storms/x"], 404, "/no-such-page"],
])("%j are one page", async (asked, status, url) => {
  const { statuses } = await open();
  expect([await statuses(...asked), urls()]).toEqual([[status], [url]]);
});

it("one visitor cannot have so many pages made that another one waits in vain", async () => {
  const gate = gated();
  const { get } = await open(gate.answer);
  let refused = 0;
  const greedy = Array.from({ length: 100 }, async (_, index) => {
    if ((await get(`/?z=${index}`, { "x-visitor": "greedy" })).status === 503) refused++;
    if (refused === 92) gate.open();
  });
  expect((await get("/?l=wave", { "x-visitor": "other" })).status).toBe(200);
  await Promise.all(greedy);
  expect(refused).toBe(92);
});

it("pages are made one after another, a few wait, a known one is sent as it was, and others are to come again", async () => {
  const gate = gated();
  let answer = handle;
  const { get, clock } = await open((...given) => answer(...given));
  const before = await (await get("/?l=wave")).text();
  clock.now += 3_600_000;
  answer = gate.answer;
  const refused: Response[] = [];
  const full = Promise.withResolvers<void>();
  const others = Array.from({ length: 68 }, async (_, index) => {
    const reply = await get(`/?z=${index}`, { "x-visitor": `visitor ${index % 10}` });
    if (reply.status === 503) refused.push(reply);
    // As many as do not fit.
    if (refused.length === 4) full.resolve();
    return reply.status;
  });
  await full.promise;
  const known = await get("/?l=wave", { "x-visitor": "another" });
  expect([known.status, await known.text()]).toEqual([200, before]);
  gate.open();
  expect((await Promise.all(others)).filter((status) => status === 200)).toHaveLength(64);
  expect([refused[0]!.headers.get("retry-after"), gate.count.most]).toEqual(["5", 1]);
});

it("the memory of pages is bounded by their real sizes, with their compressed forms", async () => {
  const { get } = await open(async (incoming, response) => {
    made.push({ url: incoming.url!, headers: {} });
    // Random text compresses to three quarters: 2.5 MiB with both forms.
    response.setHeader("content-type", "text/html").end(randomBytes(768 * 1024).toString("base64"));
  });
  for (const z of [0, 1, 2, 3, 0, 3]) await (await get(`/?z=${z}`)).arrayBuffer();
  // Four of them are more than 8 MiB: the first had gone.
  expect(urls()).toEqual(["/?z=0", "/?z=1", "/?z=2", "/?z=3", "/?z=0"]);
});

it("nothing that a client sends reaches the renderer but path, query, theme and language", async () => {
  const { get } = await open();
  const hostile = {
    rsc: "1",
    "next-router-state-tree": "x",
    "next-action": "x",
    "x-middleware-subrequest": "x",
    cookie: "a=b; theme=night; c=d",
  };
  for (const headers of [hostile, { cookie: "theme=another" }]) await get("/docs", headers);
  const sent = (cookie: string) => ({ host: "localhost", accept: "text/html", cookie });
  expect(made.map(({ headers }) => headers)).toEqual([sent("en night"), sent("en ")]);
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
  for (const headers of asked)
    expect((await get("/docs", headers)).headers.get("vary")).toContain("accept-language");
  const cookies = made.map(({ headers }) => (headers as { cookie: string }).cookie);
  expect(cookies).toEqual(["de ", "en ", "ja "]);
});

it("a page is sent compressed, without a body to HEAD, and not at all to a client that has it", async () => {
  const { get } = await open();
  const plain = await get("/docs", { "accept-encoding": "identity" });
  const text = await plain.text();
  for (const encoding of ["br", "gzip"]) {
    const short = await get("/docs", { "accept-encoding": encoding });
    expect(short.headers.get("content-encoding")).toBe(encoding);
    expect(Number(short.headers.get("content-length"))).toBeLessThan(text.length / 10);
    expect(await short.text()).toBe(text);
  }
  const head = await get("/docs", { "accept-encoding": "identity" }, "HEAD");
  expect([head.headers.get("content-length"), await head.text()]).toEqual([String(text.length), ""]);
  const again = await get("/docs", { "if-none-match": plain.headers.get("etag")! });
  expect([again.status, await again.text(), made.length]).toEqual([304, "", 1]);
  expect(plain.headers.get("content-security-policy")).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
});

it("browsers keep the icon for a day, and ask for a page each time", async () => {
  const { get } = await open(async (incoming, response) => {
    response
      .setHeader("content-type", incoming.url === "/docs" ? "text/html" : "image/svg+xml")
      .end("<svg/>");
  });
  const kept = ["/tasks", "/docs"].map(async (path) => (await get(path)).headers.get("cache-control"));
  expect(await Promise.all(kept)).toEqual(["private, max-age=86400", "private, no-cache"]);
});

it("a page that could not be made is made again at the next request", async () => {
  let fails = true;
  const { statuses } = await open(async (incoming, response) => {
    if (fails) response.writeHead(500).end();
    else await handle(incoming, response);
  });
  expect(await statuses("/docs")).toEqual([500]);
  fails = false;
  expect(await statuses("/docs")).toEqual([200]);
});
