import type { FeedText, Provider } from "@open-metocean/storms/bulletin";
import { stormEntry as published } from "@open-metocean/storms/schema";
import { expect, it } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { seeded } from "#test/seeded.ts";
import { at } from "#test/storm-texts.ts";
import { MemoryStore } from "#test/storms-replay/memory-store.ts";
import { type DerivedStorms, deriveStorms, newestText } from "./derive.ts";
import { type Feed, refresh, UnreadableFeedError } from "./refresh.ts";

const HOUR = 3600;
const now = at("2026-09-15T12:00");
const key = { provider: "jtwc", synthetic: false } as const;
const demo = (then: number, provider: Provider = "jtwc") => feedTexts(provider, then, { seed: 1 });
const first = demo(now);

/** A reader of a mirror, and what it has stored. */
function reader() {
  const store = new MemoryStore();
  const stored = async () => (await store.snapshot(key))?.storms;
  return {
    stored,
    read: (texts: readonly FeedText[] | Error, then = now) => {
      const feed: Feed = {
        ...key,
        texts: async () => {
          if (texts instanceof Error) throw texts;
          return [...texts];
        },
      };
      return refresh(feed, {
        store,
        derive: deriveStorms,
        now: then,
        signal: new AbortController().signal,
      });
    },
    ids: async () => (await stored())?.map(({ entry }) => entry.id),
  };
}

/** Derives the storms from texts of a provider that are read after those of `before`. */
const derive = (
  texts: readonly FeedText[],
  then: number,
  before?: DerivedStorms,
  provider: Provider = "jtwc",
) =>
  deriveStorms({
    provider,
    texts: texts.map((text) => ({ ...text, receivedAt: then })),
    previous: before?.storms ?? [],
    ...(before && { feed: before.feed, areas: before.areas }),
    now: then,
  });

it("publishes the demo storms through the parsers, in the published form, ordered by id", async () => {
  const { read, ids, stored } = reader();
  expect(await read(first)).toMatchObject({ problems: [], failures: [] });
  expect(await ids()).toEqual(["AL222026", "EP952026", "SH062027", "WP212026"]);
  for (const { entry } of (await stored())!) expect(published.safeParse(entry).error).toBeUndefined();
});

it.each(["<html><body>Please sign in</body></html>", ""])(
  "refuses a page in place of every text, and leaves what was published: %s",
  async (page) => {
    const { read, stored } = reader();
    const broken = first.map((text) => ({ ...text, text: page }));
    await expect(read(broken)).rejects.toThrow(UnreadableFeedError);
    expect(await stored()).toBeUndefined();
    await read(first);
    const before = await stored();
    for (const texts of [broken, broken.slice(0, 1)])
      await expect(read(texts, now + 48 * HOUR)).rejects.toThrow(UnreadableFeedError);
    await expect(read(new Error("refused"), now + HOUR)).rejects.toThrow("refused");
    // A storm that is left out stays.
    await read(first.slice(0, 1), now + HOUR);
    expect(await stored()).toEqual(before);
  },
);

it("publishes nothing at first while all storm texts are refused, also beside readable ones without storms", async () => {
  const { read, ids } = reader();
  const list = { source: "CurrentStorms.json", text: '{"activeStorms":[]}', receivedAt: now };
  const deck = first.find(({ source }) => source.includes("wp212026"))!;
  await expect(read([list, { ...deck, text: "", refused: "too large" }])).rejects.toThrow(
    UnreadableFeedError,
  );
  // Nothing is refused: there is no storm.
  await read([list]);
  expect(await ids()).toEqual([]);
});

it("keeps an entry if only the time of the refresh differs, so that cached copies stay valid", async () => {
  const { read, stored } = reader();
  await read(first);
  const before = await stored();
  await read(first, now + 600);
  expect(await stored()).toEqual(before);
  expect(before![0]!.entry.generated_at).toBe(now);
});

it("keeps the last valid entry if the new one does not match the published schema", () => {
  const known = derive(first, now);
  // Its texts are missing, so that the entry is derived from the bulletin before; a negative radius makes it invalid.
  const broken = known.storms.find(({ entry }) => entry.id === "WP212026")!;
  const last = broken.bulletin.observed.at(-1)!;
  broken.bulletin.observed.push({ ...last, time: now, radiiKm: { 34: { ne: -5, se: -5, sw: -5, nw: -5 } } });
  const { failures, storms } = derive(
    first.filter(({ source }) => !source.includes("wp21")),
    now,
    known,
  );
  expect(failures.map(({ id }) => id)).toEqual(["WP212026"]);
  expect(storms.find(({ entry }) => entry.id === "WP212026")!.entry).toEqual(broken.entry);
});

it("keeps what is known when the clock is set back by minutes, and nothing of it in a replay of the past", async () => {
  const { read, ids, stored } = reader();
  await read(first);
  await read(
    first.filter(({ source }) => !source.includes("wp212026")),
    now - 600,
  );
  expect(await ids()).toContain("WP212026");
  const past = now - 30 * 24 * HOUR;
  await read(demo(past), past);
  for (const { bulletin } of (await stored())!)
    expect(bulletin.observed.at(-1)!.time).toBeLessThanOrEqual(past);
});

it("removes a storm 24 h after its end for good, although its deck stays in the mirror", async () => {
  const { read, stored } = reader();
  const base = at("2026-09-25T06:00");
  const row = (day: string) =>
    `WP, 25, 202609${day},   , BEST,   0, 180N, 1300E,  35,  996, TS,  34, NEQ,   60,   60,   60,   60,\n`;
  const forecast = [0, 12].map(
    (tau) => `WP, 25, 2026092706, 03, JTWC, ${tau}, 180N, 1300E,  40,  990, TS,\n`,
  );
  const deck = ["2418", "2500", "2506"].map(row).join("");
  const final =
    "WTPN51 PGTW 250900\nWARNING    ATCG MIL 25W NWP 260925093833\n2026092506 25W SURIGAE    014  01 305 12 SATL 060\nAMP\nTHIS IS THE FINAL WARNING ON THIS\nSYSTEM.//\nNNNN\n";
  const readAt = async (hours: number, more: Record<string, string> = {}) => {
    const mirror = Object.entries({ "bwp252026.dat": deck, "wp2526.tcw": final, ...more });
    const then = base + hours * HOUR;
    await read(
      mirror.map(([source, text]) => ({ source, text, receivedAt: then })),
      then,
    );
    return (await stored())!.map(({ entry }) => entry.is_active);
  };
  for (const hours of [4, 12, 24]) expect(await readAt(hours)).toEqual([false]);
  // The clock is set back once.
  for (const hours of [25, 26, 32, 47, 46.1, 49]) expect(await readAt(hours)).toEqual([]);
  // Its best track gets another fix. That is not a warning, which begins again.
  const longer = { "bwp252026.dat": deck + row("2700") };
  expect(await readAt(49.5, longer)).toEqual([false]);
  expect(await readAt(52, { ...longer, "awp252026.dat": forecast.join("") })).toEqual([true]);
});

it.each(["jtwc", "jma"] as const)(
  "a mirror that stands still keeps the active storms of %s listed, without their old forecasts, and its age grows",
  (provider) => {
    let derived = derive(demo(now, provider), now, undefined, provider);
    const activeOf = () => derived.storms.flatMap(({ entry: { id, is_active } }) => (is_active ? [id] : []));
    const [active, newest] = [activeOf(), newestText(derived.feed)!];
    expect(active.length).toBeGreaterThan(0);
    expect(now - newest).toBeLessThanOrEqual(6 * HOUR);
    for (let hours = 1; hours <= 120; hours += 7) {
      const then = now + hours * HOUR;
      derived = derive(demo(now, provider), then, derived, provider);
      expect([newestText(derived.feed), activeOf()]).toEqual([newest, active]);
      for (const { tracks, cone, is_active, is_overdue, bulletin_at } of derived.storms.map(
        (each) => each.entry,
      )) {
        if (!is_active) continue;
        const age = tracks.forecast && then - tracks.forecast.issued_at;
        expect(age ?? 0).toBeLessThan(24 * HOUR);
        expect(tracks.forecast?.is_stale).toBe(age === undefined ? undefined : age >= 12 * HOUR);
        expect(cone !== undefined && tracks.forecast === undefined).toBe(false);
        if (hours > 24) expect([tracks.forecast, is_overdue]).toEqual([undefined, true]);
        expect(bulletin_at).toBeLessThanOrEqual(newest);
      }
    }
  },
);

it("keeps what a text said before it was cut, at any byte, and names it", () => {
  const whole = derive(first, now);
  const random = seeded(7);
  let cuts = 0;
  for (let attempt = 0; attempt < 40; attempt++) {
    const index = Math.floor(random() * first.length);
    const text = first[index]!.text.slice(0, Math.floor(random() * first[index]!.text.length));
    const { storms, cut, problems } = derive(first.with(index, { ...first[index]!, text }), now, whole);
    expect(storms.map(({ entry }) => entry)).toEqual(whole.storms.map(({ entry }) => entry));
    expect(problems.map(({ source }) => source)).toEqual(expect.arrayContaining(cut));
    cuts += cut.length;
  }
  expect(cuts).toBeGreaterThan(0);
});
