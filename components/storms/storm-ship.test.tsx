import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import type { Fix } from "#lib/geo/rhumb.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { approachAnswer, unforecastAnswer } from "#lib/storms/approach.ts";
import { dangerArea } from "#lib/storms/danger.ts";
import { steering } from "#lib/storms/track.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";
import { approachBody, approachQuery, sortedByApproach, sortedByStrength } from "./ship-approaches.ts";
import { StormPanel } from "./storm-panel.tsx";
import { ShipWarnings, StormPeek } from "./storm-peek.tsx";
import { stormsQuery } from "./storm-queries.ts";
import { StormsProvider } from "./storms-context.tsx";

const playback = { playing: false, setPlaying: () => undefined };
const panel = (
  <StormsProvider enabled={true} playback={playback}>
    <StormPanel onShow={() => undefined} onShowPlace={() => undefined} onShowWhole={() => undefined} />
    <StormPeek />
  </StormsProvider>
);
const ship: Fix = { latitude: 20, longitude: -50, course: 270, speed: 10, time: BASE - 3 * 3600 };
const towards = (from: number, to: number) =>
  [0, 24, 48, 72].map((hour) =>
    aheadPoint(hour, { latitude: 20, longitude: from + ((to - from) * hour) / 72 }, allRound(200, 90, null)),
  );
// The first is nearer now, and moves away; the second comes; the third is not forecast.
const leaves = stormOf(towards(-42, -20), { id: "AL012026", name: "LEAVES" });
const comes = stormOf(towards(-75, -60), { id: "AL022026", name: "COMES" });
const silent = { ...stormOf(towards(-50.5, -50)), id: "AL032026", name: "SILENT" };
const entries = [leaves, comes, { ...silent, tracks: { observed: silent.tracks.observed } }];
const clock = { now: BASE, time: BASE };
const body = approachBody("jtwc", ship, BASE, "classic");
const query = approachQuery(TEST_KEY, body, BASE);
const vessel = { ...steering(ship, ship.time, ship.course, ship.speed * MILE_KM), begins: BASE };
const answered = {
  results: [leaves, comes].map((entry) => approachAnswer(entry, vessel, dangerArea(entry, "classic"), BASE)!),
  without_forecast: [unforecastAnswer(entries[2]!, vessel, BASE)],
  notice: "Not for navigation",
};
const listed = () => filledCache(stormsQuery(TEST_KEY, "jtwc"), { entries, ageSeconds: 60 });
const order = (html: string) => [...html.matchAll(/data-opens="(AL0\d2026)"/g)].map(([, id]) => id);

function withAnswer() {
  const cache = listed();
  cache.setQueryData(query.queryKey, answered);
  return cache;
}

it("asks from now on for the ship where dead reckoning puts it, from the time of its position", () => {
  expect(body).toMatchObject({
    vessel: {
      latitude: 20,
      longitude: -50,
      course_deg: 270,
      speed_kt: 10,
      timestamp: "2026-09-15T09:00:00Z",
    },
    from: "2026-09-15T12:00:00Z",
  });
  // The same question for ten minutes.
  expect(approachBody("jtwc", ship, BASE + 599, "classic")).toEqual(body);
});

it("keeps an answer while the same ship is asked for again, and none of another ship", () => {
  const kept = (of: Fix, now: number) => {
    const later = approachQuery(TEST_KEY, approachBody("jtwc", of, now, "classic"), BASE);
    const placeholder = later.placeholderData as unknown as (before: unknown, query: unknown) => unknown;
    return placeholder(answered, query);
  };
  expect(kept(ship, BASE + 600)).toBe(answered);
  expect(kept({ ...ship, speed: 11 }, BASE + 600)).toBeUndefined();
});

it("warns on every tab of the storm that reaches the ship, and of no other", () => {
  const warnings = (except: string | null) => (
    <StormsProvider enabled={true} playback={playback}>
      <ShipWarnings except={except} onOpen={() => undefined} />
    </StormsProvider>
  );
  const shown = (except: string | null) =>
    renderInPage(warnings(except), { clock, ship, cache: withAnswer() });
  expect(shown(null)).toMatch(
    /data-level="enters"><strong>COMES<\/strong> Enters the 1-2-3 area .*Gales.*Closest Fri 18 Sep/,
  );
  expect(shown(null)).not.toMatch(/LEAVES|SILENT/);
  expect(shown("AL022026")).not.toContain("<button");
  expect(renderInPage(warnings(null), { clock, cache: withAnswer() })).not.toContain("<button");
});

it("lists the storms in the order in which they come nearest to the ship, each with that hour", () => {
  const html = renderInPage(panel, { clock, ship, cache: withAnswer() });
  expect(order(html)).toEqual(["AL022026", "AL032026", "AL012026"]);
  expect(html).toContain("Those that come nearest to your ship are first.");
  expect(html).toContain("Closest now:");
  expect(html).toMatch(/Closest Fri 18 Sep 03:00: 1\.0 n mi/);
  expect(html).toContain("No forecast: its closest approach is not known");
  expect(html).toContain("n mi from your ship, bearing");
  const over = { ...leaves, id: "AL042026", is_active: false };
  const all = sortedByApproach([over, ...entries], { ship, answers: new Map() }, BASE);
  expect(all.at(-1)).toBe(over);
});

it("lists the strongest storm first where there is no ship, and areas of interest after all storms", () => {
  const withWind = (storm: (typeof entries)[number], vmax_kt: number | null, change = {}) => ({
    ...storm,
    ...change,
    tracks: { ...storm.tracks, observed: [{ ...storm.tracks.observed.at(-1)!, vmax_kt }] },
  });
  const storms = [
    withWind(leaves, 20, { id: "AL902026", is_invest: true }),
    withWind(leaves, 130, { id: "AL042026", is_active: false }),
    withWind(leaves, null),
    withWind(comes, 95),
  ];
  expect(sortedByStrength(storms).map(({ id }) => id)).toEqual([
    "AL022026",
    "AL012026",
    "AL902026",
    "AL042026",
  ]);
});

it("begins the card of a storm with the verdict, and so does the low panel of a phone", () => {
  const html = renderInPage(panel, { clock, ship, cache: withAnswer(), search: "storm=AL012026" });
  expect(html).toMatch(/data-level="(clear|inside|enters)".*1-2-3 area.*Gales.*<dl class="facts">/);
  expect(html).toContain("Closest approach to your ship");
  expect(html.lastIndexOf("1-2-3 area")).toBeGreaterThan(html.indexOf("LEAVES</strong>"));
  const without = renderInPage(panel, { clock, ship, cache: withAnswer(), search: "storm=AL032026" });
  expect(without).toContain("There is no forecast to work it out from");
  expect(renderInPage(panel, { clock, cache: withAnswer(), search: "storm=AL012026" })).not.toContain(
    "data-level",
  );
});

it("says in the list and on the card that the ship is not yet where the storm is measured from", () => {
  const planned = { ...ship, time: BASE + 6 * 3600 };
  const from = "from where your ship will be Tue 15 Sep 18:00, bearing";
  const html = renderInPage(panel, { clock, ship: planned, cache: listed() });
  expect(html.split(`n mi ${from}`)).toHaveLength(4);
  expect(html).not.toContain("from your ship,");
  const cache = listed();
  const later = approachBody("jtwc", planned, BASE, "classic");
  cache.setQueryData(approachQuery(TEST_KEY, later, BASE).queryKey, answered);
  const card = renderInPage(panel, { clock, ship: planned, cache, search: "storm=AL012026" });
  expect(card).toMatch(new RegExp(`Now \\d+ n mi ${from}`));
  expect(card).not.toMatch(/n mi away/);
  // Moving away it is nearest when the ship is there, which is not now.
  const begins = steering(planned, planned.time, planned.course, planned.speed * MILE_KM);
  const there = approachAnswer(leaves, begins, undefined, BASE)!;
  cache.setQueryData(approachQuery(TEST_KEY, later, BASE).queryKey, { ...answered, results: [there] });
  const moving = renderInPage(panel, { clock, ship: planned, cache, search: "storm=AL012026" });
  expect(moving).toContain("Its centre is closest Tue 15 Sep 18:00:");
  // A clock that is a minute ahead is none of that.
  const minute = renderInPage(panel, { clock, ship: { ...ship, time: BASE + 60 }, cache: listed() });
  expect(minute).toContain("n mi from your ship, bearing");
});

it("says on the card, in the list and on the low panel that the position of the ship is stale", () => {
  const old = { ...ship, time: BASE - 14 * 3600 };
  const search = "storm=AL012026";
  const cache = listed();
  cache.setQueryData(
    approachQuery(TEST_KEY, approachBody("jtwc", old, BASE, "classic"), BASE).queryKey,
    answered,
  );
  const stale = "Your ship&#x27;s position was entered 14 h ago: enter a new one.";
  const card = renderInPage(panel, { clock, ship: old, cache, search });
  expect(card.split(stale)).toHaveLength(3);
  // Behind the verdict, which may be that the ship is inside.
  expect(card).toMatch(
    /<\/strong>[^/]*<span[^>]*>[^.]*1-2-3 area[^.]*\. Your ship&#x27;s position was entered 14 h ago/,
  );
  expect(renderInPage(panel, { clock, ship: old, cache })).toContain(stale);
  expect(renderInPage(panel, { clock, ship, cache: withAnswer(), search })).not.toContain("enter a new one");
});

it("while the service cannot be reached says the same, worked out from the bulletins that the page has", async () => {
  const cache = listed();
  const failure = new ServiceError("The server could not be reached.", 0);
  await cache.prefetchQuery({
    queryKey: query.queryKey,
    queryFn: () => Promise.reject(failure),
    retry: false,
  });
  // In the list; on the card and the low panel.
  for (const search of ["", "storm=AL012026"]) {
    const html = renderInPage(panel, { clock, ship, cache, search });
    expect(html).toBe(renderInPage(panel, { clock, ship, cache: withAnswer(), search }));
  }
});

it("says that it is looking until it knows", () => {
  const html = renderInPage(panel, { clock, ship, cache: listed() });
  expect(html).toContain("Looking for the closest approaches to your ship…");
  expect(order(html)).toEqual(entries.map(({ id }) => id));
});
