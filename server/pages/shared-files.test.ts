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

  /** A replica of a build with one script of its own, and one that both have. */
  async function replicaOf(build: string) {
    const root = folder();
    const content = {
      [`.next/static/chunks/${build}.js`]: `export const build = "${`${build} `.repeat(1000)}";\n`,
      ".next/static/chunks/both.css": "a{}",
      ".next/static/media/font-dev.js": "of no page",
      [`.next/static/${build}/_buildManifest.js`]: `self.build = "${build}"`,
      "public/icon.svg": "<svg/>",
      ".next/BUILD_ID": build,
    };
    for (const [name, text] of Object.entries(content)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    copyServedFiles(root);
    const served = path.join(root, ".next/served");
    const { prisma } = database;
    const tables = {
      $queryRaw: (...query: Parameters<typeof prisma.$queryRaw>) => {
        queries++;
        return prisma.$queryRaw(...query);
      },
      $executeRaw: prisma.$executeRaw.bind(prisma),
    } as Pick<typeof prisma, "$queryRaw" | "$executeRaw">;
    const log = { warn: (_: object, message: string) => void problems.push(message) };
    const files = new SharedFiles({ tables, log });
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
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_next/static`;
    const get = (name: string, headers = {}) => fetch(`${origin}/${name}`, { headers });
    return { get, files, keep: () => files.keep(served) };
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
      for (const [{ get }, other] of [
        [older, "build-b"],
        [newer, "build-a"],
      ] as const) {
        const reply = await get(`chunks/${other}.js`, { "accept-encoding": accepted });
        const header = (name: string) => reply.headers.get(name);
        expect([reply.status, header("content-encoding"), header("vary")]).toEqual([
          200,
          encoding,
          "accept-encoding",
        ]);
        expect(header("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(await reply.text()).toContain(`"${other} ${other} `);
        expect((await get(`${other}/_buildManifest.js`)).status).toBe(200);
      }
    },
  );

  it("read a file of the other build once, and none by a name that no build has", async () => {
    const read = async (name: string) => (await newer.get(`chunks/${name}`)).status;
    await read("build-a.js");
    const before = queries;
    expect([await read("build-a.js"), await read("none.js"), queries - before]).toEqual([200, 404, 1]);
    for (const odd of ["../../key-pepper", "%00", "a".repeat(300)]) expect(await read(odd)).toBe(404);
    expect(queries - before).toBe(1);
    expect(await database.prisma.pageFile.count({ where: { path: { contains: "-dev" } } })).toBe(0);
  });

  it("keep files for three days after the last process of their build", async () => {
    const pathsAfter = async (hours: number, of: string) => {
      await database.prisma
        .$executeRaw`update page_file set used_at = now() - make_interval(hours => ${hours}::int) where path like ${of}`;
      await newer.keep();
      const rows = await database.prisma.pageFile.findMany({ select: { path: true } });
      return rows.map((row) => row.path.replace("/_next/static/", "")).sort();
    };
    expect(await pathsAfter(71, "%")).toContain("chunks/build-a.js");
    expect(await pathsAfter(73, "%build-a%")).toEqual([
      "build-b/_buildManifest.js",
      "chunks/both.css",
      "chunks/build-b.js",
    ]);
  });
});
