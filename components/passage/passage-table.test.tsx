import { fromKnots } from "@open-metocean/geo/knots";
import { steering } from "@open-metocean/storms/track";
import { expect, it } from "vitest";
import { utc, type Zone } from "#components/view-state/civil.ts";
import { mapColour, tintOf } from "#components/view-state/map-colours.ts";
import { NO_BREAK_SPACE } from "#components/words/whole-values.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { passage as germanPassage } from "#lib/messages/generated/de/passage.ts";
import { de as germanPage } from "#lib/messages/generated/de.ts";
import { passage } from "#lib/messages/generated/en/passage.ts";
import type { Weather } from "#lib/passage/vessel.ts";
import { approachAnswer } from "#lib/storm-answers/approach.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { metaOf, northward, planOf } from "#test/passage.ts";
import { renderInPage } from "#test/render.tsx";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { layOutPassage } from "./passage-chart.tsx";
import { sourcesOf, stormLines, totalsOf } from "./passage-facts.tsx";
import {
  formatAnswer,
  formatDeciding,
  formatDuration,
  formatPassedGate,
  formatReason,
} from "./passage-format.tsx";
import type { PassageAnswer } from "./passage-queries.ts";
import { type ColumnId, columns, PassageTable, rowsOf } from "./passage-table.tsx";
import { boatAt } from "./passage-view.tsx";

const { outlook: words } = passage;
const { outlook: german } = germanPassage;

const DEPARTURE = parseInstant("2026-09-15T12:00:00Z");
const style = { units: defaultUnits, zone: utc, words };

/** A boat that sails north: a westerly wind is on port, and a current that sets south is against it. */
const westerly: Weather = {
  Winds_10m_Intensity: fromKnots(20),
  Winds_10m_Direction: 270,
  Gust_10m: fromKnots(31),
  Waves_Significant_Height: 1.5,
  Waves_Mean_Direction: 20,
  Waves_Mean_Period: 7,
  Currents_Intensity: fromKnots(1),
  Currents_Direction: 180,
};

const plan = planOf(() => westerly, DEPARTURE);
const meta = metaOf([plan]);
const cell = (id: ColumnId, of: PassagePlan) => {
  const [row] = rowsOf(of, "waypoints", meta.distance_nm, 2);
  return columns.find((column) => column.id === id)!.text(row!, style);
};

const changed = (weather: Weather) => planOf(() => ({ ...westerly, ...weather }), DEPARTURE);

it.each<[ColumnId, string, Weather?]>([
  ["course", "000°"],
  ["wind", "270° 20"],
  ["sea", "020° 1.5 · 7 s"],
  ["sea", "020° 1.5", { Waves_Mean_Period: null }],
  ["wind_angle", "90° port"],
  ["wind_angle", "0°", { Winds_10m_Direction: 0 }],
  ["sea_angle", "20° stbd"],
  ["current_along", "−1.0"],
  ["current_along", "+1.0", { Currents_Direction: 0 }],
  ["current_across", "1.0 to stbd", { Currents_Direction: 90 }],
  ["sog", "5.0"],
  ["stw", "6.0"],
])(
  "says on which side wind and waves are met, and which way the current sets: %s is %s",
  (id, text, weather = {}) => {
    expect(cell(id, changed(weather))).toBe(text);
  },
);

it("has the waypoints, every three hours beside them, or every piece, and the arrival last", () => {
  const byWaypoint = rowsOf(plan, "waypoints", meta.distance_nm, 2);
  expect(byWaypoint.map(({ waypoint }) => waypoint)).toEqual([0, 1, 2]);
  expect(byWaypoint.map(({ toGoMiles }) => Math.round(toGoMiles))).toEqual([60, 30, 0]);
  const byHour = rowsOf(plan, "hours", meta.distance_nm, 2);
  expect(byHour.length).toBeGreaterThan(byWaypoint.length);
  expect(byHour.length).toBeLessThan(rowsOf(plan, "pieces", meta.distance_nm, 2).length);
  expect(byHour.at(-1)).toMatchObject({ isEnd: true, waypoint: 2, elapsedSeconds: plan.totals.duration_s });
});

it("puts the boat on its way at any time: at the start before the departure, at the end after it", () => {
  const hours = (count: number) => boatAt(plan, DEPARTURE + count * 3600)!;
  expect(hours(-5)).toEqual({ latitude: 48, longitude: -5, course: undefined });
  // 5 knots over ground are a twelfth of a degree per hour.
  expect(hours(3).latitude).toBeCloseTo(48.25, 2);
  expect(hours(3).course).toBe(0);
  expect(hours(99)).toEqual({ latitude: 49, longitude: -5, course: undefined });
  expect(boatAt({ ...plan, pieces: [] }, DEPARTURE)).toBeUndefined();
});

it("shows in grey what lies beyond the forecast, with no number of it", () => {
  const ends = planOf(({ time }) => (time < DEPARTURE + 5 * 3600 ? westerly : {}), DEPARTURE);
  const shown = ["wind", "gust", "sog"] as const;
  const html = renderInPage(
    <PassageTable route={northward} plan={ends} meta={metaOf([ends])} mode="hours" shown={shown} />,
  );
  const rows = html.match(/<tr[^>]*data-unknown[\s\S]*?<\/tr>/g)!;
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows)
    expect(row).toMatch(/no forecast<\/td><td data-column="gust"><\/td><td data-column="sog">6\.0/);
  expect(html).not.toContain("NaN");
});

it("shows wind, gusts and sea in the colours of the map, and names each day once", () => {
  const html = renderInPage(
    <PassageTable
      route={northward}
      plan={plan}
      meta={meta}
      mode="hours"
      shown={["wind", "wind_angle", "gust", "sea"]}
    />,
  );
  const { backgroundColor, color } = tintOf("wind", fromKnots(20), "light")!;
  expect(html).toContain(`style="background-color:${backgroundColor};color:${color}">270° 20</td>`);
  expect(html).toContain(`${tintOf("gust", fromKnots(31), "light")!.backgroundColor};`);
  expect(html).toContain(`${tintOf("wave", 1.5, "light")!.backgroundColor};`);
  expect(html).toMatch(/data-column="wind_angle">90° port/);
  const rows = rowsOf(plan, "hours", meta.distance_nm, 2);
  const days = html.match(/class="passage-day">[^<]*/g)!;
  expect(days.length).toBe(new Set(rows.map(({ time }) => Math.floor(time / 86_400))).size);
  expect(days[0]).toContain("Tue 15 Sep");
});

it("writes a duration that stands alone, in days from the fourth on, and within which no line ends", () => {
  const durations = (zone: Zone) =>
    [1200, 5 * 3600, 38.5 * 3600, 72 * 3600, 164 * 3600].map((seconds) =>
      formatDuration(seconds, { ...style, zone }),
    );
  expect(durations(utc)).toEqual(["20 min", "5 h", "38 h 30 min", "3 d", "6 d 20 h"].map(unbroken));
  expect(durations({ ...utc, words: germanPage }).slice(3)).toEqual(["3 Tage", "6 Tage 20 h"].map(unbroken));
});

const unbroken = (text: string) => text.replaceAll(" ", NO_BREAK_SPACE);

it("fills the chart below wind and waves with the colours of the map for their values", () => {
  const { rows } = layOutPassage(plan, meta, 300, style);
  const filled = rows.filter(({ area }) => area);
  expect(filled.map(({ id }) => id)).toEqual(["wind", "sea"]);
  for (const { area } of filled) expect(area!.path).toMatch(/^M.*Z$/);
  const [wind] = filled;
  const top = Number(wind!.scale[0]!.text);
  expect(wind!.area!.colours.at(-1)!.colour).toBe(mapColour("wind", fromKnots(top), "light"));
  const night = layOutPassage(plan, meta, 300, style, "night").rows[0]!;
  expect(night.area!.colours.at(-1)!.colour).toBe(mapColour("wind", fromKnots(top), "night"));
});

it("writes the limit beside the title of the row, above all curves, and in the plot where there is no room", () => {
  const limitAt = (width: number) => {
    const { limit, title, titleY, top } = layOutPassage(plan, meta, width, style).rows[0]!;
    return { ...limit!, title, titleY, top };
  };
  const wide = limitAt(300);
  expect(wide.place).toEqual({ x: 300, y: wide.titleY, textAnchor: "end" });
  expect(wide.titleY).toBeLessThan(wide.top);
  const narrow = limitAt(200);
  expect(narrow.place!.y).toBeGreaterThan(narrow.top);
});

it("says the verdict with the limit that decided, its number, when and where, in the language of the page", () => {
  expect(plan.verdict).toBe("CAUTION");
  const own = { ...style, ownLimits: { gust_kt: 34 } };
  expect(formatDeciding(plan, own)).toContain("Gusts 31 kn, near your limit of 34 kn");
  const said = formatDeciding(plan, style);
  expect(said).toMatch(
    /^Gusts 31 kn, near the usual limit of 34 kn \(Tue 15 Sep 12:\d\d, 48°\d\d\.\d′N 005°00\.0′W\)\.$/,
  );
  const zone = { ...utc, words: germanPage };
  expect(formatDeciding(plan, { ...style, zone, words: german })).toMatch(
    /^Böen 31 kn, nahe der üblichen Grenze von 34 kn \(Di/,
  );
  const metres = { ...style, units: { ...defaultUnits, speed: "m/s" as const } };
  expect(formatDeciding(plan, metres)).toContain("Gusts 15.9 m/s, near the usual limit of 17.5 m/s");
});

it("says the leg that crosses land or another cause in one sentence, and below the answer only where and when", () => {
  const nothing = { value: null, limit: null, ratio: null };
  const deciding = { ...plan.deciding!, ...nothing, by: "crosses_land" as const, leg: 1 };
  const no = { ...plan, verdict: "NO" as const, deciding };
  expect(formatDeciding(no, style)).toMatch(/^Leg 2 crosses land \(Tue/);
  expect(formatReason(no, style)).toMatch(/^At 48°\d\d\.\d′N 005°00\.0′W, Tue 15 Sep \d\d:\d\d\.$/);
  const becalmed = { ...no, deciding: { ...deciding, by: "becalmed" as const } };
  expect(formatDeciding(becalmed, style)).toMatch(/^Not enough wind to sail, and no motor \(Tue [^()]+\)\.$/);
});

const near = {
  leg: 1,
  distance_nm: 0.4,
  at: { latitude: 49.95, longitude: -5.18, timestamp: "2026-09-15T16:40:00Z" },
};
const closeBy: PassagePlan = {
  ...plan,
  near_coast: near,
  deciding: { by: "near_coast", value: 0.4, limit: 1, ratio: null, leg: 1, piece: 8, at: near.at },
};

it("says of a route too near to the coast first how near and where, then when, and that the water leaves more", () => {
  expect(formatAnswer(closeBy, style)).toBe(
    "CAUTION: Leg 2 is 0.4 n mi off the coast at 49°57.0′N 005°10.8′W",
  );
  expect(formatReason(closeBy, style)).toBe(
    "Tue 15 Sep 16:40. There is water to pass 1 n mi off or further.",
  );
  expect(formatDeciding(closeBy, style)).toBe(
    "Leg 2 is 0.4 n mi off the coast (Tue 15 Sep 16:40, 49°57.0′N 005°10.8′W).",
  );
  // If something else decides, the coast is still mentioned.
  expect(formatReason({ ...plan, near_coast: near }, style)).toMatch(
    /limit of 34 kn \(Tue[^)]+\)\. Leg 2 is 0\.4 n mi off the coast \(Tue 15 Sep 16:40, 49°57\.0′N 005°10\.8′W\)\.$/,
  );
  // Beside the land that the same leg crosses, the coast is not mentioned.
  const ashore = { ...closeBy, verdict: "NO" as const, near_coast: { ...near, distance_nm: 0 } };
  const onLand = { ...closeBy.deciding!, by: "crosses_land" as const };
  expect(formatDeciding({ ...ashore, deciding: onLand }, style)).not.toContain("off the coast");
  expect(formatDeciding({ ...ashore, deciding: { ...onLand, leg: 0 } }, style)).toContain("off the coast");
});

it.each(Object.entries({ en, fr, es, de, pt, ja, zh }))("says so in %s", (_, page) => {
  const spoken = { ...style, zone: { ...utc, words: page }, words: page.passage.outlook };
  expect(formatAnswer(closeBy, spoken)).toMatch(
    new RegExp(`^${page.passage.outlook.verdicts.CAUTION}.*0[.,]4.*49°57[.,]0′N 005°10[.,]8′W`),
  );
  expect(formatReason(closeBy, spoken)).toContain("16:40");
});

it("notes in the table where the coast is near", () => {
  const [first, ...others] = plan.pieces!;
  expect(cell("notes", { ...plan, pieces: [{ ...first!, flags: ["near_coast"] }, ...others] })).toContain(
    "near the coast, or on land",
  );
});

it("says of a storm that it moves away from the departure on, or is still closing where forecast or passage end", () => {
  const storm = stormOf(
    [0, 24, 48, 72].map((hour) => aheadPoint(hour, { latitude: 20, longitude: -40 - hour / 4 })),
  );
  const said = (latitude: number, longitude: number, hours: number) => {
    const vessel = { ...steering({ latitude, longitude }, BASE, 0, 0), ends: BASE + hours * 3600 };
    const result = approachAnswer(storm, vessel, undefined, BASE)!;
    const end = { latitude, longitude, timestamp: formatInstant(BASE + hours * 3600) };
    return stormLines({ ...plan, end, storms: { results: [result], without_forecast: [] } }, style)[0]!.text;
  };
  expect(said(20, -36, 48)).toMatch(/^DEMOALFA: centre moving away, Tue 15 Sep 12:00, \d+ n mi, bearing/);
  expect(said(20, -60, 48)).toMatch(
    /^DEMOALFA: centre still closing at the end of the passage, Thu 17 Sep 12:00,/,
  );
  expect(said(20, -60, 100)).toMatch(
    /^DEMOALFA: centre still closing when the forecast ends, Fri 18 Sep 12:00,/,
  );
  expect(said(22, -49, 100)).toMatch(/^DEMOALFA: centre closest Thu 17 Sep 0\d:00,/);
});

it("hours under motor are told of vessels that may sail; a model of several runs is named once", () => {
  const titles = (kind: "fixed" | "sail") => totalsOf(plan, meta, kind, style).map(([title]) => title);
  expect(titles("sail")).toContain("Under motor");
  expect(titles("fixed")).not.toContain("Under motor");
  const part = { model: "GFS 0.25°", reference_time: "2026-09-15T06:00:00Z" };
  const provenance = [part, { ...part, reference_time: "2026-09-15T00:00:00Z" }, part];
  const answer = { meta: { ...meta, provenance }, readAt: DEPARTURE } as unknown as PassageAnswer;
  expect(sourcesOf(answer, style)).toContain(
    "Forecast runs: GFS 0.25° 2026-09-15 00:00, 2026-09-15 06:00 UTC.",
  );
});

it("has the tide and the stream of a gate at its waypoint, and says in the verdict which is missed and when it opens", () => {
  const gate = { kind: "height", station: "x:1", min_m: 4, wait: false } as const;
  const missed = {
    waypoint: 1,
    gate,
    station: "Saint Malo",
    eta: "2026-09-15T18:40:00Z",
    holds: false,
    waited_s: 0,
    height_m: 3.1,
    speed_kt: null,
    direction_deg: null,
    nearest: "2026-09-15T21:52:00Z",
    window: { from: "2026-09-15T20:15:00Z", to: "2026-09-16T00:40:00Z" },
  };
  const slack = {
    ...missed,
    waypoint: 2,
    gate: { kind: "slack", station: "x:2", within_h: 0.5, wait: true } as const,
    station: "The Race",
    holds: true,
    waited_s: 4800,
    height_m: null,
    speed_kt: 2.3,
    direction_deg: 284,
  };
  const deciding = { ...plan.deciding!, by: "gate_missed" as const, gate: 0, value: null, limit: null };
  const gated = { ...plan, verdict: "NO" as const, deciding, gates: [missed, slack] };
  expect(formatDeciding(gated, style)).toBe(
    "3.1 m at Saint Malo, Tue 15 Sep 18:40; 4.0 m needed. Next open Tue 15 Sep 20:15.",
  );
  expect(formatAnswer(gated, style)).toBe("NO: Gate missed: Saint Malo");
  const highWater = {
    ...missed,
    gate: { kind: "high_water" as const, from_h: -2, to_h: 2, station: "x", wait: false },
  };
  expect(formatAnswer({ ...gated, gates: [highWater, slack] }, style)).toBe(
    "NO: High water missed: Saint Malo",
  );
  expect(formatReason(gated, style)).toBe(
    "3.1 m, Tue 15 Sep 18:40; 4.0 m needed. Next open Tue 15 Sep 20:15.",
  );
  const props = { route: northward, plan: gated, meta, mode: "waypoints", shown: ["wind"] } as const;
  const html = renderInPage(<PassageTable {...props} />);
  expect(html).toContain(
    "Saint Malo ≥ 4.0 m: 3.1 m at 18:40, high water 21:52, missed, open 20:15–Wed 16 Sep 00:40<",
  );
  expect(html).toContain(
    "The Race slack ± 0.5 h: 2.3 kn 284° at 18:40, slack 21:52, waits 1 h 20 min, open 20:15",
  );
  // On a clock that is ten hours ahead, both ends of the window are on the day after the arrival; in UTC the
  // first one is not.
  const eastern: Zone = { ...utc, offset: () => 10 * 3600 };
  expect(formatPassedGate({ ...missed, eta: "2026-09-15T12:00:00Z" }, { ...style, zone: eastern })).toContain(
    "3.1 m at 22:00, high water 07:52, missed, open Wed 16 Sep 06:15–Wed 16 Sep 10:40",
  );
  const unknown = { ...missed, height_m: null, nearest: null, window: null };
  expect(formatPassedGate(unknown, style)).toBe("Saint Malo ≥ 4.0 m: not predicted");
  expect(formatDeciding({ ...gated, gates: [unknown] }, style)).toBe("Saint Malo ≥ 4.0 m: not predicted");
});

it("begins a NO with its reason, which is not said twice, and any other verdict with the arrival", () => {
  expect(formatAnswer(plan, style)).toMatch(/^CAUTION: arrives \w{3} \d+ Sep \d\d:\d\d UTC/);
  const no = { ...plan, verdict: "NO" as const };
  expect(formatAnswer(no, style)).toBe("NO: Gusts 31 kn");
  expect(formatReason(no, style)).toMatch(/^Over the usual limit of 34 kn \(Tue 15 Sep/);
  expect(formatReason({ ...no, arrival: null }, style)).toMatch(/^Gusts 31 kn, over the usual limit/);
});
