import { MILE_KM } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { zoneOf } from "#components/view-state/civil.ts";
import { parseInstant } from "#lib/time.ts";
import { type AllWords, de, en, ja } from "#test/all-words.ts";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { utc } from "#test/zones.ts";
import type { ApproachAnswer } from "./approaches.ts";
import {
  formatArrival,
  formatClearance,
  formatLine,
  formatSide,
  verdictOf,
  verdictWithout,
} from "./format-verdict.ts";

const HOUR = 3600;
const now = parseInstant("2026-09-14T09:20:00Z");
const until = parseInstant("2026-09-18T06:00:00Z");
const closest = {
  time: parseInstant("2026-09-15T06:10:00Z"),
  distance_km: 143 * MILE_KM,
  bearing_deg: 271,
  gale_km: 200,
  gale_estimated: false,
  cone_km: 50,
  clearance_km: 15,
  semicircle: "dangerous" as const,
};
const gales = {
  threshold_kt: 34,
  outlook: "not expected" as const,
  earliest: null,
  likely: null,
  latest: null,
  ends: null,
  told_until: until,
};
const danger = {
  method: "classic" as const,
  from: now,
  until: now + 60 * HOUR,
  enters: null,
  leaves: null,
  clearance_km: 210 * MILE_KM,
  gale_estimated: false,
};
const answer: ApproachAnswer = {
  provider: "jtwc",
  id: "WP012026",
  name: "DEMO",
  wind_average_minutes: 1,
  issued_at: now - 3 * HOUR,
  is_stale: false,
  from: now,
  until,
  now: null,
  closest,
  least_clearance: closest,
  arrivals: [gales],
  danger,
};
type Change = Partial<NonNullable<ApproachAnswer["danger"]>>;
const withDanger = (change: Change): ApproachAnswer => ({ ...answer, danger: { ...danger, ...change } });
const withGales = (change: Partial<ApproachAnswer["arrivals"][number]>): ApproachAnswer => ({
  ...answer,
  arrivals: [{ ...gales, ...change }],
});
const verdict = (of: ApproachAnswer) => verdictOf(of, now, utc);
const line = (of: ApproachAnswer, zone = utc) => formatLine(of, now, zone);
const wind = (change: Partial<ApproachAnswer["arrivals"][number]>) => line(withGales(change)).split("; ")[1];

describe("the verdict on the danger area", () => {
  it("says first how near and which wind, then that it is clear by so much", () => {
    expect(verdict(answer)).toEqual({
      level: "clear",
      sentences: ["Closest 143 n mi, Tue 06:00; 34 kn not expected", "Clear of the 1‑2‑3 area by 210 n mi."],
    });
  });

  it("is in that of three days, which is no more than caution where no wind comes, or out of it at an hour", () => {
    const inside = verdict(withDanger({ enters: now - 300, clearance_km: 0 }));
    expect(inside.level).toBe("caution");
    expect(inside.sentences[1]).toBe("In the 1‑2‑3 area of the next 3\u00a0days.");
    const out = verdict(withDanger({ enters: now, leaves: now + 14 * HOUR, clearance_km: 0 }));
    expect(out.sentences[1]).toBe("In the 1‑2‑3 area, out of it Mon 14 Sep 23:00 (in 14 h).");
  });

  it("names the area that is drawn, and says that its winds are estimated or that there is none", () => {
    expect(verdict(withDanger({ method: "season" })).sentences[1]).toContain(
      "danger area of this season's cone",
    );
    expect(verdict(withDanger({ gale_estimated: true })).sentences[1]).toBe(
      "Clear of the 1‑2‑3 area (its winds estimated) by 210 n mi.",
    );
    const none = verdict({ ...answer, danger: null });
    expect([none.level, none.sentences[1]]).toEqual([
      "unknown",
      "This forecast has no danger area for the time ahead.",
    ]);
  });
});

describe("the line of a storm", () => {
  const expected = { outlook: "expected" as const, earliest: now + 18 * HOUR, likely: now + 22 * HOUR };

  it("has the hour of the closest approach, that the storm moves away, or is still closing when the forecast ends", () => {
    expect(line(answer)).toMatch(/^Closest 143 n mi, Tue 06:00;/);
    expect(line({ ...answer, closest: { ...closest, time: now } })).toMatch(/^Moving away: 143 n mi, now;/);
    const still = { ...closest, time: now, semicircle: null };
    expect(line({ ...answer, closest: still })).toMatch(/^Closest 143 n mi, now;/);
    expect(line({ ...answer, closest: { ...closest, time: until } })).toMatch(
      /^Still closing: 143 n mi, Fri 06:00 \(end of forecast\);/,
    );
    // If the position lies in the future, the situation there is not that of now.
    const from = now + 20 * HOUR;
    expect(line({ ...answer, from, closest: { ...closest, time: from } })).toMatch(
      /^Moving away: 143 n mi, Tue 05:00;/,
    );
  });

  it("says when the lowest wind comes, that it is only possible, not expected, or not forecast", () => {
    expect(wind(expected)).toBe("34 kn from Tue 07:00");
    expect(wind({ ...expected, likely: now })).toBe("34 kn now");
    expect(wind({ outlook: "possible", earliest: now + 18 * HOUR })).toBe("34 kn possible from Tue 03:00");
    expect(wind({ outlook: "possible", earliest: now })).toBe("34 kn possible now");
    expect(wind({})).toBe("34 kn not expected");
    expect(wind({ outlook: "not forecast", told_until: null })).toBe("reach of 34 kn not forecast");
    const near = withGales({ outlook: "not forecast", told_until: null });
    const reached = { ...near, closest: { ...closest, distance_km: 150, gale_estimated: true } };
    expect(line(reached)).toContain("; within the usual reach of 34 kn");
    expect(verdict(reached).level).toBe("enters");
    // 30 kn is a threshold of the JMA.
    expect(wind({ threshold_kt: 30 })).toBe("30 kn not expected");
  });

  it("says why it is a danger where no wind comes: the danger area", () => {
    expect(wind({})).toBe("34 kn not expected");
    expect(line(withDanger({ enters: now }))).toContain("; 34 kn not expected; in the 1‑2‑3 area");
    expect(line(withDanger({ enters: now + 20 * HOUR }))).toContain("; in the 1‑2‑3 area from Tue 05:00");
    // The text names the danger area as the card does, whichever one is drawn.
    expect(line(withDanger({ enters: now, method: "season" }))).toContain(
      "danger area of this season's cone",
    );
    expect(line({ ...withGales(expected), danger: { ...danger, enters: now } })).toContain("; 34 kn from");
  });

  it("of a storm that is too far to endanger anybody has the distance alone", () => {
    const far = { ...closest, distance_km: 9000 };
    expect(line({ ...answer, closest: far })).toBe("Closest 4,860 n mi, Tue 06:00");
    expect(line({ ...answer, closest: { ...far, time: until } })).toBe(
      "Still closing: 4,860 n mi, Fri 06:00 (end of forecast)",
    );
  });

  it("says nothing of winds that no hour of the forecast has, and they make no danger", () => {
    const calm = withGales({ is_forecast: false });
    expect(line(calm)).toBe("Closest 143 n mi, Tue 06:00");
    const near = { ...calm, closest: { ...closest, distance_km: 150, gale_estimated: true } };
    expect([line(near), verdict(near).level]).toEqual(["Closest 81 n mi, Tue 06:00", "clear"]);
    expect(verdict({ ...near, danger: { ...danger, gale_estimated: true } }).sentences[1]).toBe(
      "Clear of the 1‑2‑3 area by 210 n mi.",
    );
    expect(formatArrival({ ...gales, is_forecast: false, outlook: "not forecast" }, utc)).toBeUndefined();
  });

  it("has the clock and the order of words of the reader", () => {
    expect(line(withGales(expected), zoneOf("ship", 150, en))).toContain("34 kn from Tue 17:00");
    const inLanguage = (words: AllWords) => line(withGales(expected), zoneOf("utc", 0, words));
    expect(inLanguage(de)).toBe("Am dichtesten 143 sm, Di 06:00; 34 kn ab Di 07:00");
    expect(inLanguage(ja)).toBe("最接近 143 海里、火 06:00；火 07:00から34 kt以上");
  });

  it("of a ship that gales reach is a danger also where it keeps clear of the danger area", () => {
    expect(verdict(answer).level).toBe("clear");
    expect(verdict(withGales(expected)).level).toBe("enters");
    expect(verdict(withGales({ ...expected, likely: now })).level).toBe("inside");
  });
});

it("an old forecast is said", () => {
  expect(verdict({ ...answer, is_stale: true }).sentences[2]).toBe(
    "The forecast is old: newer ones are missing.",
  );
});

it("a storm without anything ahead has a verdict of its own: ended, out of date, an invest, beyond, or silent", () => {
  const storm = stormOf([aheadPoint(0, { latitude: 20, longitude: 140 })]);
  const { forecast: _, ...bare } = storm.tracks;
  const text = (entry: typeof storm, at = BASE, beyond = false) =>
    verdictWithout(entry, at, beyond, utc).sentences.join();
  expect(text({ ...storm, is_active: false })).toContain("no longer tracked");
  expect(text(storm, BASE + HOUR)).toContain(
    "Its forecast ended Tue 15 Sep 12:00: nothing is known of it since",
  );
  expect(text(storm, BASE, true)).toBe("Its forecast ends before the time of my ship's position.");
  expect(text({ ...storm, tracks: bare, is_invest: true })).toContain(
    "An area of interest without a forecast",
  );
  expect(text({ ...storm, tracks: bare })).toContain("that does not mean that the storm stays away");
});

const found = (time: number): ApproachAnswer => ({
  ...answer,
  from: until - 72 * 3600,
  least_clearance: { ...closest, time, clearance_km: 1915 },
});

it("a clearance that shrinks until the last forecast point is not the least there; a storm has sides within 500 n mi", () => {
  expect(formatSide(found(until), utc)).toBe(
    "At the closest, Tue 06:00, it bears 271° and you are in its dangerous semicircle.",
  );
  expect(formatSide({ ...found(until), closest: { ...closest, time: until } }, utc)).toBe(
    "When the forecast ends, Fri 06:00, it bears 271° and you are in its dangerous semicircle.",
  );
  const at = (miles: number, change = {}, from = answer.from) =>
    formatSide({ ...withGales(change), closest: { ...closest, distance_km: miles * MILE_KM }, from }, utc);
  expect(at(499)).toContain("dangerous semicircle");
  expect(at(501)).toBe("At the closest, Tue 06:00, it bears 271°.");
  expect(at(100, {}, answer.closest.time)).toBeUndefined();
  expect(at(100, { is_forecast: false })).toBe("At the closest, Tue 06:00, it bears 271°.");
  expect(formatClearance(found(until), 34, utc)).toContain(
    "come no nearer than 1,034 n mi until the forecast ends (Fri 18 Sep 06:00), and are still closing.",
  );
  expect(formatClearance(found(until - 7000), 34, utc)).toContain(
    "34 kn winds come no nearer than 1,034 n mi, Fri 18 Sep 04:00.",
  );
});

it.each([
  [en, "Within the error of the track you could be 23 n mi inside the 34 kn winds, Tue 15 Sep 06:00."],
  [
    de,
    "Im Rahmen des Fehlers der Zugbahn können Sie Di 15. Sept. 06:00 bis zu 23 sm tief im Windfeld mit 34 kn liegen.",
  ],
])(
  "says within what the vessel may be, and nothing where only the track's error reaches it",
  (words, text) => {
    const within = { ...closest, clearance_km: -23 * MILE_KM };
    const said = (least: typeof closest) =>
      formatClearance({ ...answer, least_clearance: least }, 34, zoneOf("utc", 0, words));
    expect(said(within)).toBe(text);
    expect(said({ ...within, gale_km: 0 })).toBeUndefined();
    expect(said({ ...within, gale_km: 0, clearance_km: 10 })).toContain("34 kn");
  },
);

it("times of storms are whole hours: the earliest before, the latest and the end after", () => {
  const window = {
    ...gales,
    outlook: "expected" as const,
    earliest: parseInstant("2026-09-16T04:58:00Z"),
    likely: parseInstant("2026-09-16T07:31:00Z"),
    latest: parseInstant("2026-09-16T09:02:00Z"),
    ends: parseInstant("2026-09-17T01:01:00Z"),
  };
  expect(formatArrival(window, utc)).toBe(
    "34 kn winds: expected, earliest Wed 16 Sep 04:00, likely Wed 16 Sep 08:00, latest Wed 16 Sep 10:00, over by Thu 17 Sep 02:00",
  );
  const india = { words: en, offset: () => 5.5 * 3600, label: () => "UTC+5:30" };
  expect(formatArrival(window, india)).toContain("earliest Wed 16 Sep 10:00, likely Wed 16 Sep 13:00");
  expect(formatArrival(window, zoneOf("ship", -45, en))).toContain("earliest Wed 16 Sep 01:00");
});
