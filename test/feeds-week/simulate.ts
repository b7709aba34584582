import type { VariableName } from "#lib/catalog/variables.ts";
import { formatInstant, startOfDay } from "#lib/time.ts";
import { readManifest } from "#server/archive/manifest.ts";
import type { Manifest } from "#server/archive/run.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { faultsByFeed, seededFaults } from "#test/feeds-mirror/fault-schedule.ts";
import { checkArchive, type WrongValue } from "./check-archive.ts";
import { checkEnsembles } from "./check-ensembles.ts";
import { gapsOf, variablesIn } from "./coverage.ts";
import { leftoversOf } from "./leftovers.ts";
import { type SimulatedService, type SimulationOptions, simulatedService } from "./simulated-service.ts";
import { complaintsOf } from "./watch-states.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
/** Time at the start without faults, seconds: without earlier data a plausible fault could not be detected. */
const WARM_UP_S = 2 * HOUR_S;
/** Time at the end without new faults, seconds, in which every feed has a cycle. */
const RECOVERY_S = 18 * HOUR_S;
/** How far ahead answers accept times, seconds. */
const AHEAD_S = 10 * DAY_S;

export interface WeekOptions extends Omit<SimulationOptions, "schedule"> {
  seed: number;
  days: number;
  /** Every hour up to this many hours ahead of the end must be answered. */
  aheadHours: number;
  /** Number of nodes of each step that are compared. */
  nodes?: number;
  log?: (line: string) => void;
}

export interface WeekReport {
  rounds: number;
  requests: number;
  /** Number of runs whose every field and step was compared at some nodes. */
  runs: number;
  compared: number;
  wrong: WrongValue[];
  /** Times of a variable without an answer. */
  gaps: string[];
  /** Other violations. */
  complaints: string[];
  /** Number of answers that faults have spoiled. */
  spoiled: number;
  /** Largest size of the archive, bytes. */
  diskBytes: number;
  /** Most bytes of a day. */
  dayBytes: number;
}

/** Simulates some days in which the mirror publishes on schedule, faults occur at random, and nobody intervenes. */
export async function simulateWeek(options: WeekOptions): Promise<WeekReport> {
  const { start, days, seed, feeds, log } = options;
  const end = start + days * DAY_S;
  const lastFault = end - RECOVERY_S;
  const names = feeds.map(({ name }) => name);
  const byChance = seededFaults(seed, names);
  await using service = await simulatedService({
    ...options,
    schedule: (now) =>
      now < start + WARM_UP_S || now >= lastFault
        ? []
        : byChance(now).map((fault) => ({ ...fault, until: Math.min(fault.until ?? lastFault, lastFault) })),
  });
  const checked = new Set<string>();
  const report: WeekReport = {
    rounds: 0,
    requests: 0,
    runs: 0,
    compared: 0,
    wrong: [],
    gaps: [],
    complaints: [],
    spoiled: 0,
    diskBytes: 0,
    dayBytes: 0,
  };
  const watch = watcherOf(service, options, report);
  let day = 0;
  await service.runUntil(end, async () => {
    report.rounds++;
    const manifest = await readManifest(service.archive);
    const { wrong, compared } = await checkArchive(service.archive, checked, options.nodes);
    report.runs = checked.size;
    report.compared += compared;
    report.wrong.push(...wrong);
    const ofEnsembles = await checkEnsembles(service.archive, checked, 3, "what is missing");
    report.compared += ofEnsembles.compared;
    report.wrong.push(...ofEnsembles.wrong);
    await watch(manifest);
    if (Math.floor((service.clock.now() - start) / DAY_S) > day) {
      day++;
      const counts = [`${report.rounds} rounds`, `${report.requests} requests`, `${report.compared} values`];
      const bad = [report.wrong.length, report.gaps.length, report.complaints.length].join("/");
      log?.(`day ${day}: ${counts.join(", ")}, ${bad} wrong/gaps/complaints`);
    }
  });
  const manifest = await readManifest(service.archive);
  for (const [name, sources] of variablesIn(manifest)) {
    const from = hasPast(service.feeds, sources) ? start : end;
    const span = { now: end, since: from, until: end + options.aheadHours * HOUR_S };
    report.gaps.push(...gapsOf(manifest, name, span));
  }
  const { profile } = options;
  report.complaints.push(
    ...(await leftoversOf(service, manifest, {
      feeds: service.feeds,
      profile,
      keep: service.keep,
      now: end,
    })),
  );
  for (const { name, state, error } of await service.states.all())
    if (state === "failing" || state === "late")
      report.complaints.push(`${name} has not recovered: ${state}, ${error}`);
  return report;
}

/** Whether a variable has a source besides ensembles, which answer for the future only. */
function hasPast(feeds: readonly FieldFeed[], sources: ReadonlySet<string>): boolean {
  return feeds.some(({ source, ensemble }) => sources.has(source.name) && !ensemble);
}

/** Checks that must hold after every round. */
function watcherOf(service: SimulatedService, options: WeekOptions, report: WeekReport) {
  const { diskBytes = Number.POSITIVE_INFINITY, bytesADay = Number.POSITIVE_INFINITY, profile } = options;
  const { clock, mirror, states, disk, feeds } = service;
  const lastFault = new Map<string, number>();
  const since = new Map<VariableName, number>();
  /** A lasting problem is reported once a day. */
  const known = new Set<string>();
  const once = (list: string[], lines: readonly string[]) => {
    for (const line of lines) {
      const key = `${startOfDay(clock.now())} ${line.replaceAll(/\d{4}-[\d-]+T[\d:]+Z/g, "")}`;
      if (!known.has(key)) {
        list.push(line);
        options.log?.(`  ${line}`);
      }
      known.add(key);
    }
  };
  return async (manifest: Manifest): Promise<void> => {
    const now = clock.now();
    const requests = mirror.log.splice(0);
    report.requests += requests.length;
    const faults = faultsByFeed(requests);
    const all = await states.all();
    for (const feed of feeds) {
      const state = all.find(({ name }) => name === feed.name)!;
      const met = faults.get(feed.name) ?? [];
      if (met.length > 0) lastFault.set(feed.name, now);
      report.spoiled += met.length;
      const runs = manifest.runs.filter(({ source }) => source === feed.source.name);
      const watched = { feed, profile, state, runs, faults: met, now };
      once(
        report.complaints,
        complaintsOf({ ...watched, lastFault: lastFault.get(feed.name) ?? Number.NEGATIVE_INFINITY }),
      );
    }
    // The archive has all that the status promises: no hour is missing up to the last hour of the longest run.
    for (const [name, sources] of variablesIn(manifest)) {
      if (!since.has(name)) since.set(name, now);
      const valid = feeds
        .filter(({ source }) => sources.has(source.name))
        .map((feed) => all.find((state) => state.name === feed.name)?.validUntil ?? now);
      const until = Math.min(now + AHEAD_S, Math.max(...valid));
      const from = hasPast(feeds, sources) ? since.get(name)! : now;
      once(report.gaps, gapsOf(manifest, name, { now, since: from, until }));
    }
    const used = await disk.used();
    const spent = await states.spend(startOfDay(now), 0);
    report.diskBytes = Math.max(report.diskBytes, used);
    report.dayBytes = Math.max(report.dayBytes, spent);
    const at = formatInstant(now);
    if (used > diskBytes)
      once(report.complaints, [`${at}: the archive has more bytes than FEED_DISK_MB: ${used}`]);
    if (spent > bytesADay) once(report.complaints, [`${at}: more bytes than FEED_BYTES_A_DAY: ${spent}`]);
  };
}
