import { describe, expect, it } from "vitest";
import { stormEntry as published } from "#lib/contract/storms.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { deriveStorms, type StormRecord } from "./derive.ts";
import type { Feed, FeedText } from "./feed.ts";
import { refresh, UnreadableFeedError } from "./refresh.ts";
import type { Snapshot, SnapshotKey, StormStore } from "./store.ts";

const HOUR = 3600;
const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const { signal } = new AbortController();

/** A store of one snapshot, in memory. */
function memoryStore() {
  let kept: Snapshot | undefined;
  const store: Pick<StormStore, "snapshot" | "replace"> & { kept: () => Snapshot | undefined } = {
    snapshot: async () => kept,
    replace: async (
      _: SnapshotKey,
      __: readonly FeedText[],
      storms: readonly StormRecord[],
      refreshedAt: number,
    ) => {
      kept = { storms: JSON.parse(JSON.stringify(storms)), refreshedAt, revision: (kept?.revision ?? 0) + 1 };
    },
    kept: () => kept,
  };
  return store;
}

const feedOf = (texts: () => FeedText[] | Promise<FeedText[]>): Feed => ({
  provider: "jtwc",
  synthetic: true,
  texts: async () => texts(),
});

const first = feedTexts("jtwc", now, { seed: 1 });
const ids = (snapshot: Snapshot | undefined) => snapshot?.storms.map(({ entry }) => entry.id);

it("publishes the demo storms through the parsers, in the published form, ordered by id", async () => {
  const store = memoryStore();
  const { problems, failures } = await refresh(
    feedOf(() => first),
    { store, derive: deriveStorms, now, signal },
  );
  expect({ problems, failures }).toEqual({ problems: [], failures: [] });
  expect(ids(store.kept())).toEqual(["AL222026", "EP952026", "SH062027", "WP212026"]);
  for (const { entry } of store.kept()!.storms) expect(published.safeParse(entry).error).toBeUndefined();
});

it.each([
  ["the page of somebody who wants a login", "<html><body>Please sign in</body></html>"],
  ["nothing", ""],
])("takes %s in the place of each text for no word of storms: what was published stays", async (_, page) => {
  const store = memoryStore();
  const broken = feedOf(() => first.map((text) => ({ ...text, text: page })));
  await expect(refresh(broken, { store, derive: deriveStorms, now, signal })).rejects.toThrow(
    UnreadableFeedError,
  );
  expect(store.kept()).toBeUndefined();
  await refresh(
    feedOf(() => first),
    { store, derive: deriveStorms, now, signal },
  );
  const later = { store, derive: deriveStorms, now: now + 48 * HOUR, signal };
  await expect(refresh(broken, later)).rejects.toThrow(UnreadableFeedError);
  expect(store.kept()?.refreshedAt).toBe(now);
});

it("makes no new entry where nothing but the hour is another: what caches hold stays good", async () => {
  const store = memoryStore();
  await refresh(
    feedOf(() => first),
    { store, derive: deriveStorms, now, signal },
  );
  const before = store.kept()!.storms.map(({ entry }) => entry);
  await refresh(
    feedOf(() => first),
    { store, derive: deriveStorms, now: now + 600, signal },
  );
  expect(store.kept()!.storms.map(({ entry }) => entry)).toEqual(before);
  expect(before[0]!.generated_at).toBe(now);
});

describe("a feed that breaks", () => {
  it("loses nothing in an hour in which it cannot be read at all", async () => {
    const store = memoryStore();
    await refresh(
      feedOf(() => first),
      { store, derive: deriveStorms, now, signal },
    );
    const before = structuredClone(store.kept());
    const broken = feedOf(() => Promise.reject(new Error("connection refused")));
    for (let minutes = 10; minutes <= 60; minutes += 10) {
      const parts = { store, derive: deriveStorms, now: now + minutes * 60, signal };
      await expect(refresh(broken, parts)).rejects.toThrow("connection refused");
    }
    expect(store.kept()).toEqual(before);
  });

  it("loses nothing in an hour in which it sends rubbish, or nothing of a storm", async () => {
    const store = memoryStore();
    await refresh(
      feedOf(() => first),
      { store, derive: deriveStorms, now, signal },
    );
    const before = structuredClone(store.kept()!.storms);
    const rubbish = first.map((text) => ({ ...text, text: "<html>Service unavailable</html>" }));
    for (const [texts, isRead] of [
      [rubbish, false],
      [rubbish.slice(0, 1), false],
      [first.slice(0, 1), true],
    ] as const) {
      const read = refresh(
        feedOf(() => [...texts]),
        { store, derive: deriveStorms, now: now + HOUR, signal },
      );
      if (isRead) await read;
      else await expect(read).rejects.toThrow(UnreadableFeedError);
      expect(store.kept()!.storms).toEqual(before);
    }
  });
});

it("keeps the last good entry where the new one breaks our own schema", () => {
  const { storms } = deriveStorms({ provider: "jtwc", texts: first, previous: [], now });
  const previous = structuredClone(storms);
  // Its texts are missing, so that the bulletin before is made into an entry again.
  const texts = first.filter(({ source }) => !source.includes("wp21"));
  const broken = previous.find(({ entry }) => entry.id === "WP212026")!;
  // A wind radius that is none makes the entry break the schema, whatever the bulletin says.
  broken.bulletin.observed.push({
    ...broken.bulletin.observed.at(-1)!,
    time: now,
    radiiKm: { 34: { ne: -5, se: -5, sw: -5, nw: -5 } },
  });
  const built = deriveStorms({ provider: "jtwc", texts, previous, now });
  expect(built.failures.map(({ id }) => id)).toEqual(["WP212026"]);
  expect(built.storms.find(({ entry }) => entry.id === "WP212026")!.entry).toEqual(broken.entry);
});

it("forgets what was heard later when the weather clock goes back", async () => {
  const store = memoryStore();
  await refresh(
    feedOf(() => first),
    { store, derive: deriveStorms, now, signal },
  );
  const past = now - 30 * 24 * HOUR;
  await refresh(
    feedOf(() => feedTexts("jtwc", past, { seed: 1 })),
    { store, derive: deriveStorms, now: past, signal },
  );
  for (const { bulletin } of store.kept()!.storms)
    expect(bulletin.observed.at(-1)!.time).toBeLessThanOrEqual(past);
});

it("tells of a storm that has ended for 24 h, without forecast and cone", () => {
  // The demo's decks end at some hour of these weeks.
  for (let hours = 0; hours < 24 * 14; hours += 6) {
    const then = now + hours * HOUR;
    const { storms } = deriveStorms({
      provider: "jtwc",
      texts: feedTexts("jtwc", then, { seed: 1 }),
      previous: [],
      now: then,
    });
    const ended = storms.find(({ entry }) => !entry.is_active);
    if (!ended) continue;
    expect(ended.entry.tracks.forecast).toBeUndefined();
    expect(ended.entry.cone).toBeUndefined();
    const last = ended.bulletin.observed.at(-1)!.time;
    const later = (at: number) =>
      deriveStorms({ provider: "jtwc", texts: [], previous: storms, now: last + at }).storms.map(
        ({ entry }) => entry.id,
      );
    expect(later(24 * HOUR)).toContain(ended.entry.id);
    expect(later(24 * HOUR + 1)).not.toContain(ended.entry.id);
    return;
  }
  expect.unreachable("no demo storm ended in two weeks");
});
