import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyServedFiles } from "#scripts/served-files.mjs";
import { servedFiles } from "./static-files.ts";

const root = mkdtempSync(path.join(tmpdir(), "metocean-served-"));
const script = `export const sea = "${"waves ".repeat(1000)}";\n`;
const large = `"${"sea ".repeat(300_000)}";`;
const put = (name: string, content: string) => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
};
const server = createServer();
let origin = "";

beforeAll(async () => {
  put(".next/static/chunks/a1.js", script);
  put(".next/static/chunks/map.js", large);
  put("public/basemap/land.json", "{}");
  put(".next/BUILD_ID", "build-7\n");
  put(".next/static/media/inter-greek-wght-normal.1.woff2", script);
  put("public/sw.js", readFileSync("public/sw.js", "utf8"));
  copyServedFiles(root);
  const serve = servedFiles(path.join(root, ".next/served"));
  server.on("request", async (incoming, response) => {
    if (!(await serve(incoming, response))) response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
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
    const reply = await fetch(`${origin}/_next/static/chunks/a1.js`, {
      headers: { "accept-encoding": accepted },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-encoding")).toBe(encoding);
    expect(reply.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(reply.headers.get("cache-control")).toContain("immutable");
    expect(reply.headers.get("vary")).toBe("accept-encoding");
    const length = Number(reply.headers.get("content-length"));
    expect(encoding ? length < 500 : length === script.length).toBe(true);
    expect(await reply.text()).toBe(script);
  },
);

it("the service worker names its build and the files of the pages, and none that no page loads", async () => {
  const text = await (await fetch(`${origin}/sw.js`)).text();
  expect(text).toContain('const BUILD = "build-7";');
  const [, files = "[]"] = /const FILES = new Set\((\[.*\])\);/.exec(text) ?? [];
  expect(JSON.parse(files)).toEqual([
    "/_next/static/chunks/a1.js",
    "/_next/static/chunks/map.js",
    "/basemap/land.json",
  ]);
});

it("marks the large script of the map for eager compilation", async () => {
  const said = await (await fetch(`${origin}/_next/static/chunks/map.js`)).text();
  expect(said).toBe(`//# allFunctionsCalledOnLoad\n${large}`);
});

it("answers 304 for an unchanged file with a mutable name", async () => {
  const reply = await fetch(`${origin}/basemap/land.json`);
  expect(await reply.text()).toBe("{}");
  expect(reply.headers.get("cache-control")).toBe("public, max-age=0");
  const etag = reply.headers.get("etag")!;
  const again = await fetch(`${origin}/basemap/land.json`, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
});

it.each([
  "/_next/static/chunks/a1.js.br",
  "/_next/static/chunks",
  "/../static/chunks/a1.js",
  "/%2e%2e/served/basemap/land.json",
  "/basemap/land.json%00",
  "/basemap/land.json/",
])("does not serve %s", async (request) => {
  expect((await fetch(origin + request)).status).toBe(404);
});

it("does not serve files that a newer build has removed", async () => {
  put(".next/static/chunks/b2.js", script);
  copyServedFiles(root);
  const serve = servedFiles(path.join(root, ".next/served"));
  rmSync(path.join(root, ".next/served"), { recursive: true });
  const request = { url: "/_next/static/chunks/b2.js", headers: {} } as Parameters<typeof serve>[0];
  expect(await serve(request, {} as Parameters<typeof serve>[1])).toBe(false);
});
