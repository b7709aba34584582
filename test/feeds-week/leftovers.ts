import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DAY_S, formatInstant } from "#lib/time.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { isWhole } from "#server/ingest/feeds/feed-progress.ts";
import { type FieldFeed, newestCycle, type Profile } from "#server/ingest/feeds/field-feed.ts";
import { cycleName, NAMES_FILE } from "#server/ingest/feeds/part-store.ts";
import type { Keep } from "#server/ingest/feeds/past-rules.ts";

const HOUR_S = 3600;

/** Number of cycles that the loop continues. */
const CYCLES = 3;
const MAX_QUARANTINED = 8;
/**
 * Age at which a cycle has been removed, seconds: forecasts answer for five days, and another one passes until then.
 */
const PAST_S = 6 * DAY_S;
const folders = new Set(["parts", "quarantine", "baseline", "disputes"]);

const namesIn = (folder: string) => readdir(folder).catch(() => [] as string[]);

/** Files on disk at the end that nothing needs, or that are missing. */
export async function leftoversOf(
  { archive, folder }: Record<"archive" | "folder", string>,
  { runs, replaced = [] }: Manifest,
  { feeds, profile, keep, now }: { feeds: readonly FieldFeed[]; profile: Profile; keep: Keep; now: number },
): Promise<string[]> {
  const found: string[] = [];
  const named = new Set([...runs, ...replaced].map(({ path }) => path.split("/").at(-1)));
  const there = await namesIn(join(archive, "runs"));
  found.push(
    ...there.filter((name) => !named.has(name)).map((name) => `the run ${name} is on disk and not published`),
  );
  found.push(...(await namesIn(join(archive, "staging"))).map((name) => `staging has ${name}`));
  found.push(
    ...runs
      .filter(({ path }) => !there.includes(path.split("/").at(-1)!))
      .map(({ id }) => `${id} is not on disk`),
  );
  for (const name of await namesIn(folder)) if (!folders.has(name)) found.push(`feeds has ${name}`);
  for (const feed of feeds) {
    const newest = newestCycle(feed, now);
    const own = runs.filter(({ source }) => source === feed.source.name);
    const cycles = Array.from({ length: CYCLES }, (_, i) => newest - i * feed.cycles.every);
    const growing = new Map(
      cycles
        .filter((cycle) => cycle >= 0 && !isWhole(own, cycle, feed.parts(cycle, profile)))
        .map((cycle) => [cycleName(cycle), cycle]),
    );
    // The oldest of these is removed at the first look after the newest was due.
    const last = [...cycles, cycles.at(-1)! - feed.cycles.every].filter((cycle) => cycle >= 0);
    const latest = new Set(last.map(cycleName));
    for (const name of await namesIn(join(folder, "parts", feed.name))) {
      const there = await namesIn(join(folder, "parts", feed.name, name));
      // Under which names a cycle came is needed as long as it may be completed.
      const isNamesAlone = latest.has(name) && there.length === 1 && there[0] === NAMES_FILE;
      if (!growing.has(name) && !isNamesAlone) found.push(`parts of ${feed.name} ${name} are still there`);
    }
    const quarantined = await namesIn(join(folder, "quarantine", feed.name));
    if (quarantined.length > MAX_QUARANTINED)
      found.push(`${quarantined.length} parts of ${feed.name} are in quarantine`);
    // Allowed are the growing cycle, the retained ones, and one that may have failed.
    const oldest = newest - (keep.cycles + 1) * feed.cycles.every;
    const forecasts = own.filter(({ dataset }) => dataset === "Forecast");
    for (const run of forecasts)
      if (run.referenceTime < oldest && !isAnswering(run, forecasts, now))
        found.push(`${run.id} is still there`);
    const whole = [...new Set(own.map(({ referenceTime }) => referenceTime))].filter((cycle) =>
      isWhole(own, cycle, feed.parts(cycle, profile)),
    );
    const isStatic = feed.source.dataset === "Static";
    if (whole.length < (isStatic ? 1 : keep.cycles))
      found.push(`${feed.name} has ${whole.length} whole cycles: ${whole.map(formatInstant).join(", ")}`);
  }
  return found;
}

/** Whether some hour of a run, in the last days or in the future, has a field that no run of a newer cycle has. */
function isAnswering(run: Run, runs: readonly Run[], now: number): boolean {
  const newer = runs.filter(({ referenceTime }) => referenceTime > run.referenceTime);
  return Object.keys(run.fields).some((name) => {
    const [first, last] = hoursOf(run, name)!;
    const others = newer.map((other) => hoursOf(other, name)).filter((hours) => hours !== undefined);
    for (let hour = Math.max(first, now - PAST_S); hour <= last; hour += HOUR_S)
      if (!others.some(([from, to]) => from <= hour && hour <= to)) return true;
    return false;
  });
}

/** The first and the last time at which a run has a field. Gusts and rain describe the period before a step. */
function hoursOf({ fields, times }: Run, name: string): readonly [number, number] | undefined {
  if (!fields[name]) return undefined;
  const steps = fields[name].steps ?? times.map((_, step) => step);
  return [times[steps[0]!]!, times[steps.at(-1)!]!];
}
