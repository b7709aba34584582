import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whereBuilt } from "#test/built-pages.ts";
import { flood } from "./floods.ts";
import { type FuzzServer, startServer } from "./server.ts";

const NAME = "pipelined requests for open paths, whose answers are not read";

const shapes = [
  { connections: 1, requests: 3000 },
  { connections: 20, requests: 32 },
];

/** What is made for each request, what is read from disk, what is kept, and what is not there. */
const paths = ["/", "/icon.svg", "/openapi.json", "/no-such-page"];

whereBuilt(NAME, () =>
  describe(NAME, () => {
    let server: FuzzServer;
    const folder = mkdtempSync(path.join(tmpdir(), "metocean-floods-"));
    beforeAll(async () => {
      server = await startServer(folder, { TRUSTED_PROXIES: "1", METRICS_ACCESS: "public" });
      // Whatever is made once.
      for (const target of paths) for (let times = 0; times < 3; times++) await fetch(server.url + target);
    }, 180_000);
    afterAll(async () => {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it.each(paths)("%s: neither memory nor others suffer", async (target) => {
      for (const shape of shapes) {
        const { url, child } = server;
        const seen = await flood({ ...shape, url, pid: child.pid!, path: target, holdMs: 300 });
        expect(seen.cut).toBe(0);
        expect(seen.grownMb).toBeLessThan(100);
        // How long the others wait depends on the machine.
        expect(seen.cpuMs).toBeLessThan(2000);
      }
    });
  }),
);
