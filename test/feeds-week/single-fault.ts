import { readManifest } from "#server/archive/manifest.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { isWhole, publishedRuns } from "#server/ingest/feeds/feed-progress.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import type { FaultName } from "#test/feeds-mirror/faults.ts";
import { checkArchive } from "./check-archive.ts";
import { leadFor, shortFeed } from "./short-feed.ts";
import { simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
const BEGIN = Date.UTC(2026, 8, 3) / 1000;
/** How long a fault lasts after its cycle should be complete, seconds; less if the next cycle comes earlier. */
const LASTS_S = 2 * HOUR_S;
/** Time within which a feed recovers, seconds. Quarantined parts are tried again after at most an hour. */
const HEALS_S = 3 * HOUR_S;

/** Effect of one fault on one feed, at every host, for the duration of one cycle. */
export interface FaultOutcome {
  /** Number of spoiled answers of the hosts. */
  spoiled: number;
  compared: number;
  /** Whether the cycle was published in spite of the fault. */
  came: boolean;
  /** State and text of the status while the fault lasted. */
  state: string;
  words: string | undefined;
  /** Violations; empty in a passed test. */
  complaints: string[];
}

/**
 * Lets a feed publish a cycle, spoils every answer of all hosts until after the next one should be complete, and waits
 * for the recovery. A static feed is spoiled from the start.
 */
export async function singleFault(
  name: string,
  fault: FaultName,
  profile: Profile = "lite",
): Promise<FaultOutcome> {
  const feed = shortFeed(name, leadFor(name, 0));
  const isStatic = feed.source.dataset === "Static";
  const { every, offset } = feed.cycles;
  const { first, whole } = feed.delay;
  const before = offset + Math.ceil((BEGIN - offset) / every) * every;
  // The cycle is complete, and nothing of the next one is there.
  const start = isStatic ? BEGIN : before + Math.min(whole, every + first - 600);
  await using service = await simulatedService({ feeds: [feed], profile, resolution: 5, start });
  const complaints: string[] = [];
  const checked = new Set<string>();
  let compared = 0;
  const check = async () => {
    const found = await checkArchive(service.archive, checked, 12);
    compared += found.compared;
    for (const { run, field, time, found: value, truth } of found.wrong.slice(0, 3))
      complaints.push(`wrong: ${run} ${field} ${time}: ${value} instead of ${truth}`);
    for (const { error, state } of await service.states.all()) {
      if (/\p{Cc}/u.test(error ?? "")) complaints.push("the words have control characters");
      if (state === "failing" && !error) complaints.push("it fails without a word");
    }
  };
  const has = async (cycle: number) =>
    isWhole(await publishedRuns(folderArchive(service.archive), feed), cycle, feed.parts(cycle, profile));
  const spoil = () => service.mirror.faults.add({ fault, match: "." });

  if (!isStatic) {
    await service.runUntil(start + 60, check);
    if (!(await has(before))) complaints.push("the cycle before is not there");
  }
  const cycle = isStatic ? 0 : before + every;
  const due = isStatic ? start : cycle + whole;
  const end = isStatic ? due + LASTS_S : Math.min(due + LASTS_S, cycle + every + first - 60);
  service.mirror.log.length = 0;
  spoil();
  await service.runUntil(end, check);
  const spoiled = service.mirror.log.filter(({ faults }) => faults.length > 0).length;
  const [during] = await service.states.all();
  const came = await has(cycle);
  if (!isStatic && !(await has(before)) && !came) complaints.push("the last good run is gone");
  if (!came && during!.error === null && during!.state !== "late")
    complaints.push(`not told: the state is ${during!.state}`);
  if (came && during!.error !== null) complaints.push(`told, and all is there: ${during!.error}`);

  service.mirror.faults.clear();
  await service.runUntil(end + HEALS_S, check);
  const [after] = await service.states.all();
  if (!(await has(cycle))) complaints.push("the cycle did not come");
  if (after!.error !== null) complaints.push(`not recovered: ${after!.state}, ${after!.error}`);
  if ((await readManifest(service.archive)).runs.length === 0) complaints.push("nothing is published");
  return { spoiled, compared, came, state: during!.state, words: during!.error ?? undefined, complaints };
}
