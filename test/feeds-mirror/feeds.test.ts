import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mirror as FeedMirror, FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { fieldFeeds } from "#server/ingest/sources/all.ts";
import { hosts } from "./hosts.ts";
import { type Mirror, startMirror } from "./mirror.ts";
import type { MirrorRequest } from "./published.ts";

const DAY_S = 86_400;
const planet = { resolution: 2.5 } as const;
let now = Date.UTC(2026, 8, 3, 20) / 1000;
let mirror: Mirror;
beforeAll(async () => {
  mirror = await startMirror({ now: () => now, planet });
});
afterAll(() => mirror.close());

/** The newest cycle that should be whole. */
function newestWhole({ cycles, delay }: FieldFeed): number {
  return Math.floor((now - delay.whole - cycles.offset) / cycles.every) * cycles.every + cycles.offset;
}

/** Names that a part may have at a host, best first; each part of a list is one object that must be there. */
function namesOf(feed: FieldFeed, profile: Profile, host: FeedMirror, cycle: number): string[][] {
  return feed.parts(cycle, profile).flatMap((part): string[][] => {
    const objects = feed.objects(part, profile, host);
    if (objects === undefined) return [];
    if (objects.kind === "messages") return [[objects.object], [objects.index.object]];
    if (objects.kind === "file" || objects.kind === "all") return [[...objects.objects]];
    // A step of 2025: hourly, of a depth; or three-hourly.
    const key = feed.name === "smoc" ? "30000.0.0.0" : "9000.0.0";
    return [".zmetadata", "time/0", ...objects.arrays.map((array) => `${array}/${key}`)].map((name) => [
      `${objects.store}/${name}`,
    ]);
  });
}

function isPublished(url: string): boolean {
  const { hostname, pathname, searchParams } = new URL(url);
  const request: MirrorRequest = { path: decodeURIComponent(pathname), query: searchParams, now };
  const found = hosts[hostname]?.(request, planet);
  return found !== undefined && now >= found.from && now < (found.until ?? Number.POSITIVE_INFINITY);
}

const cases = fieldFeeds.flatMap((feed) =>
  feed.mirrors.flatMap((host) =>
    (["lite", "full"] as const).map((profile) => [feed.name, host.name, profile, feed, host] as const),
  ),
);

describe.each(cases)("%s at %s, %s", (_name, _host, profile, feed, host) => {
  it("has every object of a cycle that should be whole", () => {
    const cycle = newestWhole(feed);
    if (host.youngerThan !== undefined && now - cycle > host.youngerThan) return;
    const names = namesOf(feed, profile, host, cycle);
    const absent = names.filter((some) => !some.some((name) => isPublished(`${host.base}/${name}`)));
    expect(absent).toEqual([]);
  });

  it("has nothing of a cycle that has not begun to appear", () => {
    // A store and a series are one object for all cycles, and the relief has one cycle for ever.
    if (["etopo", "smoc", "cmemswave", "hycom"].includes(feed.name)) return;
    const cycle = newestWhole(feed) + 2 * Math.max(feed.cycles.every, DAY_S);
    const last = namesOf(feed, profile, host, cycle).at(-1)!;
    expect(last.filter((name) => isPublished(`${host.base}/${name}`))).toEqual([]);
  });
});

it("appears step by step, the first one soon after its feed expects it", () => {
  const gfs = fieldFeeds.find(({ name }) => name === "gfs")!;
  const cycle = newestWhole(gfs);
  const host = gfs.mirrors[0]!;
  const before = now;
  now = cycle + gfs.delay.first + 5 * 60;
  const there = namesOf(gfs, "full", host, cycle).filter(([name]) => isPublished(`${host.base}/${name}`));
  now = before;
  expect(there.length).toBeGreaterThan(0);
  expect(there.length).toBeLessThan(namesOf(gfs, "full", host, cycle).length / 2);
});

it("has a bucket that lists the runs of a month which are there", async () => {
  const prefix =
    "native/GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211/2026/09/SMOC_20260904";
  const url = `${mirror.url}/s3.waw3-1.cloudferro.com/mdl-native-14?list-type=2&prefix=${prefix}`;
  const text = await (await fetch(url)).text();
  const runs = [...text.matchAll(/<Key>[^<]*_R(\d+)\.nc<\/Key>/g)].map(([, run]) => run);
  expect(runs).toContain("20260903");
  expect(runs).not.toContain("20260904");
});
