import { describe, expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { type Prediction, spanAround, tideQuery } from "#components/api-client/tide-queries.ts";
import type { Words } from "#lib/messages/words.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { Catalog } from "#server/tides/catalog.ts";
import { predictStream } from "#server/tides/stream.ts";
import { predictTide } from "#server/tides/tide.ts";
import { de, en, fr, ja } from "#test/all-words.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { MonthSheet } from "./printed-month.tsx";
import { TidePanel, TidePeek } from "./tide-panel.tsx";

const catalog = new Catalog(false);
const time = parseInstant("2026-09-14T07:00:00Z");

const BREST = "ticon:brest-822-fra-uhslc_fd";

/** The real prediction of a station, as the panel asks for it. */
function predicted(id: string, at: number, datum: string | null): Prediction {
  const station = catalog.station(id);
  const predict = station.kind === "tide" ? predictTide : predictStream;
  return predict(catalog, station, { days: 2, now: at, ...spanAround(at, datum) });
}

const panel = (
  <>
    <TidePeek />
    <TidePanel
      onClose={() => undefined}
      onCentre={() => undefined}
      onWatch={() => undefined}
      print={() => undefined}
      withPressure={(_, show) => show(988)}
    />
  </>
);

interface Shown {
  search?: string;
  at?: number;
  words?: Words;
}

function rendered(id: string, { search = "", at = time, words = en }: Shown = {}): string {
  const datum = new URLSearchParams(search).get("datum");
  const cache = filledCache(tideQuery(TEST_KEY, id, spanAround(at, datum)), predicted(id, at, datum));
  const page = { clock: { now: at, time: at }, search: `tide=${id}${search}`, cache, words };
  return renderInPage(panel, page).replaceAll("\u00a0", " ");
}

/** What stands open: its words. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<details.*?<summary[^>]*>(.*?)<\/summary>.*?<\/details>/g, " $1 ")
    .replaceAll(/<[^>]*>/g, " ")
    .split(/\s+/)
    .filter(Boolean);

it("says whether the water rises or falls, how high it is above which datum, and when high and low water come", () => {
  const html = rendered(BREST);
  expect(html).toMatch(/Falling, \d\.\d m/);
  expect(html).toMatch(/Low water<\/dt><dd><strong>12:00<\/strong> {2}0\.9 m.*High water/);
  expect(html).toContain("Above LAT (lowest astronomical tide)");
  expect(html).toMatch(/Range 5\.7 m \(springs 5\.6, neaps 2\.6\)\..*Neaps in 6 d\./);
  // The day's own high and low waters, at their times.
  for (const text of ["05:37 6.6", "12:00 0.9", "17:55 6.6"]) expect(html).toContain(`>${text}<`);
  expect(html).toContain("Source: TICON-4, CC BY 4.0");
  expect(wordsOf(html).length).toBeLessThan(150);
});

it("gives what the pressure does by itself as an estimate of its own, and says what else is not in the tide", () => {
  const html = rendered(BREST, { search: "&u=ft" });
  expect(html).toContain("Pressure 988.0 hPa: about +0.8 ft (estimate).");
  expect(html).toContain("Wind, surge, pressure and rivers are not in the tide.");
});

it("names where a station is from the sampled point, unless that is at it or far away", () => {
  expect(rendered(BREST, { search: "&p=48.3,-4.8" })).toContain("n mi NE of the point");
  for (const p of ["20,-30", "48.3828,-4.4950"])
    expect(rendered(BREST, { search: `&p=${p}` })).not.toContain("of the point");
});

it.each([
  ["de", de, "Fallend, 5,9 m", "Niedrigwasser"],
  ["fr", fr, "Descendante, 5,9 m", "Basse mer"],
  ["ja", ja, "下げ潮 5.9 m", "干潮"],
])("speaks %s", (_, words, now, low) => {
  const html = rendered(BREST, { words });
  expect(html).toContain(now);
  expect(html).toContain(low);
});

it("has heights above the datum of the link", () => {
  expect(rendered(BREST, { search: "&datum=MSL" })).toContain("Above MSL (mean sea level)");
});

it.each([
  ["a stream", "noaa:SFB1202", /(Flooding|Ebbing), \d\.\d kn \d{3}° \([NESW]+\)/],
  ["one tide a day", "noaa:8729840", /(Rising|Falling), \d\.\d m/],
  ["a stand", "ticon:southampton-sou-gbr-da_idh", /Stand from \d\d:\d\d to \d\d:\d\d, \d\.\d m\./],
])("tells %s", (_, id, told) => {
  expect(rendered(id)).toMatch(told);
});

it("writes the higher of a double high water, which have no room beside each other", () => {
  const html = rendered("ticon:southampton-sou-gbr-da_idh");
  expect(html).toContain(">14:40 4.5<");
  expect(html).not.toContain(">12:53 4.4<");
});

it("says where there is hardly any tide, and what moves the water", () => {
  const html = rendered("ticon:stockholm-826-swe-uhslc_fd");
  expect(html).toContain("Hardly any tide");
  expect(html).toContain("Wind and air pressure move the water more than the tide does here.");
});

it("names the station that a subordinate one is predicted from", () => {
  expect(rendered("noaa:1610367")).toMatch(/by differences from [A-Z]/);
});

it("has no heading to move the focus to, and no id in place of a name, until the prediction is read", () => {
  const html = renderInPage(panel, { clock: { now: time, time }, search: `tide=${BREST}` });
  expect(html).toMatch(/aria-label="Tide".*Reading the tide…/);
  expect(html).not.toMatch(/data-opened|brest-822/);
  expect(rendered(BREST)).toMatch(/<section aria-label="Brest".*data-opened/);
});

it("says that a link names no station, and how to leave it", async () => {
  const cache = await failedCache(
    tideQuery(TEST_KEY, "noaa:1", spanAround(time)),
    new ServiceError("There is no such station", 404),
  );
  const html = renderInPage(panel, { clock: { now: time, time }, search: "tide=noaa:1", cache });
  expect(html).toMatch(/role="alert">There is no station noaa:1\..*Close the station<\/button>/);
});

it("keeps what it has of the days when those further on are refused, and says where nothing is saved", async () => {
  const later = time + 5 * DAY_S;
  const cache = await failedCache(
    tideQuery(TEST_KEY, BREST, spanAround(later)),
    new ServiceError({ is: "limited" }, 429),
  );
  const shown = (at: number) =>
    renderInPage(panel, { clock: { now: time, time: at }, search: `tide=${BREST}`, cache });
  expect(shown(later)).not.toContain("High water");
  const held = predicted(BREST, time, null);
  cache.setQueryData(tideQuery(TEST_KEY, BREST, spanAround(time)).queryKey, held);
  expect(shown(later)).toMatch(/(Rising|Falling).*High water/);
  expect(shown(later)).not.toContain('role="alert"');
  // What the device had saved in place of the days of a later month.
  const month = time + 30 * DAY_S;
  cache.setQueryData(tideQuery(TEST_KEY, BREST, spanAround(month)).queryKey, held);
  expect(shown(month)).toContain('<p role="status">No data saved for this time.');
});

it("goes back to the chart datum where the station lacks that of a link", async () => {
  const cache = await failedCache(
    tideQuery(TEST_KEY, BREST, spanAround(time, "XYZ")),
    new ServiceError("datum: this station has heights above LAT", 422),
  );
  const html = renderInPage(panel, { clock: { now: time, time }, search: `tide=${BREST}&datum=XYZ`, cache });
  expect(html).toMatch(/heights above LAT.*Use the chart datum/);
});

describe("a month on paper", () => {
  const printed = (id: string, from: string, to: string) => {
    const month = predictTide(catalog, catalog.station(id), { days: 2, now: time, from, to });
    return renderInPage(<MonthSheet month={month} />, { clock: { now: time, time } });
  };

  it("has each day of the station's clocks once, also where these are changed, and says so", () => {
    const html = printed(BREST, "2026-10-01", "2026-10-31");
    expect(html).toContain("Brest · October 2026");
    expect(html).toContain("Europe/Paris UTC+2, UTC+1 from 25 Oct");
    const days = [...html.matchAll(/<th scope="row">\w+ (\d+)/g)].map(([, day]) => Number(day));
    expect(days).toEqual(Array.from({ length: 31 }, (_, at) => at + 1));
    expect([...html.matchAll(/High water/g)].length).toBeGreaterThan(58);
  });

  it.each([
    ["west of the date line", "noaa:1770000", "2026-09-01", "2026-09-30", 30],
    ["at the end of the predictions", BREST, "2100-12-01", "2100-12-31", 31],
  ])("is whole %s", (_, id, from, to, count) => {
    const html = printed(id, from, to);
    expect([...html.matchAll(/<th scope="row">/g)].length).toBe(count);
  });
});
