import type { SourceOrder } from "#lib/catalog/source-order.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { KnownSources } from "#server/archive/catalog.ts";
import type { Run } from "#server/archive/run.ts";
import { ensembles, publisherOrder, publishers } from "#server/ingest/publishers/registry.ts";
import { settingOf } from "#server/platform/setting-forms.ts";

/** Properties of the sources of runs. @param preferred Orders from settings; sources that they do not name follow. */
export function knownSources(preferred: Partial<SourceOrder>): KnownSources {
  const order = variableNames.map((name) => [
    name,
    [...new Set([...(preferred[name] ?? []), ...publisherOrder[name]])],
  ]);
  return { order: Object.fromEntries(order) as SourceOrder, about };
}

const about: KnownSources["about"] = new Map(
  [...publishers, ...ensembles.map((one) => ({ ...one, feed: one }))].map(
    ({ name, credit, system, feed }): [string, Pick<Run, "credit" | "rhythm" | "system">] => {
      const known = { credit, ...(system !== undefined && { system }) };
      // A static source has a single cycle, and one that is only ingested by hand has no rhythm.
      if (!feed || feed.cycles.every > DAY_S) return [name, known];
      const { cycles, delay } = feed;
      return [
        name,
        { ...known, rhythm: { every: cycles.every / HOUR_S, delay: Math.ceil(delay.whole / HOUR_S) } },
      ];
    },
  ),
);

/** Checks of the settings SOURCES_…, by name of the setting; see `readEnv`. */
export const sourceChecks = Object.fromEntries(
  variableNames.map((name) => [settingOf(name), (value: string) => orderProblem(name, value)]),
);

function orderProblem(name: VariableName, value: string): string | undefined {
  const known = publisherOrder[name];
  const names = value.split(",").map((each) => each.trim());
  if (names.every((each) => known.includes(each)) && new Set(names).size === names.length) return undefined;
  return `names among ${known.join(", ")}, best first, such as "${known.slice(0, 2).reverse().join(",")}"`;
}
