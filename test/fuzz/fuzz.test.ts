import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { whereBuilt } from "#test/built-pages.ts";
import { checkSizes, fuzzOpengribs, killWhileWriting, opengribsSettings, untilWritten } from "./opengribs.ts";
import { fuzz } from "./run.ts";
import { type FuzzServer, KEYS, NOW, startServer } from "./server.ts";

const NAME = "a server that anybody may send anything";

whereBuilt(NAME, () =>
  describe(NAME, () => {
    let server: FuzzServer;
    const folder = mkdtempSync(path.join(tmpdir(), "metocean-fuzz-"));
    beforeAll(async () => {
      server = await startServer(folder, { ...opengribsSettings, METRICS_ACCESS: "public" });
    }, 180_000);
    afterAll(async () => {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    // `npm run lab -- fuzz` sends any number, with other seeds.
    it("answers no request of 250 random ones with an error of its own, or late", async () => {
      const run = { url: server.url, keys: KEYS, now: parseInstant(NOW), parallel: 8, seed: 20_260_102 };
      // Other tests run beside this one, so only a hang counts as late.
      const report = await fuzz({ ...run, requests: 250, slowestMs: 30_000 });
      expect(report.faults).toEqual([]);
      expect(server.errors).toEqual([]);
      // The run is meaningful only if it contained both valid and invalid requests.
      for (const status of ["200", "202", "404", "422", "raw"])
        expect(report.counts.get(status), status).toBeGreaterThan(0);
    }, 240_000);

    // `npm run lab -- opengribs` sends any number, with other seeds.
    it("answers every one of 80 random requests of the OpenGribs protocol by a message or a file", async () => {
      const run = { url: server.url, requests: 80, seed: 20_260_103, parallel: 4 };
      const { counts, faults } = await fuzzOpengribs(run);
      expect(faults).toEqual([]);
      expect(server.errors).toEqual([]);
      await untilWritten(folder);
      checkSizes(folder);
      for (const kind of ["files", "messages", "404"]) expect(counts.get(kind), kind).toBeGreaterThan(0);
    }, 600_000);

    it("leaves no incomplete file after a kill, and no file after an hour", async () => {
      server = await killWhileWriting(server, folder);
      expect(server.errors).toEqual([]);
    }, 600_000);
  }),
);
