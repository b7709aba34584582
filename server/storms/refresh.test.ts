import { describe, expect, it } from "vitest";
import { stormEntry as published } from "#lib/contract/storms.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { seeded } from "#test/seeded.ts";
import type { AreaSnapshot } from "./areas.ts";
import type { FeedText, StormRecord } from "./bulletin.ts";
import { type DeriveInput, deriveStorms, type FeedState, newestText } from "./derive.ts";
import { type Feed, refresh, UnreadableFeedError } from "./refresh.ts";
import type { Snapshot, SnapshotKey, StoredSnapshot, StormStore } from "./store.ts";

const HOUR = 3600;
const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const { signal } = new AbortController();

/** A store of one snapshot, in memory. */
function memoryStore() {
  let stored: StoredSnapshot | undefined;
  const store: Pick<StormStore, "snapshot" | "replace"> & { stored: () => Snapshot | undefined } = {
    snapshot: async () => stored,
    replace: async (
      _: SnapshotKey,
      __: readonly FeedText[],
      storms: readonly StormRecord[],
      refreshedAt: number,
      ___?: unknown,
      ____?: unknown,
      state?: FeedState,
      areas?: AreaSnapshot,
    ) => {
      stored = {
        storms: JSON.parse(JSON.stringify(storms)),
        refreshedAt,
        revision: (stored?.revision ?? 0) + 1,
        origin: null,
        feed: state,
        ...(areas && { areas }),
      };
    },
    stored: () => stored,
  };
  return store;
}

const feedOf = (texts: () => FeedText[] | Promise<FeedText[]>): Feed => ({
  provider: "jtwc",
  synthetic: true,
  texts: async () => texts(),
});

const derive = (input: Omit<DeriveInput, "provider">) => deriveStorms({ provider: "jtwc", ...input });

/** Refreshes a store with texts of the mirror. */
const read = (store: ReturnType<typeof memoryStore>, texts: readonly FeedText[], at = now) =>
  refresh(
    feedOf(() => [...texts]),
    { store, derive: deriveStorms, now: at, signal },
  );

const first = feedTexts("jtwc", now, { seed: 1 });
const ids = (snapshot: Snapshot | undefined) => snapshot?.storms.map(({ entry }) => entry.id);

it("publishes the demo storms through the parsers, in the published form, ordered by id", async () => {
  const store = memoryStore();
  const { problems, failures } = await read(store, first);
  expect({ problems, failures }).toEqual({ problems: [], failures: [] });
  expect(ids(store.stored())).toEqual(["AL222026", "EP952026", "SH062027", "WP212026"]);
  for (const { entry } of store.stored()!.storms) expect(published.safeParse(entry).error).toBeUndefined();
});

it.each([
  ["a login page", "<html><body>Please sign in</body></html>"],
  ["nothing", ""],
])("refuses %s in place of every text, and leaves what was published", async (_, page) => {
  const store = memoryStore();
  const broken = feedOf(() => first.map((text) => ({ ...text, text: page })));
  await expect(refresh(broken, { store, derive: deriveStorms, now, signal })).rejects.toThrow(
    UnreadableFeedError,
  );
  expect(store.stored()).toBeUndefined();
  await read(store, first);
  const later = { store, derive: deriveStorms, now: now + 48 * HOUR, signal };
  await expect(refresh(broken, later)).rejects.toThrow(UnreadableFeedError);
  expect(store.stored()?.refreshedAt).toBe(now);
});

it("publishes nothing at first while all storm texts are refused, also beside readable ones without storms", async () => {
  const store = memoryStore();
  const model =
    "WP, 21, 2026091506, 03, AVNO,   0, 196N, 1313E,  75,  970, XX,  34, NEQ,  110,  100,   75,   95,\n";
  const readable = { source: "awp212026.dat", text: model, receivedAt: now };
  const list = { source: "CurrentStorms.json", text: '{"activeStorms":[]}', receivedAt: now };
  const deck = first.find(({ source }) => source.includes("wp212026"))!;
  const refused = { ...deck, text: "", refused: "larger than 20 MB, as no text of a storm feed is" };
  await expect(read(store, [readable, list, refused])).rejects.toThrow(UnreadableFeedError);
  expect(store.stored()).toBeUndefined();
  // Nothing is refused: there is no storm.
  await read(store, [readable, list]);
  expect(ids(store.stored())).toEqual([]);
});

it("keeps an entry if only the time of the refresh differs, so that cached copies stay valid", async () => {
  const store = memoryStore();
  await read(store, first);
  const before = store.stored()!.storms.map(({ entry }) => entry);
  await read(store, first, now + 600);
  expect(store.stored()!.storms.map(({ entry }) => entry)).toEqual(before);
  expect(before[0]!.generated_at).toBe(now);
});

describe("a feed that breaks", () => {
  it("loses nothing while it cannot be read", async () => {
    const store = memoryStore();
    await read(store, first);
    const before = structuredClone(store.stored());
    const broken = feedOf(() => Promise.reject(new Error("connection refused")));
    for (let minutes = 10; minutes <= 60; minutes += 10) {
      const parts = { store, derive: deriveStorms, now: now + minutes * 60, signal };
      await expect(refresh(broken, parts)).rejects.toThrow("connection refused");
    }
    expect(store.stored()).toEqual(before);
  });

  it("loses nothing while it sends garbage, or leaves a storm out", async () => {
    const store = memoryStore();
    await read(store, first);
    const before = structuredClone(store.stored()!.storms);
    const rubbish = first.map((text) => ({ ...text, text: "<html>Service unavailable</html>" }));
    for (const [texts, isRead] of [
      [rubbish, false],
      [rubbish.slice(0, 1), false],
      [first.slice(0, 1), true],
    ] as const) {
      const reading = read(store, texts, now + HOUR);
      if (isRead) await reading;
      else await expect(reading).rejects.toThrow(UnreadableFeedError);
      expect(store.stored()!.storms).toEqual(before);
    }
  });
});

it("keeps the last valid entry if the new one does not match the published schema", () => {
  const { storms } = derive({ texts: first, previous: [], now });
  const previous = structuredClone(storms);
  // Its texts are missing, so that the entry is derived from the bulletin before.
  const texts = first.filter(({ source }) => !source.includes("wp21"));
  const broken = previous.find(({ entry }) => entry.id === "WP212026")!;
  // A negative wind radius makes the entry invalid.
  broken.bulletin.observed.push({
    ...broken.bulletin.observed.at(-1)!,
    time: now,
    radiiKm: { 34: { ne: -5, se: -5, sw: -5, nw: -5 } },
  });
  const built = derive({ texts, previous, now });
  expect(built.failures.map(({ id }) => id)).toEqual(["WP212026"]);
  expect(built.storms.find(({ entry }) => entry.id === "WP212026")!.entry).toEqual(broken.entry);
});

it("keeps what is known when the clock is set back by minutes, and the mirror has lost a text", async () => {
  const store = memoryStore();
  await read(store, first);
  const rest = first.filter(({ source }) => !source.includes("wp212026"));
  await read(store, rest, now - 600);
  expect(ids(store.stored())).toContain("WP212026");
});

it("removes a storm 24 h after its end for good, although its deck stays in the mirror", async () => {
  const store = memoryStore();
  const base = Date.parse("2026-09-25T06:00:00Z") / 1000;
  const row = (day: string) =>
    `WP, 25, 202609${day},   , BEST,   0, 180N, 1300E,  35,  996, TS,  34, NEQ,   60,   60,   60,   60,\n`;
  const ofForecast = (day: string) =>
    [0, 12].map((tau) => `WP, 25, 202609${day}, 03, JTWC, ${tau}, 180N, 1300E,  40,  990, TS,\n`).join("");
  const deck = ["2418", "2500", "2506"].map(row).join("");
  const final =
    "WTPN51 PGTW 250900\nWARNING    ATCG MIL 25W NWP 260925093833\n2026092506 25W SURIGAE    014  01 305 12 SATL 060\nAMP\nTHIS IS THE FINAL WARNING ON THIS\nSYSTEM.//\nNNNN\n";
  const at = async (hours: number, more: Record<string, string>) => {
    const then = base + hours * HOUR;
    const mirror = Object.entries({ "bwp252026.dat": deck, "wp2526.tcw": final, ...more });
    const texts = mirror.map(([source, text]) => ({ source, text, receivedAt: then }));
    await read(store, texts, then);
    return store.stored()!.storms.map(({ entry }) => [entry.id, entry.is_active]);
  };
  for (const hours of [4, 12, 24]) expect(await at(hours, {})).toEqual([["WP252026", false]]);
  // The clock is set back once.
  for (const hours of [25, 26, 32, 47, 46.1, 49]) expect(await at(hours, {})).toEqual([]);
  // Its best track gets another fix. That is not a warning.
  const longer = { "bwp252026.dat": deck + row("2700") };
  expect(await at(49.5, longer)).toEqual([["WP252026", false]]);
  // A warning begins again.
  expect(await at(52, { ...longer, "awp252026.dat": ofForecast("2706") })).toEqual([["WP252026", true]]);
});

it("ignores what was received later when the weather clock goes back", async () => {
  const store = memoryStore();
  await read(store, first);
  const past = now - 30 * 24 * HOUR;
  await read(store, feedTexts("jtwc", past, { seed: 1 }), past);
  for (const { bulletin } of store.stored()!.storms)
    expect(bulletin.observed.at(-1)!.time).toBeLessThanOrEqual(past);
});

it("publishes a storm for 24 h after its end, without forecast and cone", () => {
  // The demo's decks end at some hour of these weeks.
  for (let hours = 0; hours < 24 * 14; hours += 6) {
    const then = now + hours * HOUR;
    const { storms } = derive({ texts: feedTexts("jtwc", then, { seed: 1 }), previous: [], now: then });
    const ended = storms.find(({ entry }) => !entry.is_active);
    if (!ended) continue;
    expect(ended.entry.tracks.forecast).toBeUndefined();
    expect(ended.entry.cone).toBeUndefined();
    const last = ended.bulletin.observed.at(-1)!.time;
    const later = (at: number) =>
      derive({ texts: [], previous: storms, now: last + at }).storms.map(({ entry }) => entry.id);
    expect(later(24 * HOUR)).toContain(ended.entry.id);
    expect(later(24 * HOUR + 1)).not.toContain(ended.entry.id);
    return;
  }
  expect.unreachable("no demo storm ended in two weeks");
});

describe("a mirror that stands still", () => {
  it.each(["jtwc", "jma"] as const)(
    "keeps the active storms of %s listed, without their old forecasts, and its age grows",
    (provider) => {
      const texts = feedTexts(provider, now, { seed: 1 });
      let derived = deriveStorms({ provider, texts, previous: [], now });
      const active = derived.storms.filter(({ entry }) => entry.is_active).map(({ entry }) => entry.id);
      expect(active.length).toBeGreaterThan(0);
      const newest = newestText(derived.feed)!;
      expect(now - newest).toBeLessThanOrEqual(6 * HOUR);
      for (let hours = 1; hours <= 120; hours += 7) {
        const then = now + hours * HOUR;
        const received = texts.map((text) => ({ ...text, receivedAt: then }));
        derived = deriveStorms({
          provider,
          texts: received,
          previous: derived.storms,
          feed: derived.feed,
          now: then,
        });
        expect(newestText(derived.feed)).toBe(newest);
        const entries = derived.storms.map(({ entry }) => entry);
        expect(entries.filter(({ is_active }) => is_active).map(({ id }) => id)).toEqual(active);
        for (const { tracks, cone, is_active, is_overdue, bulletin_at } of entries) {
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

  it("goes on where it stood when it comes back", () => {
    const at = (then: number) => feedTexts("jtwc", then, { seed: 1 });
    const before = derive({ texts: at(now), previous: [], now });
    const then = now + 30 * HOUR;
    const frozen = at(now).map((text) => ({ ...text, receivedAt: then }));
    const still = derive({ texts: frozen, previous: before.storms, feed: before.feed, now: then });
    const back = derive({ texts: at(then), previous: still.storms, feed: still.feed, now: then });
    const ids = (derived: typeof back) =>
      derived.storms.filter(({ entry }) => entry.is_active).map(({ entry }) => entry.id);
    expect(ids(back)).toEqual(ids(derive({ texts: at(then), previous: [], now: then })));
  });
});

it("keeps what a text said before it was cut, at any byte, and names it", () => {
  const whole = derive({ texts: first, previous: [], now });
  const published = whole.storms.map(({ entry }) => entry);
  const random = seeded(7);
  for (let attempt = 0; attempt < 40; attempt++) {
    const index = Math.floor(random() * first.length);
    const length = Math.floor(random() * first[index]!.text.length);
    const texts = first.map((text, at) =>
      at === index ? { ...text, text: text.text.slice(0, length) } : text,
    );
    const { storms, cut, problems } = derive({
      texts,
      previous: whole.storms,
      feed: whole.feed,
      areas: whole.areas,
      now,
    });
    expect(storms.map(({ entry }) => entry)).toEqual(published);
    for (const source of cut) expect(problems.map((problem) => problem.source)).toContain(source);
  }
});
