import { emptyReport, type Parsed } from "@open-metocean/storms/bulletin";
import { expect, it } from "vitest";
import { BASE } from "#test/storm-feed.ts";
import {
  type DerivedStorms,
  deriveStorms,
  feedState,
  newestText,
  type ReadText,
  withoutEarly,
} from "./derive.ts";

const at = (time: string) => Date.parse(`2026-09-${time}:00Z`) / 1000;

const warning = (isFinal: boolean) =>
  [
    "WTPN51 PGTW 250900",
    "WARNING    ATCG MIL 25W NWP 260925093833",
    "2026092506 25W SURIGAE    014  01 305 12 SATL 060",
    "T000 166N 1360E 060",
    ...(isFinal ? [] : ["T012 170N 1350E 060", "T024 175N 1340E 065"]),
    "AMP",
    ...(isFinal ? ["THIS IS THE FINAL WARNING ON THIS", "SYSTEM.//"] : ["//"]),
    "2609250016501370  55",
    "NNNN",
    "",
  ].join("\n");

const deck =
  "WP, 25, 2026092500,   , BEST,   0, 165N,  1370E,  55,  985, TS,\n" +
  "WP, 25, 2026092506,   , BEST,   0, 166N,  1360E,  60,  980, TS,\n";

function read(time: string, texts: Record<string, string>, before?: DerivedStorms): DerivedStorms {
  const now = at(time);
  const feed = Object.entries(texts).map(([source, text]) => ({ source, text, receivedAt: now }));
  return deriveStorms({
    provider: "jtwc",
    texts: feed,
    previous: before?.storms ?? [],
    feed: before?.feed,
    now,
  });
}

it("ends a storm that is published by a final warning that a mirror brings a day late", () => {
  const known = read("25T08:00", { "bwp252026.dat": deck });
  expect(known.storms).toMatchObject([{ entry: { is_active: true } }]);
  const late = read("26T02:00", { "bwp252026.dat": deck, "wp2526.tcw": warning(true) }, known);
  expect(late.storms).toMatchObject([{ bulletin: { isFinal: true }, entry: { is_active: false } }]);
  expect(late.problems).toEqual([]);
});

it("takes a late forecast of a storm that is published for as long as a forecast is valid", () => {
  const texts = { "wp2526.tcw": warning(false) };
  const known = read("25T08:00", { "bwp252026.dat": deck });
  const [storm] = read("26T02:00", texts, known).storms;
  expect(storm!.entry.tracks.forecast).toMatchObject({ issued_at: at("25T06:00"), is_stale: true });
});

it("refuses the same texts of a storm that is not published: a slot keeps its last one", () => {
  for (const isFinal of [true, false]) {
    const { storms, problems } = read("26T02:00", { "wp2526.tcw": warning(isFinal) });
    expect(storms).toEqual([]);
    expect(problems).toEqual([
      {
        source: "wp2526.tcw",
        line: 0,
        reason: "stale: its base time 2026-09-25T06:00Z is more than 18 h old",
      },
    ]);
  }
});

const HOUR = 3600;

const textOf = (source: string, text: string, parsed: Partial<Parsed>): ReadText => ({
  source,
  text,
  reports: [],
  problems: [],
  ...parsed,
});
const list = (text: string) =>
  textOf("CurrentStorms.json", text, { listed: { provider: "jtwc", basins: ["AL", "EP", "CP"], keys: [] } });
const warningOf = (basin: string, issued: number) =>
  textOf(`${basin}.tcw`, basin, {
    reports: [emptyReport("warning", { provider: "jtwc", basin, number: 1, season: 2026, issued })],
  });

it("is as old as the newest text of each centre, however often it is read", () => {
  const texts = [warningOf("AL", BASE - 5 * HOUR), warningOf("WP", BASE - 2 * HOUR), list("a")];
  const state = feedState("jtwc", texts, undefined, BASE);
  expect(state.newest).toEqual({ nhc: BASE - 5 * HOUR, jtwc: BASE - 2 * HOUR });
  expect(feedState("jtwc", texts, state, BASE + 50 * HOUR)).toEqual(state);
});

it("counts a calm feed from its first reading, and nothing from the future", () => {
  const calm = feedState("jtwc", [list("none")], undefined, BASE);
  expect(newestText(calm)).toBe(BASE);
  expect(newestText(feedState("jtwc", [list("none")], calm, BASE + 48 * HOUR))).toBe(BASE);
  expect(newestText(feedState("jtwc", [warningOf("WP", BASE + 2 * HOUR)], undefined, BASE))).toBe(BASE);
});

it("dates a list by the times that it states, and without any by when its content was first seen", () => {
  const dated = (text: string, updated?: number) => {
    const read = list(text);
    return updated === undefined ? read : { ...read, listed: { ...read.listed!, updated } };
  };
  const since = (state: ReturnType<typeof feedState>) => state.lists?.["CurrentStorms.json"]?.updated;
  const first = feedState("jtwc", [dated("[]")], undefined, BASE);
  const still = feedState("jtwc", [dated("[]")], first, BASE + 72 * HOUR);
  expect([since(first), since(still)]).toEqual([BASE, BASE]);
  const storm = feedState("jtwc", [dated("[1]", BASE + 70 * HOUR)], still, BASE + 73 * HOUR);
  expect(since(storm)).toBe(BASE + 70 * HOUR);
  expect(since(feedState("jtwc", [], storm, BASE + 74 * HOUR))).toBe(BASE + 70 * HOUR);
  expect(since(feedState("jtwc", [dated("[]")], storm, BASE + 80 * HOUR))).toBe(BASE + 80 * HOUR);
  expect(since(feedState("jtwc", [dated("[2]", BASE + 99 * HOUR)], storm, BASE + 81 * HOUR))).toBe(
    BASE + 81 * HOUR,
  );
});

it("takes an alert of tomorrow for one of the month before, which is no news", () => {
  const alert = (issued: number) =>
    textOf("wp92web.txt", "alert", { alert: { storm: "WP922026", issued, alert: null } });
  const state = feedState("jtwc", [warningOf("WP", BASE), alert(BASE + 18 * HOUR)], undefined, BASE + HOUR);
  expect(state.newest).toEqual({ jtwc: BASE });
  // When that day has come it is none of today either.
  const [left] = [alert(BASE + 18 * HOUR)].map((text) => withoutEarly(text, state));
  expect(left).toMatchObject({ problems: [{ reason: expect.stringMatching(/^stale/) }] });
  expect(left!.alert).toBeUndefined();
  expect(withoutEarly({ ...alert(BASE), text: "a new one" }, state).alert).toBeDefined();
  expect(feedState("jtwc", [alert(BASE - HOUR)], state, BASE + HOUR).newest).toEqual({ jtwc: BASE });
});
