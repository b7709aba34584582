import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grid } from "#lib/field/grid.ts";
import { type FieldGroup, fieldGroups } from "#server/demo/fields/field-groups.ts";
import { staticWorld } from "#server/demo/static/static-world.ts";
import type { World } from "#server/demo/static/world.types.ts";

const CHUNK = 180;
const ROUNDS = 32;
/** Cells of one hour in a request for many places. */
const TOGETHER = 40;
const START = 1_789_000_000;

/**
 * Cost of a chunk of 180 × 180 quarter-degree cells, group by group, over chunks from all parts of the globe, each an hour
 * after the last; of one cell, and how many of them cost as much as a chunk of the points layout; and of the static world, when it is derived and when it is read.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "demo-world-bench-"));
  try {
    const first = milliseconds(() => staticWorld(folder));
    const second = milliseconds(() => staticWorld(folder));
    console.log(`static world: made in ${first.toFixed(0)} ms, read in ${second.toFixed(0)} ms`);
    const world: World = { seed: 1, static: staticWorld(folder) };
    for (const group of fieldGroups) measure(world, group);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(world: World, group: FieldGroup): void {
  const chunk = () => spread(world, group, ROUNDS, (round) => part(round, CHUNK));
  chunk();
  const chunks = chunk();
  const cells = spread(world, group, 10 * ROUNDS, (round) => part(round, 2), TOGETHER);
  // Two steps of 16 × 16 nodes.
  const ofPoints = 2 * spread(world, group, 10 * ROUNDS, (round) => part(round, 16), TOGETHER).median;
  console.log(
    `${group.fields[0]!.padEnd(50)} chunk: median ${chunks.median.toFixed(1)} ms, worst ${chunks.worst.toFixed(1)} ms; ` +
      `cell: median ${(1000 * cells.median).toFixed(0)} µs, ${(ofPoints / cells.median).toFixed(1)} for a chunk of points`,
  );
}

/** Each of the 32 chunks of a global grid once in 32 rounds, neighbours apart. */
function part(round: number, size: number): Grid {
  return {
    latitude: { start: -89.875 + 45 * (round % 4), step: 0.25, count: size },
    longitude: { start: -179.875 + 45 * ((3 * round) % 8), step: 0.25, count: size },
  };
}

/** @param together Rounds of the same hour: what they share is computed once. */
function spread(
  world: World,
  group: FieldGroup,
  rounds: number,
  grid: (round: number) => Grid,
  together = 1,
) {
  const times = Array.from({ length: rounds }, (_, round) =>
    milliseconds(() =>
      group.compute(world, { grid: grid(round), time: START + 3600 * Math.floor(round / together) }),
    ),
  ).sort((one, other) => one - other);
  return { median: times[rounds >> 1]!, worst: times.at(-1)! };
}

/** Processor time of this process, so that a busy machine does not count. */
function milliseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
