import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { languages } from "#lib/messages/language.ts";
import { copyServedFiles } from "#scripts/served-files.mjs";
import { servedFiles } from "./static-files.ts";

const root = mkdtempSync(path.join(tmpdir(), "metocean-served-"));
const script = `export const sea = "${"waves ".repeat(1000)}";\n`;
const large = `"${"sea ".repeat(300_000)}";`;
const files = {
  ".next/static/chunks/a1.js": script,
  ".next/static/chunks/map.js": large,
  ".next/static/media/inter-greek-wght-normal.1.woff2": script,
  ".next/static/media/maplibre-gl-worker.1.mjs": script,
  ".next/static/media/maplibre-gl-worker-dev.1.mjs": script,
  ".next/BUILD_ID": "build-7\n",
  "public/basemap/land.json": "{}",
  "public/basemap/land-1a.pmtiles": "0123456789",
  "public/sw.js": readFileSync("public/sw.js", "utf8"),
};
const server = createServer();
let get: (name: string, headers?: Record<string, string>) => Promise<Response>;

beforeAll(async () => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  copyServedFiles(root);
  const serve = servedFiles(path.join(root, ".next/served"));
  server.on("request", async (incoming, response) => {
    if (!(await serve(incoming, response))) response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  get = (name, headers = {}) => fetch(origin + name, { headers });
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

it.each([
  ["br, gzip", "br"],
  ["gzip", "gzip"],
  ["identity", null],
  ["br;q=0", null],
])(
  "serves a built file as immutable, in an encoding that the client accepts: %s",
  async (accepted, encoding) => {
    const reply = await get("/_next/static/chunks/a1.js", { "accept-encoding": accepted });
    const header = (name: string) => reply.headers.get(name);
    expect([header("content-encoding"), header("content-type"), header("vary")]).toEqual([
      encoding,
      "text/javascript; charset=utf-8",
      "accept-encoding",
    ]);
    expect(header("cache-control")).toContain("immutable");
    const length = Number(header("content-length"));
    expect(encoding ? length < 500 : length === script.length).toBe(true);
    expect(await reply.text()).toBe(script);
  },
);

it("the service worker names its build and the files of the pages, and no file that no page loads", async () => {
  const text = await (await get("/sw.js")).text();
  expect(text).toContain('const BUILD = "build-7";');
  const [, names = "[]"] = /const FILES = new Set\((\[.*\])\);/.exec(text) ?? [];
  const loaded = [
    "/_next/static/chunks/a1.js",
    "/_next/static/chunks/map.js",
    "/_next/static/media/maplibre-gl-worker.1.mjs",
    "/basemap/land.json",
  ];
  expect(JSON.parse(names)).toEqual(loaded);
});

it("the service worker has words in each language for a page that is not stored", async () => {
  const text = await (await get("/sw.js")).text();
  const [, words = "{}"] = /const OFFLINE = (\{.*\});/.exec(text) ?? [];
  const all = JSON.parse(words) as Record<string, Record<string, string>>;
  expect(Object.keys(all).sort()).toEqual([...languages].sort());
  for (const one of Object.values(all))
    expect(one).toEqual({ offline: expect.any(String), map: expect.any(String), again: expect.any(String) });
});

it("marks the large script of the map for eager compilation", async () => {
  const text = await (await get("/_next/static/chunks/map.js")).text();
  expect(text).toBe(`//# allFunctionsCalledOnLoad\n${large}`);
});

it("answers 304 for an unchanged file with a mutable name", async () => {
  const reply = await get("/basemap/land.json");
  expect([await reply.text(), reply.headers.get("cache-control")]).toEqual(["{}", "public, max-age=0"]);
  const etag = reply.headers.get("etag")!;
  expect((await get("/basemap/land.json", { "if-none-match": etag })).status).toBe(304);
});

it.each([
  ["bytes=2-4", 206, "234", "bytes 2-4/10"],
  ["bytes=0-0", 206, "0", "bytes 0-0/10"],
  ["bytes=7-", 206, "789", "bytes 7-9/10"],
  ["bytes=8-99", 206, "89", "bytes 8-9/10"],
  ["bytes=10-12", 416, "", "bytes */10"],
  ["bytes=4-2", 416, "", "bytes */10"],
  ["bytes=-3", 416, "", "bytes */10"],
  ["bytes=0-1,4-5", 416, "", "bytes */10"],
])("serves the parts of an archive of tiles: %s", async (range, status, text, part) => {
  const reply = await get("/basemap/land-1a.pmtiles", { range });
  expect([reply.status, await reply.text(), reply.headers.get("content-range")]).toEqual([
    status,
    text,
    part,
  ]);
});

it("an archive of tiles, whose name contains its content, is stored for good, each part by its strong tag", async () => {
  const reply = await get("/basemap/land-1a.pmtiles", { range: "bytes=0-3" });
  expect(reply.headers.get("cache-control")).toContain("immutable");
  expect(reply.headers.get("etag")).toBe('"land-1a.pmtiles"');
  expect(await (await get("/basemap/land-1a.pmtiles")).text()).toBe("0123456789");
});

it.each([
  "/_next/static/media/maplibre-gl-worker-dev.1.mjs",
  "/_next/static/chunks/a1.js.br",
  "/_next/static/chunks",
  "/../static/chunks/a1.js",
  "/%2e%2e/served/basemap/land.json",
  "/basemap/land.json%00",
  "/basemap/land.json/",
])("does not serve %s", async (name) => expect((await get(name)).status).toBe(404));

it("does not serve files that a newer build has removed", async () => {
  rmSync(path.join(root, ".next/served/_next/static/chunks"), { recursive: true });
  expect((await get("/_next/static/chunks/map.js", { "accept-encoding": "br" })).status).toBe(404);
});
