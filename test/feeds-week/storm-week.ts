import type { StormEntry } from "@open-metocean/storms/schema";
import { formatInstant } from "#lib/time.ts";
import type { FeedState } from "#server/platform/feed-state.ts";
import { faultsByFeed, seededFaults } from "#test/feeds-mirror/fault-schedule.ts";
import { type LiveStorms, liveStorms } from "#test/live-storms.ts";
import { MACHINE_WORDS } from "./watch-states.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
/** Interval between polls of the lists of storms, seconds. */
const STEP_S = 600;
const WARM_UP_S = 2 * HOUR_S;
const RECOVERY_S = 6 * HOUR_S;
/**
 * Time after the last fault until the storms equal those of faultless hosts, seconds: a failed address waits for at
 * most an hour.
 */
const HEALED_S = 3 * HOUR_S;
/** Delay with which a text may appear here, because the two services poll at different minutes, seconds. */
const LAG_S = HOUR_S;
/** Age of the texts that the fault "yesterday" returns, which were published before the start, seconds. */
const BEFORE_S = 30 * HOUR_S;
const names = ["nhc", "jtwc", "jma"] as const;
const providers = ["jtwc", "jma"] as const;

export interface StormWeekReport {
  requests: number;
  /** Number of compared positions of storms. */
  compared: number;
  /** Positions that no agency has published. */
  wrong: string[];
  complaints: string[];
}

/**
 * Simulates some days of storm feeds over two mirrors, one with random faults and one without. Everything published
 * from the first must have been published from the second, and after the faults both must have the same storms.
 */
export async function simulateStorms({
  seed,
  start,
  days,
}: Record<"seed" | "start" | "days", number>): Promise<StormWeekReport> {
  await using clean = await liveStorms(names, start);
  await using live = await liveStorms(names, start);
  const byChance = seededFaults(seed, ["storms"]);
  const end = start + days * DAY_S;
  const lastNew = end - RECOVERY_S;
  /** The positions that the agencies have published, by storm and time. */
  const published = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const report: StormWeekReport = { requests: 0, compared: 0, wrong: [], complaints: [] };
  const known = new Set<string>();
  const complain = (now: number, line: string) => {
    if (!known.has(line)) report.complaints.push(`${formatInstant(now)}: ${line}`);
    known.add(line);
  };
  /** Time since which the storms differ, by provider. */
  const differ = new Map<string, number>();
  const addPublished = (storms: readonly StormEntry[]) => {
    for (const { of, at } of storms.flatMap(positionsOf))
      published.set(of, (published.get(of) ?? new Set()).add(at));
  };
  await using before = await liveStorms(names, start - BEFORE_S);
  while (before.clock.seconds < start) {
    await before.pass(Math.min(HOUR_S, start - before.clock.seconds));
    for (const provider of providers) addPublished(await before.storms(provider));
  }
  let lastFault = start;
  let hour = 0;
  for (let now = start; now < end; now += STEP_S) {
    if (Math.floor(now / HOUR_S) > hour && now >= start + WARM_UP_S && now < lastNew)
      for (const fault of byChance(now))
        live.mirror.faults.add({ ...fault, until: Math.min(fault.until ?? lastNew, lastNew) });
    hour = Math.floor(now / HOUR_S);
    await clean.pass(Math.max(0, now + STEP_S - clean.clock.seconds));
    await live.pass(Math.max(0, now + STEP_S - live.clock.seconds));
    clean.mirror.log.length = 0;
    const requests = live.mirror.log.splice(0);
    report.requests += requests.length;
    if (faultsByFeed(requests).size > 0) lastFault = now;
    const states = await Promise.all(names.map((name) => live.state(name)));
    for (const state of states) if (state) checkState(state, now, complain);
    const quiet = now - lastFault >= HEALED_S;
    for (const state of states)
      if (quiet && state?.error)
        complain(now, `${state.name} has met no fault for hours, and says ${state.error}`);

    for (const provider of providers) {
      const [truth, served] = await Promise.all([clean.storms(provider), live.storms(provider)]);
      addPublished(truth);
      for (const { of, at } of served.flatMap(positionsOf)) {
        if (seen.has(`${of} ${at}`)) continue;
        seen.add(`${of} ${at}`);
        report.compared++;
        if (!published.get(of)?.has(at))
          report.wrong.push(`${formatInstant(now)}: ${provider} ${of} is ${at}`);
      }
      // An ended storm disappears two days after its end was read, which may be at another time. When a list fails, the
      // service uses the gateway, which has the final warnings of storms that the list has dropped.
      const isKnownToEnd = ({ id, bulletin_at = 0 }: StormEntry) =>
        served.some((one) => one.id === id && !one.is_active && (one.bulletin_at ?? 0) > bulletin_at);
      const expected = truth.filter((storm) => !isKnownToEnd(storm));
      const [here, there] = [served, expected].map((storms) =>
        storms
          .filter(({ is_active }) => is_active)
          .map(summary)
          .sort()
          .join("; "),
      );
      if (here === there) differ.delete(provider);
      else if (!differ.has(provider)) differ.set(provider, now);
      if (quiet && now - (differ.get(provider) ?? now) >= LAG_S)
        complain(now, `${provider} has ${here}, and should have ${there}`);
    }
  }
  report.complaints.push(...(await leftOver(live)));
  return report;
}

function checkState(state: FeedState, now: number, complain: (now: number, line: string) => void): void {
  const { name, error } = state;
  if (state.state === "failing" && !error) complain(now, `${name} fails without a word`);
  if (error && MACHINE_WORDS.test(error))
    complain(now, `${name} has words that are not for people: ${error}`);
}

interface Position {
  /** Storm and time, observed or forecast. */
  of: string;
  /** Place and strength. */
  at: string;
}

function positionsOf({ id, tracks }: StormEntry): Position[] {
  const position =
    (kind: string) =>
    ({ time, lat, lon, vmax_kt }: StormEntry["tracks"]["observed"][number]): Position => ({
      of: `${id} ${kind} ${formatInstant(time)}`,
      at: `${lat} ${lon} ${vmax_kt}`,
    });
  return [
    ...tracks.observed.map(position("observed")),
    ...(tracks.forecast?.points ?? []).map(position("forecast")),
  ];
}

function summary({ id, tracks }: StormEntry): string {
  return `${id} of ${formatInstant(tracks.observed.at(-1)?.time ?? 0)}`;
}

/** Unfinished work after the last round. */
async function leftOver(live: LiveStorms): Promise<string[]> {
  const states = await Promise.all(names.map((name) => live.state(name)));
  return states.flatMap((state) =>
    state?.state === "current" ? [] : [`${state?.name} has not recovered: ${state?.state}, ${state?.error}`],
  );
}
