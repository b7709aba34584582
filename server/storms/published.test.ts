import { expect, it } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import type { Bulletin, StormRecord } from "./bulletin.ts";
import { deriveStorms } from "./derive.ts";
import { publish } from "./published.ts";

const HOUR = 3600;
const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const derived = deriveStorms({
  provider: "jtwc",
  texts: feedTexts("jtwc", now, { seed: 1 }),
  previous: [],
  now,
});

function after(hours: number, storms: readonly StormRecord[] = derived.storms) {
  return publish(
    { ...derived, storms: [...storms], refreshedAt: now, revision: 1 },
    true,
    now + hours * HOUR,
  );
}

/** Whether the same texts, read again at the time, leave the storm active. */
function activeByRefresh(id: string, hours: number): boolean {
  const { storms } = deriveStorms({
    provider: "jtwc",
    texts: [],
    previous: derived.storms,
    feed: derived.feed,
    areas: derived.areas,
    now: now + hours * HOUR,
  });
  return storms.find(({ entry }) => entry.id === id)?.entry.is_active ?? false;
}

it("the likelihood of an invest lapses with the outlook that states it, also while nothing is refreshed", async () => {
  const published = await after(0);
  const development = published.entries.find(({ is_invest }) => is_invest)!.development!;
  const lapses = (development.issued_at - now) / HOUR + 48;
  const at = async (hours: number) => {
    const { entries } = await publish(published, true, now + hours * HOUR);
    return entries.find(({ is_invest }) => is_invest)!.development?.issued_at;
  };
  expect(await at(lapses)).toBe(development.issued_at);
  expect(await at(lapses + 1 / HOUR)).toBeUndefined();
});

it("a silent storm ends at the same hour whether texts are read again or not, and says so without being asked twice", async () => {
  const active = derived.storms.filter(({ entry }) => entry.is_active);
  expect(active.some(({ entry }) => entry.is_invest)).toBe(true);
  let held = await after(0);
  const ends = new Set<string>();
  while (Number.isFinite(held.changesAt)) {
    held = await publish(held, true, held.changesAt);
    for (const { id, is_active, is_overdue, development, formation_alert, cone } of held.entries) {
      if (is_active || ends.has(id)) continue;
      ends.add(id);
      expect({ is_overdue, development, formation_alert, cone }).toEqual({ is_overdue: false });
    }
  }
  for (const { entry } of active) expect(ends.has(entry.id)).toBe(true);
  for (let hours = 0; hours < 24 * 8; hours += 12) {
    const { entries } = await after(hours);
    for (const { entry } of active) {
      const shown = entries.find(({ id }) => id === entry.id)!;
      expect([hours, entry.id, shown.is_active]).toEqual([hours, entry.id, activeByRefresh(entry.id, hours)]);
    }
  }
});

it("a storm that its agency still lists does not end by silence", async () => {
  const listed = derived.storms.map(({ entry, bulletin }) => ({
    entry,
    bulletin: { ...bulletin, isListed: true } satisfies Bulletin,
  }));
  const { entries } = await after(24 * 20, listed);
  const expected = derived.storms.map(({ entry }) => entry.is_active);
  expect(entries.map(({ is_active }) => is_active)).toEqual(expected);
});
