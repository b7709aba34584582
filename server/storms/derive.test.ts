import { expect, it } from "vitest";
import { type DerivedStorms, deriveStorms } from "./derive.ts";

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
