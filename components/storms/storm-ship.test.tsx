import { type Fix, reckoned } from "@open-metocean/geo/rhumb";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { dangerArea } from "@open-metocean/storms/danger";
import { steering } from "@open-metocean/storms/track";
import { expect, it } from "vitest";
import { formatWeekdayHour } from "#components/view-state/format-time.ts";
import { approachAnswer } from "#lib/storm-answers/approach.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { amongStorms, stormPanel } from "#test/storm-panel.tsx";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";
import { utc } from "#test/zones.ts";
import { type Approaches, dangerousStorms, sortedByDanger } from "./approaches.ts";
import { StormApproach } from "./storm-approach.tsx";
import { NearStorms } from "./storm-peek.tsx";
import { stormsQuery } from "./storm-queries.ts";

const ship: Fix = { latitude: 20, longitude: -50, course: 270, speed: 10, time: BASE - 3 * 3600 };
const towards = (from: number, to: number) =>
  [0, 24, 48, 72].map((hour) =>
    aheadPoint(hour, { latitude: 20, longitude: from + ((to - from) * hour) / 72 }, allRound(200, 90, null)),
  );
// The first storm is nearer now and moves away; the second approaches; the third has no forecast; the fourth
// is far away.
const leaves = stormOf(towards(-42, -20), { id: "AL012026", name: "LEAVES" });
const comes = stormOf(towards(-75, -60), { id: "AL022026", name: "COMES" });
const silent = { ...stormOf(towards(-50.5, -50)), id: "AL032026", name: "SILENT" };
const far = stormOf(towards(130, 140), { id: "WP012026", name: "FAR" });
const entries = [leaves, far, comes, { ...silent, tracks: { observed: silent.tracks.observed } }];
const clock = { now: BASE, time: BASE };
const vessel = { ...steering(ship, ship.time, ship.course, ship.speed * MILE_KM), begins: BASE };
const cache = filledCache(stormsQuery(TEST_KEY, "jtwc"), { entries, ageSeconds: 60 });
const order = (html: string) => [...html.matchAll(/data-opens="([AW][LP]0\d2026)"/g)].map(([, id]) => id);
const line = /Closest 1\.0 n mi, Fri 03:00; 34 kn from Thu \d\d:00/;

it("lists the storms the most dangerous first, each with what it means for the ship in one line", () => {
  const html = renderInPage(stormPanel, { clock, ship, cache });
  expect(order(html)).toEqual(["AL022026", "AL032026", "AL012026", "WP012026"]);
  expect(html).toMatch(new RegExp(`COMES.*data-level="enters">${line.source}.*SILENT`));
  expect(html).toMatch(/LEAVES.*Moving away: \d+ n mi, now; 34 kn not expected/);
  expect(html).toMatch(/SILENT.*No forecast; now [\d.]+ n mi, bearing/);
  expect(html).toMatch(/My ship: 20°00\.0′N 050°31\.9′W/);
  const over = { ...comes, id: "AL042026", is_active: false };
  expect(sortedByDanger([over, ...entries], undefined, BASE).at(-1)).toBe(over);
});

it("says the same line on the list, the card, the low panel and the panel of the ship, as the service answers it", () => {
  const answer = approachAnswer(comes, vessel, dangerArea(comes, "classic"), BASE)!;
  expect(answer.closest.distance_km / MILE_KM).toBeCloseTo(1, 0);
  const near = amongStorms(<NearStorms onOpen={() => undefined} />);
  expect(renderInPage(near, { clock, ship, cache })).toMatch(line);
  expect(renderInPage(near, { clock, ship, cache })).not.toContain("FAR");
  const card = renderInPage(stormPanel, { clock, ship, cache, search: "storm=AL022026" });
  expect(card.replaceAll("\u00a0", " ").match(new RegExp(line, "g"))).toHaveLength(2);
});

it("lists a storm near the ship that is not forecast, which counts as dangerous, and says that none is near only of none", () => {
  const [bare, distant] = [entries[3]!, entries[1]!];
  const near = amongStorms(<NearStorms onOpen={() => undefined} />);
  const of = (shown: typeof entries) =>
    renderInPage(near, {
      clock,
      ship,
      cache: filledCache(stormsQuery(TEST_KEY, "jtwc"), { entries: shown, ageSeconds: 60 }),
    });
  const html = of([distant, bare]);
  expect(html).toMatch(/<p role="status" class="sr-only">[^<]*SILENT[^<]*: No forecast; now [\d.]+ n mi/);
  expect(html).toMatch(/<button.*SILENT.*data-level="caution">No forecast/);
  expect(html).not.toContain("No storm comes near.");
  expect(of([distant])).toMatch(/<p role="status" class="font-semibold">No storm comes near\./);
  const approaches: Approaches = { observer: { is: "ship", fix: ship }, answers: new Map() };
  expect(dangerousStorms([distant, bare, { ...bare, is_active: false }], approaches, BASE)).toEqual([bare]);
});

it("lists the strongest storm first where there is neither ship nor point, and areas of interest after all storms", () => {
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
  expect(sortedByDanger(storms, undefined, BASE).map(({ id }) => id)).toEqual([
    "AL022026",
    "AL012026",
    "AL902026",
    "AL042026",
  ]);
  expect(renderInPage(stormPanel, { clock, cache })).toContain("Pin my ship");
});

it("begins the card of a storm with the verdict, before its numbers", () => {
  const html = renderInPage(stormPanel, { clock, ship, cache, search: "storm=AL012026" });
  expect(html).toMatch(/data-level="clear".*Moving away: \d+\sn\smi.*1‑2‑3 area.*<dl class="facts">/);
  expect(html).toContain("Closest approach to my ship");
  // The numbers are those of the last fix, which is older than the range of now.
  expect(html).toContain("<dt>As of</dt><dd>Tue 15 Sep 12:00 UTC</dd>");
  const without = renderInPage(stormPanel, { clock, ship, cache, search: "storm=AL032026" });
  expect(without).toContain("There is no forecast to work it out from");
  expect(renderInPage(stormPanel, { clock, cache, search: "storm=AL012026" })).not.toContain("data-level");
});

it("names the side of the storm on which the ship is now, and that at the hour of the closest approach, at every hour", () => {
  // The storm moves north along 50° W; east of it is the dangerous side. The ship crosses its track after 11 hours.
  const north = stormOf(
    [0, 24, 48, 72].map((hour) =>
      aheadPoint(hour, { latitude: 16 + hour / 8, longitude: -50 }, allRound(200, 90, null)),
    ),
  );
  const crossing: Fix = { latitude: 21, longitude: -48, course: 270, speed: 10, time: BASE };
  const sideAt = (time: number) => (reckoned(crossing, time).longitude > -50 ? "dangerous" : "navigable");
  const hours = Array.from({ length: 73 }, (_, hour) => hour);
  const said = { dangerous: 0, navigable: 0, later: 0 };
  for (let hour = 0; hour <= 72; hour += 3) {
    const now = BASE + hour * 3600;
    const part = amongStorms(<StormApproach entry={north} />);
    const html = renderInPage(part, {
      clock: { now, time: now },
      ship: crossing,
      cache: filledCache(stormsQuery(TEST_KEY, "jtwc"), { entries: [north], ageSeconds: 60 }),
    }).replaceAll("\u00a0", " ");
    for (const sentence of html.match(/[^<>]*semicircle[^<>]*/g) ?? []) {
      const later =
        /^(?:At the closest|When the forecast ends), (\w{3} \d\d:00), .* you are in its (\w+) sem/.exec(
          sentence,
        );
      const present = /^Now \d+ n mi away, bearing \d+°; you are in its (\w+) semicircle\.$/.exec(sentence);
      const ahead = later ? hours.find((one) => formatWeekdayHour(now + one * 3600, utc) === later[1]) : 0;
      expect([hour, later?.[2] ?? present?.[1]]).toEqual([hour, sideAt(now + ahead! * 3600)]);
      said[later ? "later" : sideAt(now)]++;
    }
  }
  expect(said.dangerous).toBeGreaterThan(2);
  expect(said.navigable).toBeGreaterThan(10);
  expect(said.later).toBeGreaterThan(4);
});

it("says that the ship is not yet where the storm is measured from", () => {
  const planned = { ...ship, time: BASE + 6 * 3600 };
  const card = renderInPage(stormPanel, { clock, ship: planned, cache, search: "storm=AL012026" }).replaceAll(
    "\u00a0",
    " ",
  );
  expect(card).toMatch(/Now \d+ n mi from where my ship will be Tue 15 Sep 18:00, bearing/);
  expect(card).not.toMatch(/n mi away/);
  // A storm that moves away is nearest when the ship gets there, which is not now.
  expect(card).toMatch(/Moving away: \d+\sn\smi, Tue 18:00/);
});

it("says on the card, in the list and on the low panel that the position of the ship is stale", () => {
  const old = { ...ship, time: BASE - 14 * 3600 };
  const search = "storm=AL012026";
  const stale = "My ship&#x27;s position was entered 14 h ago: enter a new one.";
  const card = renderInPage(stormPanel, { clock, ship: old, cache, search });
  expect(card.replaceAll("\u00a0", " ").split(stale)).toHaveLength(3);
  expect(renderInPage(stormPanel, { clock, ship: old, cache })).toContain(stale);
  expect(renderInPage(stormPanel, { clock, ship, cache, search })).not.toContain("enter a new one");
});
