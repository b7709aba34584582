import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { OldConditions, PointPanel, PointPeek } from "./point-panel.tsx";
import { type PointReply, pointQuery, seriesQuery, shoreQuery } from "./point-queries.ts";

const time = Date.UTC(2026, 0, 1) / 1000;
const clock = { now: time, time };
const place = { latitude: 48.5, longitude: -5.25 };
const sample = { apiKey: TEST_KEY, place, time };
const search = "p=48.5,-5.25";
const loadLand = () => new Promise<never>(() => undefined);
const panelOf = (waiting: boolean) => (
  <PointPanel waiting={waiting} loadLand={loadLand} onPlace={() => undefined} />
);
const panel = panelOf(false);

/** The conditions at some times, given in hours from the first one. */
function reply(conditions: object | ((hour: number) => object), hours = [0], more: Partial<PointReply> = {}) {
  return {
    results: hours.map((hour) => ({
      coordinates: { ...place, timestamp: formatInstant(time + hour * HOUR_S) },
      conditions: typeof conditions === "function" ? conditions(hour) : conditions,
    })),
    meta: { provenance: [], nulls: [{ variable: "wave", reason: "land", points: [0] }] },
    ...more,
  } as unknown as PointReply;
}
const shown = (conditions: object, page = {}, view = panel) =>
  renderInPage(view, { clock, search, cache: filledCache(pointQuery(sample), reply(conditions)), ...page });

it("shows the coming days at the centre of the map, without actions, while no point is sampled", () => {
  const view = <PointPanel waiting={false} loadLand={loadLand} onPlace={() => undefined} centre={place} />;
  const html = shown({ Winds_10m_Intensity: 10, Winds_10m_Direction: 270 }, { search: "c=20,-30" }, view);
  expect(html).toMatch(/Centre of the map.*48°30.0′N 005°15.0′W.*Click the sea.* for another place\..*19 kn/);
  // Why its days have no waves.
  expect(html).toContain("No sea value in the model here: its cell is land.");
  expect(html).not.toContain("Forget this position");
  expect(shown({ Winds_10m_Intensity: 10 }, { search }, view)).not.toContain("Centre of the map");
});

const waiting = /role="status">Reading the forecast…/;

it.each([
  ["how to choose a point", panel, { clock }, /Click the sea, or press Enter on the map/],
  ["the same without a key", panel, { clock, search, apiKey: null }, /Click the sea/],
  ["it on a phone", <PointPeek key="peek" />, { clock }, /Tap the sea for its conditions\./],
  ["that it waits for the map's time", panelOf(true), { clock: { now: 0 }, search }, waiting],
  ["that it waits for the answer", panel, { clock, search }, waiting],
])("without values says %s", (_, view, page, text) => expect(renderInPage(view, page)).toMatch(text));

it.each([
  [
    new ServiceError("The server could not be reached.", 0),
    /^(?!.*Reading the forecast).*role="alert".*The server could not be reached\..*Try again/,
  ],
  [new ServiceError("Too many requests.", 429, 23), /Next try in 23 s\./],
])("shows the failure %s, and what follows", async (error, text) => {
  expect(renderInPage(panel, { clock, search, cache: await failedCache(pointQuery(sample), error) })).toMatch(
    text,
  );
});

it("shows the values in the units of the link, with the reasons of missing ones", () => {
  const conditions = { Winds_10m_Intensity: 10, Winds_10m_Direction: 270, Waves_Significant_Height: null };
  const html = shown(conditions, { search: `${search}&u=m/s` });
  expect(html).toContain("48°30.0′N 005°15.0′W");
  expect(html).toMatch(/<strong>10\.0<small> m\/s<\/small><\/strong><span>W 270°/);
  expect(html).toMatch(/Waves_Significant_Height.*not available \(land in the model\)/);
  expect(shown(conditions, {}, <PointPeek />)).toContain("19 kn");
});

const away = { place: { latitude: 48.5, longitude: -5.4 }, km: 11, bearing: 270 };

it.each([
  [{ onLand: true, sea: undefined }, /This position is on land\..*not available \(on land\)/],
  [{ onLand: true, sea: away }, /This position is on land\..*Nearest sea cell <strong>6 n mi W/],
  [{ onLand: false, sea: undefined }, /There is no sea cell within 60 n mi\./],
  [
    { onLand: false, sea: away },
    /^(?!.*on land).*No sea value in the model here.*Nearest sea cell <strong>6 n mi W \(270°\)<\/strong>.*Use it.*1\.2 m/,
  ],
  [undefined, /Looking for the nearest sea cell…/],
])("names land by the map's own coast, and open water with land in the model as such: %j", (shore, text) => {
  const nulls = (["wave", "current"] as const).map((variable) => ({ variable, reason: "land", points: [0] }));
  const inland = reply({ Winds_10m_Intensity: 10, Waves_Significant_Height: null });
  const cache = filledCache(pointQuery(sample), { ...inland, meta: { provenance: [], nulls } } as PointReply);
  if (shore) cache.setQueryData(shoreQuery(sample, ["wave", "current"], loadLand).queryKey, shore);
  const { queryKey } = pointQuery({ ...sample, place: away.place });
  cache.setQueryData(queryKey, reply({ Waves_Significant_Height: 1.2 }));
  expect(renderInPage(panel, { clock, search, cache })).toMatch(text);
});

const saved = { execution_time: "0.1 s", readAt: time - 5 * 3600, isSaved: true };
const hourly = (hour: number) => ({ Winds_10m_Intensity: hour === 3 ? 20 : 10 });

it.each([
  [
    "a step of the series without a request of its own",
    3,
    {},
    {},
    /^(?!.*Reading).*Thu 1 Jan 2026 03:00 UTC.*39 kn/,
  ],
  ["when the service gave saved values", 0, {}, saved, /Offline\. Read Wed 31 Dec 19:00 UTC\./],
  [
    "saved days where the service was lost before midnight",
    0,
    { now: time + DAY_S, answered: time },
    saved,
    /19 kn/,
  ],
  ["the values of the map's time, spoken", 0, {}, {}, /aria-valuetext="Thu 1 Jan 00:00\. Wind 19 knots\./],
  [
    "those of the nearest step where the map's time is none, spoken with their own",
    1,
    {},
    {},
    /aria-valuetext="Thu 1 Jan 01:00\. At Thu 1 Jan 00:00: Wind 19 knots\./,
  ],
])("shows %s", (_, hour, more, given, text) => {
  const at = time + hour * HOUR_S;
  const cache = filledCache(seriesQuery(sample, time), reply(hourly, [0, 3], given));
  cache.setQueryData(pointQuery({ ...sample, time: at }).queryKey, reply({ Winds_10m_Intensity: 1 }, [hour]));
  expect(renderInPage(panel, { clock: { now: time, time: at, ...more }, search, cache })).toMatch(text);
});

it("names the side whose time it shows while two pictures are compared, and offers the other", () => {
  const page = { clock: { ...clock, side: { sampled: "b", choose: () => undefined } as const } };
  const wind = { Winds_10m_Intensity: 10 };
  const html = shown(wind, page);
  expect(html).toMatch(/aria-live="polite">B: 48°30.*B: Thu 1 Jan 2026 00:00 UTC/);
  expect(html).toMatch(
    /aria-label="A, left" aria-pressed="false".*aria-label="B, right" aria-pressed="true"/,
  );
  expect(shown(wind, page, <PointPeek />)).toMatch(/<strong>B<\/strong>.*B: Thu 1 Jan/);
  expect(shown(wind)).not.toContain("A, left");
});

it.each([
  [false, false, ""],
  [false, true, "Offline. Read Thu 1 Jan 01:00 UTC."],
  [true, false, "As of Thu 1 Jan 03:00 UTC. The values of Thu 1 Jan 06:00 UTC are being read."],
  [true, true, "As of Thu 1 Jan 03:00 UTC, offline. The values of Thu 1 Jan 06:00 UTC were not read."],
])("says of which time values are (old: %s, offline: %s)", (old, offline, text) => {
  const of = { time: time + 3 * HOUR_S, conditions: {}, meta: undefined };
  const props = { old, offline, shown: of, readAt: time + HOUR_S, time: time + 6 * HOUR_S };
  expect(renderInPage(<OldConditions {...props} />).replaceAll(/<[^>]*>/g, "")).toBe(text);
});
