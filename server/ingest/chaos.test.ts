import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { chaosIngest } from "#test/chaos/ingest-kills.ts";
import { removeScratch } from "#test/ingest.ts";
import { createDecoder } from "./decoder.ts";

const fixtures = join(import.meta.dirname, "netcdf/fixtures");
const decoder = createDecoder();
afterAll(() => decoder.close());
afterAll(removeScratch);

/** `THOROUGH=1` kills ten times as often. */
const KILLS = process.env.THOROUGH === "1" ? 50 : 5;
vi.setConfig({ testTimeout: KILLS * 60_000 });

/** Waits for the next of five moments: the start, or shortly after one of the first lines of output. */
async function afterOutput(child: ChildProcess, kill: number): Promise<void> {
  let output = "";
  const lines = kill % 5;
  while (output.split("\n").length <= lines) output += String((await once(child.stdout!, "data"))[0]);
  // Some turns of the event loop put the kill between two lines.
  for (let turn = 0; turn < (kill * 37) % 200; turn++) await new Promise(setImmediate);
}

it("serves either the old or the new run completely, whenever an ingest is killed, and removes its leftovers", async () => {
  const files = ["oisst-avhrr-v02r01.20200702.nc", "oisst-avhrr-v02r01.20200702_preliminary.nc"] as const;
  const [old, fresh] = files.map((name) => join(fixtures, name));
  const counts = await chaosIngest(decoder, "oisst", [old!, fresh!], KILLS, afterOutput);
  expect(counts.kills).toBe(KILLS);
  expect(counts.old).toBeGreaterThan(0);
});
