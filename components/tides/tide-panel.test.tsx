import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import {
  nearestStationQuery,
  type Prediction,
  spanAround,
  stationsAroundQuery,
  tideQuery,
  tidesNowQuery,
} from "#components/api-client/tide-queries.ts";
import { parseOwnPort, writeOwnPort } from "#components/view-state/own-ports.ts";
import type { TidesNow } from "#lib/contract/tides.ts";
import type { Words } from "#lib/messages/words.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { Catalog, described } from "#server/tides/catalog.ts";
import { predictStream } from "#server/tides/stream.ts";
import { predictTide } from "#server/tides/tide.ts";
import { de, en, fr, ja } from "#test/all-words.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { valueStyle } from "./format-tide.ts";
import { readTyped } from "./own-port.tsx";
import { MonthSheet } from "./printed-month.tsx";
import { TidePanel, TidePeek } from "./tide-panel.tsx";
import { TideRow, tideRow } from "./tide-row.tsx";
import { quantisedBox, useTideStations } from "./tide-scene.ts";
import { tideShapes } from "./tides-map-layer.ts";

const catalog = new Catalog(false);
const time = parseInstant("2026-09-14T07:00:00Z");
const clock = { now: time, time };

const BREST = "ticon:brest-822-fra-uhslc_fd";
const SOUTHAMPTON = "ticon:southampton-sou-gbr-da_idh";
const STOCKHOLM = "ticon:stockholm-826-swe-uhslc_fd";

/** The real prediction of a station for the panel's request. */
function predicted(id: string, asked: Parameters<typeof spanAround>[1] = {}): Prediction {
  const station = catalog.station(id);
  const predict = station.kind === "tide" ? predictTide : predictStream;
  return predict(catalog, station, { days: 2, now: time, ...spanAround(time, asked) });
}

const catalogued = (id: string) => described(catalog.station(id));
const nothing = () => undefined;
const panel = (
  <>
    <TidePeek />
    <TidePanel
      onClose={nothing}
      onCentre={nothing}
      onWatch={nothing}
      print={nothing}
      withPressure={(_, show) => show(988)}
    />
  </>
);

function rendered(id: string, search = "", words: Words = en): string {
  const given = new URLSearchParams(search);
  const datum = given.get("datum");
  const asked = { ...(datum && { datum }), ...parseOwnPort(given.get("port") ?? "")?.differences };
  const cache = filledCache(tideQuery(TEST_KEY, id, spanAround(time, asked)), predicted(id, asked));
  return renderInPage(panel, { clock, search: `tide=${id}${search}`, cache, words }).replaceAll(
    "\u00a0",
    " ",
  );
}

const PORT = "12,12,-0.3,-0.3";

it.each<[string, string, (string | RegExp)[], Words?]>([
  [
    "marks them and moves every number; without a name of its own it is the station, with differences",
    `&port=${PORT}`,
    [
      /data-opened[^>]*>Brest, with differences</,
      "With your own differences: +12 min, −0.3 m<",
      /Low water<\/dt><dd><strong>12:09<\/strong> {2}0\.6 m/,
      /peek-place">Brest, with differences · /,
      />12:09 0\.6</,
      "by differences from Brest",
      />Remove the differences<\/button>/,
      /^(?!.*Watch this height)/,
    ],
  ],
  [
    "has its name, and says what differs at high and at low water",
    "&port=12,-5,0,0.25,Cove, inner",
    [
      /data-opened[^>]*>Cove, inner</,
      "HW +12 min, 0.0 m; LW −5 min, +0.25 m<",
      /name="low_m"[^>]*value="0.25"/,
    ],
  ],
  [
    "in German",
    `&port=${PORT},Bucht`,
    ["Mit eigenen Unterschieden: +12 min, −0,3 m<", /name="high_m"[^>]*value="−0,30"/],
    de,
  ],
  [
    "is not there without",
    "",
    [/^(?!.*(With your own|Remove the differences))/, />Show with these<\/button>/],
  ],
])("a secondary port of one's own %s", (_, search, texts, words) => {
  const html = rendered(BREST, search, words);
  for (const text of texts) expect(html).toMatch(text);
});

it("never shows the numbers of other differences under a port's name", () => {
  const asked = parseOwnPort(PORT)!.differences;
  const query = tideQuery(TEST_KEY, BREST, spanAround(time, asked));
  // The prediction that the device had saved.
  for (const differences of [{}, { ...asked, high_m: 0 }]) {
    const cache = filledCache(query, predicted(BREST, differences));
    const html = renderInPage(panel, { clock, search: `tide=${BREST}&port=${PORT}`, cache });
    expect(html).toContain('<p role="status">No data saved for this time.');
    expect(html).not.toMatch(/(Falling|Rising),/);
  }
});

it.each([
  ["a stream", "noaa:SFB1202", "A stream has no high water"],
  [
    "a station with differences of its own",
    "noaa:1610367",
    /This station has differences itself. Give yours to [A-Z]/,
  ],
  ["a place with hardly any tide", STOCKHOLM, "There is hardly any tide here"],
])("%s takes no secondary port, and says so", (_, id, text) => {
  const html = rendered(id);
  expect(html).toMatch(text);
  expect(html).not.toContain('name="high_minutes"');
});

it("differences of a link that a station refuses are said, and may be removed", async () => {
  const asked = parseOwnPort(PORT)!.differences;
  const error = new ServiceError("high_minutes: this station has differences itself", 422);
  const cache = await failedCache(tideQuery(TEST_KEY, "noaa:1610367", spanAround(time, asked)), error);
  const html = renderInPage(panel, { clock, search: `tide=noaa:1610367&port=${PORT}`, cache });
  expect(html).toMatch(
    /role="alert">This station does not accept such differences.*>Remove the differences<\/button>/,
  );
});

it.each([
  ["12", "", "-0,3", "", "12,0,-0.3,0"],
  ["+12", "−5", ".25", "0", "12,-5,0.25,0"],
  ["", "", "", "", null],
  ["1,2,3", "0", "0", "0", null],
  ["noon", "0", "1", "0", null],
  ["800", "0", "0", "0", null],
])("differences typed as %j, %j, %j, %j are read", (high_minutes, low_minutes, high_m, low_m, text) => {
  const read = readTyped({ name: "", high_minutes, low_minutes, high_m, low_m });
  expect(read && writeOwnPort(read)).toBe(text);
});

it("a month on paper has the name of a secondary port and its differences", () => {
  const asked = { from: "2026-10-01", to: "2026-10-31", ...parseOwnPort(PORT)!.differences };
  const month = predictTide(catalog, catalog.station(BREST), { days: 2, now: time, ...asked });
  const html = renderInPage(<MonthSheet month={month} />, {
    clock,
    search: `tide=${BREST}&port=${PORT},Cove`,
  });
  for (const text of [
    "Cove · October 2026",
    "With your own differences: +12 min, −0.3 m",
    "by differences from Brest",
  ])
    expect(html.replaceAll("\u00a0", " ")).toContain(text);
});

it.each([
  ["one that the prediction reaches", "2026-09-14T07:00:00Z", "Mon 28 Sep 2026: 100."],
  ["one behind its end, which is asked for", "2026-10-02T12:00:00Z", "Tue 27 Oct 2026: 100."],
])(
  "the next great tide comes after the map's time, where the first of the prediction was before it: %s",
  (_, at, day) => {
    const station = catalog.station(BREST);
    const now = parseInstant(at);
    const span = spanAround(now);
    const prediction = predictTide(catalog, station, { days: 2, now, ...span });
    expect(parseInstant(prediction.next_great_tide!.time)).toBeLessThan(now);
    const cache = filledCache(tideQuery(TEST_KEY, BREST, span), prediction);
    const later = { from: prediction.to, coefficient: 100 };
    cache.setQueryData<Prediction>(
      tideQuery(TEST_KEY, BREST, later).queryKey,
      predictTide(catalog, station, { days: 2, now, ...later }),
    );
    const html = renderInPage(panel, { clock: { now, time: now }, search: `tide=${BREST}`, cache });
    expect(/Next great tide.*?aria-live="polite">(.*?)<\/span>/.exec(html)?.[1]).toBe(day);
  },
);

it.each<[string, string, string, (string | RegExp)[], Words?]>([
  [
    "whether the water rises, how high it is above which datum, and when high and low water come",
    BREST,
    "",
    [
      /Falling, \d\.\d m/,
      /Low water<\/dt><dd><strong>11:57<\/strong> {2}0\.9 m.*High water/,
      "Above LAT (lowest astronomical tide)",
      /Range 5\.7 m \(springs 5\.6 m, neaps 2\.6 m\)\..*Neaps in 6 d\./,
      // The day's own high and low waters at their times.
      />05:39 6\.6<.*>11:57 0\.9<|>11:57 0\.9<.*>05:39 6\.6</,
      "Source: TICON-4, CC BY 4.0",
      /<section aria-label="Brest".*data-opened/,
    ],
  ],
  [
    "what the pressure does by itself, an estimate, and what else is not in the tide",
    BREST,
    "&u=ft",
    [
      "Pressure 988.0 hPa: about +0.8 ft (estimate).",
      "The tide does not include wind, surge, pressure and rivers.",
    ],
  ],
  [
    "the coefficient of a high water in France, and the next great tide with its day",
    BREST,
    "",
    [
      /High water<\/dt><dd>.*? \d\.\d m <span[^>]*>coef\. \d+</,
      /Next great tide, coefficient from <select.*<option selected="">100<.*2026: 10\d\./,
    ],
  ],
  ["coefficients of no other country", SOUTHAMPTON, "", [/^(?!.*(coef\.|great tide))/]],
  ["where a station is from the sampled point", BREST, "&p=48.3,-4.8", ["n mi NE of the point"]],
  ["not so where that is at it", BREST, "&p=48.3828,-4.4950", [/^(?!.*of the point)/]],
  ["nor where it is far away", BREST, "&p=20,-30", [/^(?!.*of the point)/]],
  ["heights above the datum of the link", BREST, "&datum=MSL", ["Above MSL (mean sea level)"]],
  ["the region and the country", BREST, "", [">Brittany · France<"]],
  [
    "it in German, where the region has no name",
    BREST,
    "",
    [
      "Fallend, 5,9 m",
      "Niedrigwasser",
      ">Frankreich<",
      "(Springtidenhub 5,6 m, Nipptidenhub 2,6 m)",
      "Über LAT (niedrigster Gezeitenwasserstand)",
    ],
    de,
  ],
  ["it in French", BREST, "", ["Descendante, 5,9 m", "Basse mer"], fr],
  ["it in Japanese", BREST, "", ["下げ潮 5.9 m", "干潮"], ja],
  [
    "that a computed datum is not that of charts, on the unsafe side",
    BREST,
    "",
    ["LAT is computed from the gauge", "there may be less water", /^(?!.*Shallow water distorts)/],
  ],
  [
    "nothing of the kind where the office publishes it",
    "noaa:8443970",
    "",
    [/^(?!.*computed from the gauge)/],
  ],
  ["that shallow water bends a tide", SOUTHAMPTON, "", ["Shallow water distorts this tide"]],
  ["the depth of a stream", "noaa:PUG1701", "", ["at a depth of 5.5 m"]],
  ["a stream", "noaa:SFB1202", "", [/(Flooding|Ebbing), \d\.\d kn \d{3}° \([NESW]+\)/]],
  ["one tide a day", "noaa:8729840", "", [/(Rising|Falling), \d\.\d m/]],
  [
    "a stand, and the higher of a double high water, which have no room beside each other",
    SOUTHAMPTON,
    "",
    [/Stand from \d\d:\d\d to \d\d:\d\d, \d\.\d m\./, /^(?!.*>12:53 4\.4<).*>14:40 4\.5</],
  ],
  [
    "that there is hardly any tide, and what moves the water",
    STOCKHOLM,
    "",
    ["Hardly any tide", "Wind and air pressure move the water more than the tide does here."],
  ],
  ["the station that a subordinate one is predicted from", "noaa:1610367", "", [/by differences from [A-Z]/]],
])("tells %s", (_, id, search, texts, words) => {
  const html = rendered(id, search, words);
  for (const text of texts) expect(html).toMatch(text);
});

it("shows at most 150 words of what stands open", () => {
  const html = rendered(BREST).replaceAll(/<details.*?<summary[^>]*>(.*?)<\/summary>.*?<\/details>/g, " $1 ");
  const words = html
    .replaceAll(/<[^>]*>/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  expect(words.length).toBeLessThan(150);
});

it("has no heading to move the focus to, and no id in place of a name, until the prediction is read", () => {
  const html = renderInPage(panel, { clock, search: `tide=${BREST}` });
  expect(html).toMatch(/aria-label="Tide".*Reading the tide…/);
  expect(html).not.toMatch(/data-opened|brest-822/);
});

it.each([
  ["noaa:1", null, 404, /role="alert">There is no station noaa:1\..*Close the station<\/button>/],
  [BREST, "XYZ", 422, /heights above LAT.*Use the station&#x27;s datum/],
])("a link to %s above %s says what is wrong, and the way out", async (id, datum, status, text) => {
  const error = new ServiceError("datum: this station has heights above LAT", status);
  const cache = await failedCache(tideQuery(TEST_KEY, id, spanAround(time, datum ? { datum } : {})), error);
  const search = `tide=${id}${datum ? `&datum=${datum}` : ""}`;
  expect(renderInPage(panel, { clock, search, cache })).toMatch(text);
});

it("keeps what it has of the days when those further on are refused, and says where nothing is saved", async () => {
  const queryAt = (at: number) => tideQuery(TEST_KEY, BREST, spanAround(at));
  const later = time + 5 * DAY_S;
  const cache = await failedCache(queryAt(later), new ServiceError({ is: "limited" }, 429));
  const shown = (at: number) =>
    renderInPage(panel, { clock: { now: time, time: at }, search: `tide=${BREST}`, cache });
  expect(shown(later)).not.toContain("High water");
  cache.setQueryData(queryAt(time).queryKey, predicted(BREST));
  expect(shown(later)).toMatch(/^(?!.*role="alert").*(Rising|Falling).*High water/);
  // The prediction that the device had saved replaces the days of a later month.
  const month = time + 30 * DAY_S;
  cache.setQueryData(queryAt(month).queryKey, predicted(BREST));
  expect(shown(month)).toContain('<p role="status">No data saved for this time.');
});

it.each([
  ["where clocks are changed, and says so", BREST, "2026-10-01", "2026-10-31", 31],
  ["west of the date line", "noaa:1770000", "2026-09-01", "2026-09-30", 30],
  ["at the end of the predictions", BREST, "2100-12-01", "2100-12-31", 31],
])("a month on paper has each day of the station's clocks once %s", (_, id, from, to, count) => {
  const month = predictTide(catalog, catalog.station(id), { days: 2, now: time, from, to });
  const html = renderInPage(<MonthSheet month={month} />, { clock });
  const days = [...html.matchAll(/<th scope="row">\w+ (\d+)/g)].map(([, day]) => Number(day));
  expect(days).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  expect([...html.matchAll(/High water/g)].length).toBeGreaterThan(50);
  if (from === "2026-10-01")
    for (const text of ["Brest · October 2026", "Europe/Paris UTC+2, UTC+1 from 25 Oct"])
      expect(html).toContain(text);
});

const room = { width: 240, titleY: 11, top: 16, bottom: 64, x: (at: number) => ((at - time) / HOUR_S) * 10 };

it("the meteogram has a row of the tide with its high and low waters, in the unit of heights; none of hardly any", () => {
  const tide = predicted(BREST) as Parameters<typeof tideRow>[0];
  const rowIn = (length: "m" | "ft") =>
    tideRow(tide, valueStyle(tide, { ...defaultUnits, length }, en), en)!(room);
  const { title, marks, paths, valueAt } = rowIn("m");
  expect(title).toBe("Tide, m above LAT");
  // The marks are at 11:57, 17:55 and so on, and none lies outside the picture.
  expect(marks!.slice(0, 2).map(({ x }) => Math.round(x))).toEqual([50, 109]);
  expect(marks![0]!.y).toBeGreaterThan(marks![1]!.y);
  expect(Math.max(...paths[0]!.match(/[\d.]+(?= )/g)!.map(Number))).toBeLessThanOrEqual(240);
  expect([valueAt!(time + 5 * HOUR_S), rowIn("ft").valueAt!(time + 5 * HOUR_S)]).toEqual(["0.9", "3.0"]);
  const none = predicted(STOCKHOLM) as typeof tide;
  expect(tideRow(none, valueStyle(none, defaultUnits, en), en)).toBeUndefined();
});

it.each<[string, object, RegExp, Words?]>([
  [
    "on the other side of land, is said to be there",
    { water_km: null },
    /No tide station is near by water\. Port Elgin, 18 n mi E, is on the other side of land.*Other tide stations/,
  ],
  [
    "that no water leads to, and that is far, is not named",
    { water_km: null, distance_km: 41 },
    /^<[^>]*>$|^$/,
  ],
  [
    "near by water has its line",
    { water_km: 33 },
    /<button[^>]*>Port Elgin, 18 n mi E<\/button> · Falling, 5\.9 m · Low water 11:57 0\.9 m</,
  ],
  [
    "has it in German without the abbreviation of low water, which is that of north-west",
    { water_km: 33 },
    /<button[^>]*>Port Elgin, 18 sm O<\/button> · Fallend, 5,9 m · Niedrigwasser 11:57 0,9 m</,
    de,
  ],
  ["has it in French", { water_km: 33 }, /<\/button> · Descendante, 5,9 m · Basse mer 11:57 0,9 m</, fr],
])("a station %s", (_, found, text, words = en) => {
  const place = { latitude: 45.83, longitude: -64.35 };
  const station = {
    ...catalogued(BREST),
    name: "Port Elgin",
    latitude: 45.9,
    longitude: -63.95,
    distance_km: 32.7,
  };
  const cache = filledCache(tideQuery(TEST_KEY, BREST, spanAround(time)), predicted(BREST));
  cache.setQueryData(nearestStationQuery(TEST_KEY, place, "tide").queryKey, [{ ...station, ...found }]);
  const html = renderInPage(
    <TideRow place={place} first={time} time={time} onRow={nothing} onOpen={nothing} />,
    { clock, cache, words },
  );
  expect(html.replaceAll("\u00a0", " ").replaceAll("<!-- -->", "")).toMatch(text);
});

it("the other stations around a point are listed with distance, bearing and the level of their heights, those over land too", () => {
  const place = { latitude: 48.3, longitude: -4.8 };
  const near = { ...catalogued(BREST), distance_km: 24, water_km: 25 };
  const others = [
    near,
    { ...near, id: "a", name: "Camaret", latitude: 48.3, longitude: -4.6, distance_km: 14.8, water_km: 16 },
    {
      ...near,
      id: "b",
      name: "Morgat",
      latitude: 48.2,
      longitude: -4.8,
      distance_km: 11.1,
      water_km: null,
      datum: "MSL",
    },
  ];
  const cache = filledCache(tideQuery(TEST_KEY, BREST, spanAround(time)), predicted(BREST));
  cache.setQueryData(nearestStationQuery(TEST_KEY, place, "tide").queryKey, [near]);
  cache.setQueryData(stationsAroundQuery(TEST_KEY, place, 6, "tide").queryKey, others);
  const html = renderInPage(
    <TideRow place={place} first={time} time={time} onRow={nothing} onOpen={nothing} />,
    { clock, cache },
  ).replaceAll("\u00a0", " ");
  const list = /<summary[^>]*>Other tide stations<\/summary><ul[^>]*>(.*?)<\/ul>/.exec(html)?.[1] ?? "";
  expect(list.split("</li>").map((row) => row.replaceAll(/<[^>]*>/g, ""))).toEqual([
    "Camaret, 8.0 n mi E · LAT",
    "Morgat, 6.0 n mi S · MSL · other side of land",
    "",
  ]);
  expect([...list.matchAll(/data-opens="(.*?)"/g)].map(([, id]) => id)).toEqual(["a", "b"]);
});

const stations: TidesNow = {
  at: "2026-09-14T07:00:00Z",
  tides: {
    id: ["a", "b", "c"],
    name: ["Brest", "Low", "Baltic"],
    latitude: [48, 0, 0],
    longitude: [-4, 0, 0],
    height_m: [6.58, -0.21, 0.04],
    trend: [1, -1, 0],
  },
  streams: {
    id: ["d", "e"],
    name: ["Narrows", "Pool"],
    latitude: [0, 0],
    longitude: [0, 0],
    speed_kt: [4, 0.05],
    direction: [90, 270],
  },
  total: 5,
  attribution: [],
};

it("the map marks tides as rising, falling or hardly any, and turns the arrow of a stream to where it goes", () => {
  const shapes = (units = defaultUnits) =>
    tideShapes({ stations, units, words: en }).features.map(({ properties }) => properties);
  expect(shapes()).toMatchObject([
    { id: "a", icon: "tide-rising", label: "6.6", name: "Brest\n6.6 m", order: 0 },
    { id: "b", icon: "tide-falling", label: "−0.2", order: 1 },
    { id: "c", icon: "tide-none", label: "0.0" },
    { icon: "stream-44", direction: 90, name: "Narrows\n4.0 kn" },
    { icon: "stream-0" },
  ]);
  expect(shapes({ ...defaultUnits, length: "ft" })[0]).toMatchObject({ label: "21.6" });
});

const view = { west: -10, south: 46, east: 2, north: 51 };

it.each([
  [view, 6, "-11.25,45,5.625,53.438"],
  [{ west: -9.5, south: 46.2, east: 2.5, north: 51.2 }, 6.4, "-11.25,45,5.625,53.438"],
  [{ west: 178, south: -20, east: 184, north: -15 }, 6, "174.375,-22.5,-174.375,-14.063"],
])("asks for the same box while the map moves a little, also across 180°: %j", (box, zoom, text) => {
  expect(quantisedBox(box, zoom)).toBe(text);
});

it("on a metered link asks for no time that is only passed", () => {
  const cache = filledCache(tidesNowQuery(TEST_KEY, quantisedBox(view, 6), time), stations);
  function Total({ isPlaying, isLight }: { isPlaying: boolean; isLight: boolean }) {
    const shown = { apiKey: TEST_KEY, box: view, zoom: 6, time, isPlaying, isLight };
    return useTideStations(shown)?.total ?? "none";
  }
  const total = (isPlaying: boolean, isLight: boolean) =>
    renderInPage(<Total isPlaying={isPlaying} isLight={isLight} />, { cache });
  expect([total(true, false), total(false, true), total(true, true)]).toEqual(["5", "5", "none"]);
});
