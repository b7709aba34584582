import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { seeded } from "#test/seeded.ts";
import { writeStateAfter } from "./cut.ts";
import type { DiskEvent } from "./disk-log.ts";
import { recordChanges } from "./record.ts";
import type { Scenario } from "./scenarios.ts";

/**
 * Runs a scenario once, fails the power at many moments of it, and recovers from each. Half of the cuts come just after
 * a promise, which is the most dangerous moment.
 *
 * @returns One line for each cut whose recovery broke a promise.
 */
export async function cutScenario(scenario: Scenario, cuts: number, seed: number): Promise<string[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-power-cut-"));
  const random = seeded(seed);
  const complaints: string[] = [];
  try {
    const disk = path.join(folder, "disk");
    mkdirSync(disk);
    const events = await recordChanges(disk, (recorded) => scenario.run(disk, recorded));
    for (let index = 0; index < cuts; index++) {
      const cut = index % 2 === 0 ? afterPromise(events, random) : Math.floor(random() * (events.length + 1));
      const state = path.join(folder, `cut-${index}`);
      mkdirSync(state);
      const promised = writeStateAfter(events, cut, random, state);
      try {
        await scenario.recover(state, promised);
      } catch (error) {
        complaints.push(`${scenario.name}, cut ${index} after event ${cut} of ${events.length}: ${error}`);
      }
      rmSync(state, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return complaints;
}

function afterPromise(events: readonly DiskEvent[], random: () => number): number {
  const marks = [...events.keys()].filter((index) => events[index]!.event === "mark");
  return marks[Math.floor(random() * marks.length)]! + 1;
}
