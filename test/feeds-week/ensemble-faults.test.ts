import { expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import type { EnsembleRun } from "#server/archive/run.ts";
import { membersDue } from "#server/ingest/feeds/field-feed.ts";
import type { Fault } from "#test/feeds-mirror/faults.ts";
import { checkEnsembles } from "./check-ensembles.ts";
import { shortFeed, smallEnsemble } from "./short-feed.ts";
import { type SimulatedService, simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
const CYCLE = Date.UTC(2026, 11, 31, 18) / 1000;
const SIZE = 8;
const all = Array.from({ length: SIZE }, (_, member) => member);

/** Members of GEFS's waves every six hours to 12 h: the smallest ensemble that is fetched by members. */
const feed = smallEnsemble(shortFeed("gefswave-members", 12), SIZE);
const whole = CYCLE + feed.delay.whole;
const parts = feed.parts(CYCLE, "standard");
/** When members of each step are no longer waited for. */
const [firstDue, secondDue, due] = parts.map((part) => membersDue(feed, part, parts.length)) as [
  number,
  number,
  number,
];
const MINUTE_S = 60;
const memberFile = (member: number, lead = "\\d\\d\\d") =>
  `gefs\\.wave\\.t18z\\.${member === 0 ? "c00" : `p${String(member).padStart(2, "0")}`}\\..*f${lead}`;
const AWS = "^/noaa-gefs-pds";

async function started(faults: readonly Fault[], start = whole): Promise<SimulatedService> {
  const service = await simulatedService({ feeds: [feed], profile: "standard", resolution: 5, start });
  for (const fault of faults) service.mirror.faults.add(fault);
  return service;
}

async function runOf(service: SimulatedService): Promise<EnsembleRun | undefined> {
  const { runs } = await readManifest(service.archive);
  return runs.find(({ referenceTime }) => referenceTime === CYCLE) as EnsembleRun | undefined;
}

async function expectRight(service: SimulatedService): Promise<void> {
  const { wrong, compared } = await checkEnsembles(service.archive, new Set(), 4);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(50);
}

const errorOf = async (service: SimulatedService) => (await service.states.all())[0]!.error;

it("a member that no host has is waited for until it is overdue, then counted, and the status says how many there are", async () => {
  await using service = await started(
    [{ fault: "missing", match: memberFile(7) }],
    secondDue - 20 * MINUTE_S,
  );
  await service.runUntil(secondDue - MINUTE_S);
  expect(await runOf(service)).toBeUndefined();
  await service.runUntil(due + 600);
  const run = await runOf(service);
  expect(run?.ensemble).toEqual({ members: all.filter((member) => member !== 7), size: SIZE });
  expect(run?.times).toHaveLength(3);
  expect(await errorOf(service)).toBe("the cycle 2026-12-31T18:00:00Z has 7 of 8 members");
  await expectRight(service);
});

it("a member that lacks one step is missing there alone", async () => {
  await using service = await started([{ fault: "missing", match: memberFile(7, "006") }]);
  await service.runUntil(due + 600);
  expect((await runOf(service))?.ensemble.members).toEqual(all);
  const { wrong } = await checkEnsembles(
    service.archive,
    new Set(),
    4,
    (cycle, member, time) => cycle === CYCLE && member === 7 && time === CYCLE + 6 * HOUR_S,
  );
  expect(wrong).toEqual([]);
});

it("a member that comes late, before the cycle is whole, is added, and nothing is fetched twice", async () => {
  const until = whole + 20 * MINUTE_S;
  await using service = await started(
    [{ fault: "missing", match: memberFile(7), until }],
    secondDue - 10 * MINUTE_S,
  );
  await service.runUntil(due + 600);
  expect((await runOf(service))?.ensemble.members).toEqual(all);
  expect(await errorOf(service)).toBeNull();
  const ranges = service.mirror.log
    .filter(({ range, status }) => range && status === 206)
    .map(({ url, range }) => `${url.replace(/^\/[^/]+/, "")} ${range}`);
  expect(new Set(ranges).size).toBe(ranges.length);
  await expectRight(service);
});

it.each(["slow-down", "error", "missing", "truncated", "index-cut", "yesterday"] as const)(
  "a member whose object is %s at the first host comes from the next one",
  async (fault) => {
    await using service = await started([{ fault, match: `${AWS}.*${memberFile(3)}` }]);
    await service.runUntil(due + 600);
    expect((await runOf(service))?.ensemble.members).toEqual(all);
    await expectRight(service);
  },
);

it.each(["truncated", "not-numbers", "mean-jump", "out-of-range"] as const)(
  "a member whose objects are %s everywhere is left out, and no wrong number of it is published",
  async (fault) => {
    await using service = await started([{ fault, match: memberFile(3) }]);
    await service.runUntil(due + 3 * HOUR_S);
    const run = await runOf(service);
    expect(run?.ensemble.size).toBe(SIZE);
    const { wrong } = await checkEnsembles(
      service.archive,
      new Set(),
      4,
      (cycle, member) => cycle === CYCLE && member === 3,
    );
    expect(wrong).toEqual([]);
  },
);

it("the status names a damaged member while it is awaited, but no late one, and the hosts are asked at the same times for both", async () => {
  const asked: number[][] = [];
  const file = `${memberFile(3)}\\.grib2$`;
  for (const [fault, match, words] of [
    ["missing", memberFile(3)],
    ["forbidden", memberFile(3)],
    ["truncated", memberFile(3), "(the index lacks PERPW of the member 3 (surface, instant))"],
    ["garbage", file, "(message 1 of 3: it does not begin as a GRIB2 message)"],
  ] as const) {
    await using service = await started([{ fault, match }], firstDue - 20 * MINUTE_S);
    await service.runUntil(firstDue - MINUTE_S);
    const error = await errorOf(service);
    if (words === undefined) expect(error).toBeNull();
    else expect(error).toContain(`AWS: the host lacks member 3 ${words}; Google: the host lacks member 3`);
    const ofMember = service.mirror.log.filter(({ url }) => new RegExp(`${memberFile(3)}.*idx$`).test(url));
    asked.push([...new Set(ofMember.map(({ at }) => at))]);
  }
  expect(asked[0]!.length).toBeGreaterThan(3);
  expect(asked).toEqual(asked.map(() => asked[0]));
});

it("publishes no step with less than half of its members, and all of them when they are back", async () => {
  const until = whole + 2 * HOUR_S;
  const most = "gefs\\.wave\\.t\\d\\dz\\.p0[1-5]\\.";
  await using service = await started([{ fault: "missing", match: most, until }], whole + HOUR_S);
  await service.runUntil(until);
  expect(await runOf(service)).toBeUndefined();
  expect(await errorOf(service)).toContain("lacks 5 of 8 members");
  await service.runUntil(until + HOUR_S);
  expect((await runOf(service))?.ensemble.members).toEqual(all);
});

/** Hours without any file: a day, of which the short form waits for a quarter. */
const GONE_H = process.env.THOROUGH === "1" ? 24 : 6;

it("comes back with its next cycle after hours without any file, and says meanwhile that nothing has come", async () => {
  const until = whole + GONE_H * HOUR_S;
  const mean = shortFeed("gefswave-mean", 12);
  await using service = await simulatedService({
    feeds: [mean],
    profile: "standard",
    resolution: 5,
    start: whole,
  });
  service.mirror.faults.add({ fault: "missing", match: "gefs\\.wave", until });
  await service.runUntil(until);
  expect((await readManifest(service.archive)).runs).toEqual([]);
  expect(await errorOf(service)).toContain("nothing has come yet");
  await service.runUntil(until + 7 * HOUR_S);
  const { runs } = await readManifest(service.archive);
  expect(runs.some(({ referenceTime }) => referenceTime === CYCLE + GONE_H * HOUR_S)).toBe(true);
  expect(await errorOf(service)).toBeNull();
  await expectRight(service);
});
