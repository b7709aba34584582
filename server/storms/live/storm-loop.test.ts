import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import type { FaultName } from "#test/feeds-mirror/faults.ts";
import { liveStorms } from "#test/live-storms.ts";

const START = Date.parse("2026-09-15T16:00:00Z") / 1000;
const ALL = ["nhc", "jtwc", "jma"] as const;

it("publishes the storms of all feeds from empty folders, with the host of the newest text", async () => {
  await using live = await liveStorms(ALL, START);
  await live.round();
  const own = await live.storms("jtwc");
  expect(own.map(({ id, mirror }) => [id, mirror])).toEqual([
    ["AL222026", "www.nhc.noaa.gov"],
    ["EP952026", "ftp.nhc.noaa.gov"],
    ["SH062027", "www.metoc.navy.mil"],
    ["WP212026", "www.metoc.navy.mil"],
  ]);
  expect(own[0]!.tracks.forecast!.points.length).toBeGreaterThan(5);
  expect(await live.storms("jma")).toMatchObject([{ mirror: "www.jma.go.jp" }, { is_invest: true }]);
  for (const name of ALL)
    expect(await live.state(name)).toMatchObject({
      state: "current",
      error: null,
      nextExpected: START + 600,
    });
});

it("a feed that was never reached is failing, and is asked again after a minute, then ever later up to ten", async () => {
  await using live = await liveStorms(["jma"], START);
  live.mirror.faults.add({ fault: "error", match: "." });
  const waits: number[] = [];
  for (let look = 0; look < 6; look++) {
    await live.round();
    const { state, error, errorAt, nextExpected } = (await live.state("jma"))!;
    expect([state, error]).toEqual(["failing", expect.stringContaining("500")]);
    waits.push(nextExpected! - errorAt!);
    live.clock.seconds = Math.max(live.clock.seconds, nextExpected!);
  }
  expect(waits).toEqual([60, 120, 240, 480, 600, 600]);
  live.mirror.faults.clear();
  await live.round();
  expect((await live.state("jma"))!.state).toBe("current");
  // From now on it is late when it fails: what is there goes on to hold.
  live.mirror.faults.add({ fault: "error", match: "." });
  live.clock.seconds += 600;
  await live.round();
  expect((await live.state("jma"))!.state).toBe("late");
});

it("asks no more often than a feed's cycle deserves, and only for what has changed", async () => {
  await using live = await liveStorms(ALL, START);
  const first = await live.round();
  const newest = (await live.storms("jtwc"))[0]!.tracks.observed.at(-1)!.time;
  const { bytesToday: bytes } = (await live.state("nhc"))!;
  expect(await live.round()).toEqual([]);
  live.clock.seconds += 601;
  const lists = await live.round();
  expect(lists).toContain("www.nhc.noaa.gov/CurrentStorms.json 304");
  expect(lists.filter((asked) => !/CurrentStorms|jtwc\.rss|typhoon\/data.* 304/.test(asked))).toEqual([]);
  live.restart();
  live.clock.seconds += 1800;
  const again = await live.round();
  expect(again.length).toBe(first.length);
  expect(again.filter((asked) => !/ (?:304|404)$/.test(asked))).toEqual([]);
  expect((await live.state("nhc"))!.bytesToday).toBe(bytes);
  const hours = await live.pass(6 * HOUR_S);
  const times = (part: string) => hours.filter((each) => each.includes(part)).length;
  expect(times("CurrentStorms")).toBeLessThanOrEqual(36);
  expect(times("btk/bal222026.dat")).toBeLessThanOrEqual(12);
  // The fixes of the cycle that came meanwhile.
  expect((await live.storms("jtwc"))[0]!.tracks.observed.at(-1)!.time).toBeGreaterThan(newest);
});

it.each<[FaultName]>([
  ["cut"],
  ["truncated"],
  ["garbage"],
  ["bot-page"],
  ["forbidden"],
  ["missing"],
  ["throttled"],
  ["error"],
])(
  "changes nothing while every host answers with the fault: %s, says so, and goes on by itself",
  async (fault) => {
    await using live = await liveStorms(ALL, START);
    await live.round();
    const before = await Promise.all([live.storms("jtwc"), live.storms("jma")]);
    const files = ["jtwc/nhc/CurrentStorms.json", "jtwc/nhc/fst/al222026.fst"];
    const texts = await Promise.all(files.map(live.read));
    live.mirror.faults.add({ fault, match: "." });
    // The next cycle is out by then.
    for (const seconds of [6 * HOUR_S, 1200, HOUR_S]) {
      live.clock.seconds += seconds;
      await live.round();
    }
    const after = await Promise.all([live.storms("jtwc"), live.storms("jma")]);
    for (const [index, storms] of before.entries())
      for (const { id, tracks } of storms) {
        const now = after[index]!.find((each) => each.id === id);
        expect(now).toMatchObject({ is_active: true, tracks: { observed: tracks.observed } });
        expect(now!.tracks.forecast?.points).toEqual(tracks.forecast?.points);
      }
    expect(await Promise.all(files.map(live.read))).toEqual(texts);
    const { state, error } = (await live.state("nhc"))!;
    expect(state).toBe("failing");
    expect(error).toMatch(/www\.nhc\.noaa\.gov|no host has CurrentStorms\.json/);
    // Whatever a host sends, the words are for people.
    expect(error).toMatch(/^[ -~]+$/);
    expect((await live.state("jtwc"))!.state).toBe("failing");
    expect((await live.state("jma"))!.state).toBe("failing");
    live.mirror.faults.clear();
    live.clock.seconds += HOUR_S;
    await live.round();
    for (const name of ALL) expect(await live.state(name)).toMatchObject({ state: "current", error: null });
  },
  20_000,
);

it("does not go back to the files of the day before, nor ends a storm when hosts stand still", async () => {
  await using live = await liveStorms(ALL, START);
  await live.round();
  const deck = await live.read("jtwc/nhc/btk/bal222026.dat");
  live.mirror.faults.add({ fault: "yesterday", match: "btk|bdecks|products|fst" });
  live.clock.seconds += 6 * HOUR_S;
  await live.round();
  expect(await live.read("jtwc/nhc/btk/bal222026.dat")).toBe(deck);
  live.mirror.faults.clear();
  live.frozenAt = live.clock.seconds;
  for (let hours = 0; hours < 30; hours += 3) {
    live.clock.seconds += 3 * HOUR_S;
    await live.round();
  }
  for (const { id, is_active, is_overdue } of await live.storms("jtwc"))
    expect([id, is_active, is_overdue]).toEqual([id, true, true]);
});

it("takes the gateway's slots where the navy's host refuses, and no storm from a slot that was never cleared", async () => {
  await using live = await liveStorms(["jtwc"], START);
  live.mirror.faults.add({ fault: "forbidden", match: "metoc\\.navy\\.mil" });
  await live.round();
  const storms = await live.storms("jtwc");
  expect(storms.map(({ id }) => id)).toEqual(["EP952026", "SH062027", "WP212026"]);
  expect(storms.map(({ mirror }) => mirror)).toEqual(Array(3).fill("tgftp.nws.noaa.gov"));
  expect(await live.state("jtwc")).toMatchObject({ state: "current", mirror: "tgftp.nws.noaa.gov" });
  await expect(live.read("jtwc/jtwc/slots/wtpn54.txt")).rejects.toThrow(/ENOENT/);
});

it("takes a deck from the next host where the first one stands still", async () => {
  await using live = await liveStorms(["jtwc"], START);
  live.mirror.faults.add({ fault: "yesterday", match: "hurricanes\\.ral\\.ucar\\.edu.*dat" });
  live.mirror.faults.add({ fault: "forbidden", match: "metoc|tgftp" });
  await live.round();
  const storms = await live.storms("jtwc");
  expect(storms.map(({ mirror }) => mirror)).toEqual(Array(2).fill("www.ssd.noaa.gov"));
});

it("keeps the text of the first host when the next one has another text of the same time", async () => {
  await using live = await liveStorms(["nhc"], START);
  await live.round();
  const deck = await live.read("jtwc/nhc/btk/bal222026.dat");
  live.mirror.faults.add({ fault: "replaced", match: "hurricanes" });
  const other = `${live.mirror.url}/hurricanes.ral.ucar.edu/repository/data/bdecks_open/2026/bal222026.dat`;
  await (await fetch(other)).text();
  expect(await (await fetch(other)).text()).not.toBe(deck);
  live.mirror.faults.add({ fault: "forbidden", match: "ftp\\.nhc.*dat" });
  live.clock.seconds += 1801;
  expect(await live.round()).toContainEqual(expect.stringMatching(/bdecks_open.*bal222026\.dat 200/));
  expect(await live.read("jtwc/nhc/btk/bal222026.dat")).toBe(deck);
});

it("asks a host that fails ever later, and calls the feed late before it calls it failing", async () => {
  await using live = await liveStorms(["nhc"], START);
  await live.round();
  live.mirror.faults.add({ fault: "forbidden", match: "CurrentStorms" });
  const asked: number[] = [];
  for (const hours of [1, 3, 3]) {
    const log = await live.pass(hours * HOUR_S - 600);
    asked.push(log.filter((each) => each.includes("CurrentStorms")).length);
    expect((await live.state("nhc"))!.state).toBe(hours === 1 ? "late" : "failing");
    live.clock.seconds += 600;
  }
  expect(asked[0]).toBeGreaterThan(2);
  expect(asked[2]).toBeLessThan(4);
});

it("removes a text that no list wants after ten days", async () => {
  await using live = await liveStorms(["jtwc"], START);
  live.mirror.faults.add({ fault: "forbidden", match: "metoc\\.navy\\.mil" });
  await live.round();
  const slot = "jtwc/jtwc/slots/wtpn31.txt";
  await live.read(slot);
  live.mirror.faults.clear();
  for (const days of [9, 2]) {
    await live.read(slot);
    live.clock.seconds += days * 24 * HOUR_S;
    await live.round();
  }
  await expect(live.read(slot)).rejects.toThrow(/ENOENT/);
});

it("reads the JMA's telegrams where its typhoon data cannot be had", async () => {
  await using live = await liveStorms(["jma"], START);
  live.mirror.faults.add({ fault: "forbidden", match: "www\\.jma\\.go\\.jp" });
  const asked = await live.round();
  expect(asked).toContain("www.data.jma.go.jp/developer/xml/feed/extra.xml 200");
  expect(await live.state("jma")).toMatchObject({ state: "current" });
});

it("removes a storm's files when the list no longer has it, and not because they are missing", async () => {
  await using live = await liveStorms(["jma"], START);
  await live.round();
  live.mirror.faults.add({ fault: "missing", match: "TC2621" });
  live.clock.seconds += HOUR_S;
  await live.round();
  await live.read("jma/jma/TC2621/specifications.json");
  expect((await live.storms("jma")).find(({ id }) => id === "WP212026")).toMatchObject({ is_active: true });
  // A list that has it no longer, as the demo's storm ends after some days.
  live.mirror.faults.clear();
  const codes = async () =>
    JSON.parse(await live.read("jma/jma/targetTc.json")).map(
      (each: { tropicalCyclone: string }) => each.tropicalCyclone,
    );
  for (let day = 0; day < 12 && (await codes()).includes("TC2621"); day++) {
    live.clock.seconds += 24 * HOUR_S;
    await live.round();
  }
  expect(await codes()).not.toContain("TC2621");
  await expect(live.read("jma/jma/TC2621/specifications.json")).rejects.toThrow(/ENOENT/);
}, 30_000);

it("stops at the byte budget of the day, says so, and goes on the day after", async () => {
  await using live = await liveStorms(["nhc"], START);
  live.bytesADay = 2000;
  live.restart();
  await live.round();
  const midnight = Date.parse("2026-09-16T00:00:00Z") / 1000;
  expect(await live.state("nhc")).toMatchObject({
    error: expect.stringMatching(/budget/),
    nextExpected: midnight,
  });
  live.bytesADay = Number.POSITIVE_INFINITY;
  live.restart();
  live.clock.seconds += 24 * HOUR_S;
  await live.round();
  expect(await live.state("nhc")).toMatchObject({ state: "current", error: null });
});

it("fetches again what was lost from its folder, and removes what others put there", async () => {
  await using live = await liveStorms(["nhc"], START);
  await live.round();
  const deck = await live.read("jtwc/nhc/btk/bal222026.dat");
  await live.write("jtwc/nhc/stray.txt", "put there by hand");
  await live.remove("jtwc/nhc/btk/bal222026.dat");
  live.restart();
  live.clock.seconds += 1801;
  await live.round();
  expect(await live.read("jtwc/nhc/btk/bal222026.dat")).toBe(deck);
  await expect(live.read("jtwc/nhc/stray.txt")).rejects.toThrow(/ENOENT/);
});
