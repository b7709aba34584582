import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyServedFiles } from "#scripts/served-files.mjs";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import { SharedFiles, sendSharedFile } from "./shared-files.ts";
import { servedFiles } from "./static-files.ts";

describeWithDatabase("replicas of two builds", (fresh) => {
  const folder = temporaryFolders();
  const servers: Server[] = [];
  const problems: string[] = [];
  let database: Database;
  let queries = 0;
  let time = 0;

  /** A replica of a build with one script of its own, and one that both have. */
  async function replicaOf(build: string): Promise<{ origin: string; files: SharedFiles; served: string }> {
    const root = folder();
    const put = (name: string, content: string) => {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), content);
    };
    put(`.next/static/chunks/${build}.js`, `export const build = "${`${build} `.repeat(1000)}";\n`);
    put(".next/static/chunks/both.css", "a{}");
    put(".next/static/media/font-dev.js", "of no page");
    put(`.next/static/${build}/_buildManifest.js`, `self.build = "${build}"`);
    put("public/icon.svg", "<svg/>");
    put(".next/BUILD_ID", build);
    copyServedFiles(root);
    const served = path.join(root, ".next/served");
    const tables = {
      $queryRaw: (...query: Parameters<typeof database.prisma.$queryRaw>) => {
        queries++;
        return database.prisma.$queryRaw(...query);
      },
      $executeRaw: database.prisma.$executeRaw.bind(database.prisma),
    } as Pick<typeof database.prisma, "$queryRaw" | "$executeRaw">;
    const log = { warn: (_: object, message: string) => void problems.push(message) };
    const files = new SharedFiles({ tables, elapsed: () => time, log });
    await files.keep(served);
    const serve = servedFiles(served);
    const server = createServer(async (incoming, response) => {
      if (await serve(incoming, response)) return;
      const file = await files.find(incoming.url!);
      if (!file || !(await sendSharedFile(incoming.url!, file, incoming, response)))
        response.writeHead(404).end();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    servers.push(server);
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files, served };
  }

  let older: Awaited<ReturnType<typeof replicaOf>>;
  let newer: Awaited<ReturnType<typeof replicaOf>>;
  beforeAll(async () => {
    database = await openDatabase(await fresh());
    older = await replicaOf("build-a");
    newer = await replicaOf("build-b");
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    for (const { files } of [older, newer]) files.close();
    await database?.close();
    expect(problems).toEqual([]);
  });

  it.each([
    ["br", "br"],
    ["identity", null],
  ])(
    "serve the files of each other, in an encoding that the client accepts: %s",
    async (accepted, encoding) => {
      for (const [{ origin }, other] of [
        [older, "build-b"],
        [newer, "build-a"],
      ] as const) {
        const reply = await fetch(`${origin}/_next/static/chunks/${other}.js`, {
          headers: { "accept-encoding": accepted },
        });
        expect(reply.status).toBe(200);
        expect(reply.headers.get("content-encoding")).toBe(encoding);
        expect(reply.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
        expect(reply.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(reply.headers.get("vary")).toBe("accept-encoding");
        expect(await reply.text()).toContain(`"${other} ${other} `);
        expect((await fetch(`${origin}/_next/static/${other}/_buildManifest.js`)).status).toBe(200);
      }
    },
  );

  it("read a file of the other build once, and ask for one that nobody has at most every ten seconds", async () => {
    const read = async (name: string) => (await fetch(`${newer.origin}/_next/static/chunks/${name}`)).status;
    await read("build-a.js");
    const before = queries;
    expect([await read("build-a.js"), await read("none.js"), await read("none.js")]).toEqual([200, 404, 404]);
    expect(queries - before).toBe(1);
    time += 10_000;
    expect(await read("none.js")).toBe(404);
    expect(queries - before).toBe(2);
    for (const odd of ["../../key-pepper", "font-dev.js", "%00", "a".repeat(300)]) await read(odd);
    expect(await database.prisma.pageFile.count({ where: { path: { contains: "-dev" } } })).toBe(0);
  });

  it("keep files for three days after the last process of their build", async () => {
    const pathsNow = async () =>
      (await database.prisma.pageFile.findMany({ select: { path: true } })).map((row) => row.path).sort();
    await database.prisma.$executeRaw`update page_file set used_at = now() - interval '71 hours'`;
    await newer.files.keep(newer.served);
    expect(await pathsNow()).toContain("/_next/static/chunks/build-a.js");
    await database.prisma.$executeRaw`
      update page_file set used_at = now() - interval '73 hours' where path like '%build-a%'`;
    await newer.files.keep(newer.served);
    expect(await pathsNow()).toEqual([
      "/_next/static/build-b/_buildManifest.js",
      "/_next/static/chunks/both.css",
      "/_next/static/chunks/build-b.js",
    ]);
  });
});
