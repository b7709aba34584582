import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { type DatasetName, datasetNames } from "#lib/catalog/datasets.ts";
import type { ArchiveSpan } from "#lib/contract/field-manifest.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { candidates } from "#server/archive/choose-run.ts";
import type { Manifest } from "#server/archive/run.ts";

/** Shorter gaps between runs are left out: daily runs of three-hourly steps would otherwise be a span a day. */
const GAP_S = 6 * HOUR_S;

/**
 * The spans of time that each dataset has runs of a variable for, ascending by dataset and time. Which dataset answers at
 * an instant is a matter of its age (`lib/catalog/datasets.ts`): the spans change with the runs, not with the clock.
 */
export function archiveSpans(manifest: Manifest, name: DrawnVariable): ArchiveSpan[] {
  return datasetNames
    .filter((dataset) => dataset !== "Static")
    .flatMap((dataset) =>
      spansOf(manifest, dataset, name).map(([from, to]) => ({
        dataset,
        from: formatInstant(from),
        to: formatInstant(to),
      })),
    );
}

function spansOf(
  manifest: Manifest,
  dataset: DatasetName,
  name: DrawnVariable,
): [from: number, to: number][] {
  const runs = candidates(manifest, dataset, name)
    .filter(({ first, last }) => first <= last)
    .sort((one, other) => one.first - other.first);
  const spans: [number, number][] = [];
  for (const { first, last } of runs) {
    const open = spans.at(-1);
    if (open && first <= open[1] + GAP_S) open[1] = Math.max(open[1], last);
    else spans.push([first, last]);
  }
  return spans;
}
