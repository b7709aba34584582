import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import { type Mirror, startMirror } from "#test/feeds-mirror/mirror.ts";
import { checkEnsembles } from "./check-ensembles.ts";
import { cycleOfMembers, ensembleRound, type Moment } from "./ensemble-round.ts";

const { feed, cycle, now, resolution } = cycleOfMembers;
const MEMBERS = 31;
/** Each step of a member is a file. */
const FILES = MEMBERS * feed.parts(cycle, "standard").length;
const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ensemble-kills-"));
const archive = join(folder, "archive");
let mirror: Mirror;

beforeAll(async () => {
  mirror = await startMirror({ now: () => now, planet: { resolution } });
});
afterAll(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true, force: true });
});

async function killedAt(moment: Moment): Promise<void> {
  const args = ["test/processes/ensemble-feed.ts", mirror.url, folder, moment];
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  expect(await once(child, "exit"), moment).toEqual([null, "SIGKILL"]);
}

/** How many files of members have come completely. */
function onDisk(): number {
  const names = readdirSync(join(folder, "feeds/parts"), { recursive: true }) as string[];
  return names.filter((name) => /members.*\.grib2$/.test(name)).length;
}

/** Requests for the data of members that were answered so far. */
const asked = () => mirror.log.filter(({ url, sent }) => url.endsWith(".grib2") && sent > 0).length;
const published = async () => (await readManifest(archive)).runs;

it("a process that is killed while it fetches or publishes members loses none that has come, and the next one continues", async () => {
  await killedAt("some members have come");
  const some = onDisk();
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(FILES);
  expect(await published()).toEqual([]);

  const before = asked();
  await killedAt("the run is written");
  // What came before the kill and was not complete is taken from the disk too.
  expect(asked() - before).toBeLessThanOrEqual(FILES - some);
  expect(onDisk()).toBe(FILES);
  expect(await published()).toEqual([]);

  const all = asked();
  await ensembleRound(mirror.url, folder, () => {});
  expect(asked()).toBe(all);
  expect(await published()).toMatchObject([
    { ensemble: { members: Array.from({ length: MEMBERS }, (_, member) => member) } },
  ]);
  expect(onDisk()).toBe(0);
  const { wrong, compared } = await checkEnsembles(archive, new Set(), 4);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(50);
}, 180_000);
