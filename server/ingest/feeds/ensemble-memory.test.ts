import { expect, it } from "vitest";
import { statistics } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { layoutOf } from "#server/archive/field-writer.ts";
import { ensembleFeeds } from "#server/ingest/publishers/registry.ts";
import { fieldsOfProfile } from "./field-feed.ts";
import { groupOf } from "./publish-segment.ts";

const STEPS = 81;
/**
 * Memory of the process besides the arrays below: program, decoder and its thread, files that are written. 918 MB were measured
 * for statistics of GEFS at 0.25°, whose arrays took 643 MB then.
 */
const OTHER = 275e6;

it.each(ensembleFeeds)("$name is published in 1 GB of memory", (feed) => {
  const { plan, size } = feed.ensemble!;
  const grid = feed.grid!.full;
  const nodes = grid.latitude.count * grid.longitude.count;
  const names = fieldsOfProfile(feed, "full");
  const arraysOf = (group: readonly FieldName[]) => {
    const counted = statistics.filter(({ quantity }) =>
      quantity.output.of.every((name) => group.includes(name)),
    );
    const together = plan === "mean" ? 1 : counted.length;
    const layout = layoutOf(grid, STEPS, undefined, Math.max(1, together));
    const blocks = 2 * layout.chunk[0] * nodes * together;
    if (plan === "mean") return blocks;
    const outs = 4 * nodes * counted.length;
    // The quantity as float32, and a byte for each limit and for what is missing.
    const limits = new Set(counted.flatMap((one) => (one.is === "share" ? one.threshold.value : [])));
    const quantity = size * nodes * (4 + (limits.size > 0 ? limits.size + 1 : 0));
    if (plan === "statistics") return blocks + outs + quantity;
    // All members of each stored field as float32, and as int16 for the steps of a chunk.
    const stored = layoutOf(grid, STEPS, size).chunk[0];
    return blocks + outs + quantity + size * nodes * group.length * (4 + 2 * stored);
  };
  const groups = names.map((name) => groupOf(name).filter((one) => names.includes(one)));
  expect(OTHER + Math.max(...groups.map(arraysOf))).toBeLessThan(1e9);
});
