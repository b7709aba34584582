import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whereBuilt } from "#test/built-pages.ts";
import { kill } from "#test/chaos/kill.ts";
import { temporaryFolders } from "#test/databases.ts";
import { copyDemoWorld } from "#test/demo-world.ts";
import { copyMigratedData } from "#test/postgres.ts";
import { printedAddress } from "#test/printed-address.ts";

const NAME = "plain next start";
const KEY = "next-start-key-0123456789";
const NOW = "2026-01-01T00:00:00Z";
const root = path.resolve(import.meta.dirname, "../..");

// The server of the pages alone also answers the API, by the route files; the tests of the operations cover the
// answers.
whereBuilt(NAME, () =>
  describe(NAME, () => {
    const folder = temporaryFolders();
    let origin: string;
    let child: ChildProcess | undefined;
    afterAll(() => child && kill(child));
    beforeAll(async () => {
      const dataDir = folder();
      await copyMigratedData(dataDir);
      copyDemoWorld(dataDir);
      const args = ["node_modules/next/dist/bin/next", "start", "-p", "0", "-H", "127.0.0.1"];
      child = spawn(process.execPath, args, {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          NODE_ENV: "production",
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          DATA_DIR: dataDir,
          METOCEAN_NOW: NOW,
          BOOTSTRAP_API_KEY: KEY,
        },
      });
      origin = await printedAddress(child, "next start", /Local: +(http:\/\/\S+)/);
    }, 120_000);

    // server/operations/operations.test.ts checks the file of every route.
    it("answers a point, a wrong body, a path with a parameter and a page", async () => {
      const point = { latitude: 48.5, longitude: -5.2, timestamp: NOW };
      const send = (body: object) =>
        fetch(`${origin}/MetOcean`, {
          method: "POST",
          headers: { "x-api-key": KEY, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const answer = await send({ points: [point], variables: ["wind"] });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining("Winds_10m_Intensity"),
      ]);
      expect((await send({ points: [] })).status).toBe(422);
      const task = await fetch(`${origin}/task/x`, { headers: { "x-api-key": KEY } });
      expect([task.status, await task.json()]).toEqual([404, { detail: expect.any(String) }]);
      expect((await fetch(`${origin}/docs/post-metocean`)).status).toBe(200);
      // The image optimiser is off because it would fetch and resize any address it is given.
      expect((await fetch(`${origin}/_next/image?url=%2Ficon.svg&w=64&q=75`)).status).toBe(404);
    }, 60_000);
  }),
);
