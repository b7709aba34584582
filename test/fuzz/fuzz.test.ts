import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { fuzz } from "./run.ts";
import { KEYS, NOW, startServer } from "./server.ts";

// `npm run lab -- fuzz` sends as many as wanted, with other seeds.
it("no request of 500 random ones is answered with an error of the server, late, or differently from an equal one", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-fuzz-"));
  const server = await startServer(folder);
  try {
    const run = { url: server.url, keys: KEYS, now: parseInstant(NOW), parallel: 8, seed: 20_260_101 };
    // Other tests run beside it: late is what hangs.
    const report = await fuzz({ ...run, requests: 500, slowestMs: 30_000 });
    expect(report.faults).toEqual([]);
    expect(server.errors).toEqual([]);
    // The run is worth something only if both valid and invalid requests were among them.
    for (const status of ["200", "202", "404", "422", "meaning", "raw"])
      expect(report.counts.get(status), status).toBeGreaterThan(0);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
