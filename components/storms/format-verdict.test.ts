import { describe, expect, it } from "vitest";
import { zoneOf } from "#components/view-state/civil.ts";
import { formatAge, formatHour } from "#components/view-state/format-time.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { parseInstant } from "#lib/time.ts";
import { type AllWords, de, en, es, ja, pt } from "#test/all-words.ts";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { utc } from "#test/zones.ts";
import {
  formatApproach,
  formatArrival,
  formatClearance,
  formatClosest,
  verdictOf,
  verdictWithout,
} from "./format-verdict.ts";
import type { ApproachAnswer } from "./ship-approaches.ts";

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
const wind = (change: Partial<ApproachAnswer["arrivals"][number]>) => verdict(withGales(change)).sentences[1];

describe("the verdict on the danger area", () => {
  it("is clear by so much, and says until when gales are not expected", () => {
    expect(verdict(answer)).toEqual({
      level: "clear",
      sentences: [
        "Clear of the 1-2-3 area by 210 n mi.",
        "Gales not expected before the forecast ends (Fri 18 Sep 06:00).",
      ],
    });
  });

  it("is INSIDE from now on, until it ends or the ship is out of it", () => {
    const inside = verdict(withDanger({ enters: now - 300, clearance_km: 0 }));
    expect(inside.level).toBe("inside");
    expect(inside.sentences[0]).toBe("INSIDE the 1-2-3 area, until that ends Wed 16 Sep 21:00 (in 3 d).");
    const out = verdict(withDanger({ enters: now, leaves: now + 14 * HOUR, clearance_km: 0 }));
    expect(out.sentences[0]).toBe("INSIDE the 1-2-3 area, out of it Mon 14 Sep 23:00 (in 14 h).");
  });

  it("is that of later where the ship enters later, or its position is of a time to come", () => {
    const later = verdict(withDanger({ enters: now + 20 * HOUR }));
    expect(later).toMatchObject({ level: "enters" });
    expect(later.sentences[0]).toBe("Enters the 1-2-3 area Tue 15 Sep 05:00 (in 20 h).");
  });

  it("names the area that is drawn, and says that its winds are estimated or that there is none", () => {
    expect(verdict(withDanger({ method: "season" })).sentences[0]).toContain(
      "danger area of this season's cone",
    );
    expect(verdict(withDanger({ gale_estimated: true })).sentences[0]).toBe(
      "Clear of the 1-2-3 area (its winds estimated) by 210 n mi.",
    );
    const none = verdict({ ...answer, danger: null });
    expect([none.level, none.sentences[0]]).toEqual([
      "unknown",
      "This forecast has no danger area for the time ahead.",
    ]);
  });
});

describe("the verdict on gales", () => {
  const expected = { outlook: "expected" as const, earliest: now + 18 * HOUR, likely: now + 22 * HOUR };

  it("tells the hours at which they come, with how long that is", () => {
    expect(wind(expected)).toBe(
      "Gales earliest Tue 15 Sep 03:00 (in 18 h), likely Tue 15 Sep 07:00 (in 22 h).",
    );
    expect(wind({ ...expected, earliest: null })).toBe("Gales likely Tue 15 Sep 07:00 (in 22 h).");
    expect(wind({ ...expected, earliest: now })).toBe(
      "Gales possible from now on, likely Tue 15 Sep 07:00 (in 22 h).",
    );
    expect(wind({ ...expected, earliest: now, likely: now })).toBe("Gales now, on the forecast track.");
    const zone = zoneOf("ship", 150, en);
    expect(verdictOf(withGales(expected), now, zone).sentences[1]).toContain("Tue 15 Sep 13:00 (in 18 h)");
  });

  it("of a storm that has to leave its track for them says so", () => {
    const possible = { outlook: "possible" as const, earliest: now + 18 * HOUR };
    expect(wind(possible)).toBe(
      "Gales possible from Tue 15 Sep 03:00 (in 18 h), if the storm leaves its forecast track.",
    );
    expect(wind({ ...possible, earliest: now })).toContain("Gales possible now, if");
  });

  it("without radii claims nothing", () => {
    expect(wind({ outlook: "not forecast", told_until: null })).toBe(
      "Gales: not known, because the forecast does not say how far they reach.",
    );
    expect(wind({ outlook: "not forecast", told_until: now + 24 * HOUR })).toBe(
      "Gales: not known, because the forecast says how far they reach until Tue 15 Sep 09:00 at most.",
    );
    // As in the first bulletin of a storm, which may have radii of its base time alone.
    expect(wind({ outlook: "not forecast", told_until: now })).toBe(
      "Gales: not known, because the forecast says how far they reach now but not later.",
    );
  });

  it("of the JMA is of 30 kt, which are no gales", () => {
    expect(wind({ threshold_kt: 30 })).toBe(
      "Winds of 30 kn not expected before the forecast ends (Fri 18 Sep 06:00).",
    );
  });
});

describe("the verdict in other languages", () => {
  const said = (of: ApproachAnswer, words: AllWords) => verdictOf(of, now, zoneOf("utc", 0, words)).sentences;
  const hour = (time: number, words: AllWords) => formatHour(time, zoneOf("utc", 0, words));
  const at = (time: number, words: AllWords, [open, close] = [" (", ")"]) =>
    `${hour(time, words)}${open}${formatAge(time, now, words)}${close}`;
  const earliest = now + 18 * HOUR - 20 * 60;
  const likely = now + 22 * HOUR - 20 * 60;

  it("has the order of words of the language, in which the ship is INSIDE and gales come at an hour", () => {
    const danger = { ...answer.danger!, enters: now, clearance_km: 0 };
    const arrivals = [{ ...gales, outlook: "expected" as const, earliest, likely }];
    const inside: ApproachAnswer = { ...answer, danger, arrivals };
    expect(said(inside, de)).toEqual([
      `INNERHALB des 1-2-3-Gebiets, bis dessen Gültigkeit endet: ${at(danger.until, de)}.`,
      `Stürmischer Wind frühestens ${at(earliest, de)}, wahrscheinlich ${at(likely, de)}.`,
    ]);
    const full: [string, string] = ["（", "）"];
    expect(said(inside, ja)).toEqual([
      `【域内】1-2-3ルールの危険域の中です。危険域の有効期間が終わる${at(danger.until, ja, full)}まで域内です。`,
      `強風（34 kt）は早ければ${at(earliest, ja, full)}、最も可能性が高いのは${at(likely, ja, full)}です。`,
    ]);
  });

  it("never says that a wind comes when the forecast ends: Spanish and Portuguese have no word of until for it", () => {
    expect(said(answer, de)[1]).toBe(
      `Stürmischer Wind zu keiner Zeit der Vorhersage zu erwarten (sie endet ${hour(until, de)}).`,
    );
    expect(said(answer, es)[1]).toMatch(
      /^No se prevé viento duro \(34 kn\) en ningún momento de la predicción/,
    );
    expect(said(answer, pt)[1]).toMatch(/^Não se prevê ventania \(34 kn\) em nenhum momento da previsão/);
    for (const words of [es, pt]) expect(said(answer, words)[1]).not.toMatch(/hasta|até/);
    expect(said(answer, ja)[1]).toBe(
      `予報期間中（${hour(until, ja)}まで）に強風（34 kt）の予想はありません。`,
    );
  });
});

it("a storm that comes nearer to the end, and an old forecast, are said", () => {
  const closing = verdict({ ...answer, closest: { ...closest, time: until }, is_stale: true });
  expect(closing.sentences.slice(2)).toEqual([
    "The storm is still closing when the forecast ends (Fri 18 Sep 06:00).",
    "The forecast is old: newer ones are missing.",
  ]);
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
  expect(text(storm, BASE, true)).toBe("Its forecast ends before the time of your ship's position.");
  expect(text({ ...storm, tracks: bare, is_invest: true })).toContain(
    "An area of interest without a forecast",
  );
  expect(text({ ...storm, tracks: bare })).toContain("that does not mean that the storm stays away");
});

it("the closest approach in a list is at an hour, now, or still ahead when the forecast ends", () => {
  const line = (change: Partial<ApproachAnswer>) => formatClosest({ ...answer, ...change }, now, utc);
  expect(line({})).toBe("Closest Tue 15 Sep 06:00: 143 n mi");
  expect(line({ closest: { ...closest, time: now } })).toBe("Closest now: 143 n mi");
  expect(line({ closest: { ...closest, time: until } })).toBe(
    "Still closing when the forecast ends (Fri 18 Sep 06:00): 143 n mi",
  );
  // A position of a time to come: what is there is not now.
  const from = now + 20 * HOUR;
  expect(line({ from, closest: { ...closest, time: from } })).toBe("Closest Tue 15 Sep 05:00: 143 n mi");
});

const approach = (time: number) => ({
  time,
  km: 2215,
  bearing: 271,
  galeKm: 300,
  estimated: false,
  coneKm: null,
  clearanceKm: 1915,
  semicircle: "dangerous" as const,
});
const found = (time: number) => ({
  closest: approach(time),
  minClearance: approach(time),
  from: until - 72 * 3600,
  until,
});
const window = {
  thresholdKt: 34,
  outlook: "expected" as const,
  earliest: parseInstant("2026-09-16T04:58:00Z"),
  likely: parseInstant("2026-09-16T07:31:00Z"),
  latest: parseInstant("2026-09-16T09:02:00Z"),
  ends: parseInstant("2026-09-17T01:01:00Z"),
  radiiUntil: until,
};

it("a storm that comes nearer until the last forecast point is still closing, not closest there", () => {
  expect(formatApproach(found(until), utc)).toBe(
    "Its centre is still closing when the forecast ends (Fri 18 Sep 06:00): 1,196 n mi, bearing 271°, you are in the dangerous semicircle.",
  );
  expect(formatApproach(found(until - 7000), utc)).toContain("Its centre is closest Fri 18 Sep 04:00: 1,196");
  expect(formatClearance(found(until), 34, utc)).toContain(
    "Least clearance 1,034 n mi when the forecast ends (Fri 18 Sep 06:00), and still shrinking, with 34 kn",
  );
  expect(formatClearance(found(until - 7000), 34, utc)).toContain("1,034 n mi Fri 18 Sep 04:00, with");
});

it("a storm that moves away is closest now, not at the next whole hour", () => {
  const from = until - 72 * 3600 + 2400;
  const away = { ...found(from), from };
  expect(formatApproach(away, utc)).toContain("Its centre is closest now: 1,196 n mi");
  expect(formatClearance(away, 34, utc)).toContain("Least clearance 1,034 n mi now, with");
  const inside = { ...away, minClearance: { ...away.minClearance, clearanceKm: -92.6 } };
  expect(formatClearance(inside, 34, utc)).toContain("You may be inside by 50 n mi now, with");
});

it("a wind that is not expected is so until the forecast ends, which does not say that it comes then", () => {
  const none = { ...window, outlook: "not expected" as const, earliest: null, likely: null };
  expect(formatArrival(none, until, utc)).toBe(
    "34 kn winds: not expected before the forecast ends (Fri 18 Sep 06:00)",
  );
});

it("times of storms are whole hours: the earliest before, the latest and the end after", () => {
  expect(formatArrival(window, until, utc)).toBe(
    "34 kn winds: expected, earliest Wed 16 Sep 04:00, likely Wed 16 Sep 08:00, latest Wed 16 Sep 10:00, over by Thu 17 Sep 02:00",
  );
  const india = { words: en, offset: () => 5.5 * 3600, label: () => "UTC+5:30" };
  expect(formatArrival(window, until, india)).toContain("earliest Wed 16 Sep 10:00, likely Wed 16 Sep 13:00");
  expect(formatArrival(window, until, zoneOf("ship", -45, en))).toContain("earliest Wed 16 Sep 01:00");
});
