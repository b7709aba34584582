import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import { replaceFile } from "#server/platform/files.ts";
import { directoryFeed } from "#server/storms/refresh.ts";
import { temporaryFolder } from "#test/archive.ts";
import type { FaultName } from "#test/feeds-mirror/faults.ts";
import { liveStorms } from "#test/live-storms.ts";
import { jmaFeed, type LiveRound, listedDecks, nhcFeed } from "./feeds.ts";
import { judgeText, lookAt } from "./live-round.ts";

const START = Date.parse("2026-09-15T16:00:00Z") / 1000;
const { signal: never } = new AbortController();
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
  // From now on a failure makes the feed late, because the storms read before are still valid.
  live.mirror.faults.add({ fault: "error", match: "." });
  live.clock.seconds += 600;
  await live.round();
  expect((await live.state("jma"))!.state).toBe("late");
});

it("a host of one centre that hangs for ever keeps no other centre waiting, and a stop ends the wait at once", async () => {
  await using live = await liveStorms(ALL, START);
  await live.round();
  live.hanging = /nhc\.noaa\.gov/;
  const stop = new AbortController();
  live.clock.seconds += HOUR_S;
  const hung = live.loop("nhc").round(stop.signal);
  for (let hour = 0; hour < 7; hour++) {
    for (const name of ["jtwc", "jma"] as const) {
      await live.loop(name).round(never);
      expect(await live.state(name)).toMatchObject({ state: "current", lastSuccess: live.clock.seconds });
    }
    live.clock.seconds += HOUR_S;
  }
  // The next cycle was issued in the meantime; the storms of the feed that hangs are unchanged.
  for (const provider of ["jtwc", "jma"] as const) {
    const typhoon = (await live.storms(provider)).find(({ id }) => id === "WP212026")!;
    expect(typhoon.tracks.observed.at(-1)!.time).toBeGreaterThan(START);
  }
  expect((await live.storms("jtwc")).find(({ id }) => id === "AL222026")).toMatchObject({ is_active: true });
  stop.abort(new Error("the service ends"));
  await expect(hung).rejects.toThrow("the service ends");
});

it("reads no text that the loop of another feed is writing", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "bal222026.dat");
  await replaceFile(
    file,
    (async function* () {
      yield Buffer.from("AL, 22");
      await writeFile(path.join(folder, "bal232026.dat"), "AL, 23");
      const texts = await directoryFeed("jtwc", folder, START).texts(never);
      expect(texts.map(({ source }) => source)).toEqual(["bal232026.dat"]);
    })(),
  );
  expect(await readFile(file, "utf8")).toBe("AL, 22");
});

it("asks in time where the clock was a day ahead for one round", async () => {
  await using live = await liveStorms(ALL, START);
  live.clock.seconds += 86_400;
  await live.round();
  live.clock.seconds -= 86_400;
  expect((await live.round()).length).toBeGreaterThan(2);
  expect((await live.storms("jtwc")).length).toBeGreaterThan(2);
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
  // The fixes of the cycle that was issued in the meantime.
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
  const before = (await live.storms("jtwc")).map(({ id }) => id);
  for (let hours = 0; hours < 30; hours += 3) {
    live.clock.seconds += 3 * HOUR_S;
    await live.round();
  }
  const after = await live.storms("jtwc");
  expect(before.length).toBeGreaterThan(0);
  expect(after.map(({ id, is_active, is_overdue }) => [id, is_active, is_overdue])).toEqual(
    before.map((id) => [id, true, true]),
  );
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

it("quotes nothing of what a host sent that a page cannot show", async () => {
  const bytes = Buffer.from("[\u0001\u001b[31m\u00a0garbage");
  const fetcher: Fetcher = {
    get: async () => ({ kind: "ok", bytes, length: bytes.length }),
    close: () => {},
  };
  const now = Date.UTC(2026, 8, 1) / 1000;
  const { problem } = await lookAt(nhcFeed, {
    fetcher,
    folder: temporaryFolder(),
    now,
    signal: never,
  });
  expect(problem).toMatch(/www\.nhc\.noaa\.gov sent \/CurrentStorms\.json unusable/);
  expect(problem).toMatch(/^[ -~]+$/);
});

const now = Date.UTC(2026, 8, 15, 16) / 1000;
const DATA = "https://www.data.jma.go.jp/developer/xml/data";

const entry = (name: string, updated: string) =>
  `<entry><id>x</id><updated>${updated}</updated><link type="application/xml" href="${DATA}/${name}.xml"/></entry>`;

/** The telegrams that are asked for where the typhoon data cannot be had. */
async function telegramsOf(entries: string): Promise<string[]> {
  const asked: string[] = [];
  const round: LiveRound = {
    now,
    text: async ({ urls }) => {
      asked.push(...urls);
      return { text: undefined, isOk: false };
    },
    page: async (_place, isWhole) => {
      const text = `<feed xmlns="http://www.w3.org/2005/Atom">${entries}</feed>\n`;
      return { text, isOk: isWhole(text) };
    },
    lacks: () => {},
    remove: async () => {},
    files: async () => [],
  };
  await jmaFeed.collect(round);
  return asked.filter((url) => url.startsWith(DATA)).map((url) => url.slice(DATA.length + 1));
}

it("asks for the typhoon telegrams of the last day and for no other: the feed lists a week, and all kinds", async () => {
  const asked = await telegramsOf(
    [
      entry("20260915150000_0_VPTW60_010000", "2026-09-15T15:00:00Z"),
      // A day ago to the second, by the clock of Japan.
      entry("20260914160000_0_VPTW61_010000", "2026-09-15T01:00:00+09:00"),
      entry("20260914155959_0_VPTW62_010000", "2026-09-14T15:59:59Z"),
      entry("20260908150000_0_VPTW60_010000", "2026-09-08T15:00:00Z"),
      entry("20260915150000_0_VPZU50_010000", "2026-09-15T15:00:00Z"),
      entry("20260915150000_0_VPTW63_010000", "yesterday"),
    ].join(""),
  );
  expect(asked).toEqual(["20260915150000_0_VPTW60_010000.xml", "20260914160000_0_VPTW61_010000.xml"]);
});

const NOW = Date.UTC(2026, 8, 15, 16) / 1000;
const texts = (["jtwc", "jma"] as const).flatMap((provider) => feedTexts(provider, NOW, { seed: 1 }));

it.each(texts.map(({ source, text }) => [source, text]))(
  "takes %s whole, and not when it was cut",
  (source, text) => {
    expect(judgeText(source, text, NOW).kind).toBe("good");
    for (const share of [0.3, 0.6, 0.95]) {
      // Within a row: one of a deck that ends with a whole row may be a shorter deck.
      const cut = text.slice(0, Math.floor(share * text.length)).replace(/.{0,3}\s*$/, "");
      expect(judgeText(source, cut, NOW).kind, `${share}`).toBe("bad");
    }
  },
);

it("a whole warning that is two days old is none that is damaged: the last one stays in its slot", () => {
  const text =
    "WTPN51 PGTW 250900\nWARNING    ATCG MIL 25W NWP 260925093833\n2026092506 25W SURIGAE    014  01 305 12 SATL 060\nAMP\nTHIS IS THE FINAL WARNING ON THIS\nSYSTEM.//\nNNNN\n";
  const issued = Date.UTC(2026, 8, 25, 9) / 1000;
  expect(judgeText("wp2526.tcw", text, issued).kind).toBe("good");
  expect(judgeText("wp2526.tcw", text, issued + 3 * 86_400)).toEqual({ kind: "void" });
  expect(judgeText("wp2526.tcw", text, issued - 3 * 86_400).kind).toBe("bad");
});

const row = (name: string, date: string) => `<a href="${name}">${name}</a>  ${date}  12K\n`;
const page = (rows: string) =>
  `<html><head><title>Index of /atcf/btk</title></head><body>${rows}</body></html>\n`;

it("names the decks that changed within two days, and those without a date, in the forms of the servers", () => {
  const rows = [
    row("bal222026.dat", "2026-09-13 16:00"),
    row("bal212026.dat", "2026-09-13 15:59"),
    row("bwp212026.dat", "14-Sep-2026 09:30"),
    row("bwp202026.dat", "01-Sep-2026 09:30"),
    row("bEP952026.dat", ""),
    row("aal222026.dat", "2026-09-15 12:00"),
    row("readme.txt", "2026-09-15 12:00"),
  ];
  expect(listedDecks(page(rows.join("")), NOW)).toEqual(["bal222026.dat", "bep952026.dat", "bwp212026.dat"]);
});
