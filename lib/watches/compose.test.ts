import { expect, it } from "vitest";
import { watches } from "#lib/messages/generated/en/watches.ts";
import { en } from "#lib/messages/generated/en.ts";
import { watches as frenchWatches } from "#lib/messages/generated/fr/watches.ts";
import { fr } from "#lib/messages/generated/fr.ts";
import { HOUR_S } from "#lib/time.ts";
import { messageOf } from "./compose.ts";
import type { Judged } from "./judge.ts";
import { judgeTide, type TideQuestion } from "./tide.ts";
import { type ExtremeQuestion, judgeExtreme } from "./tide-extreme.ts";

const base = Date.UTC(2026, 8, 15, 12) / 1000;
const watch = {
  id: "1",
  name: "Ushant",
  question: {
    kind: "place",
    latitude: 48,
    longitude: -5,
    window_hours: 24,
    conditions: [],
    lasting_hours: 1,
  },
} as unknown as Parameters<typeof messageOf>[0];
const judged = { state: "unknown", deciding: undefined, windows: [], knownShare: 0 } as unknown as Judged;

const sentenceAfter = (hours: number, source?: string) => {
  const run = { model: "GFS 0.25°", at: base, ...(source && { source, rhythm: { every: 6, delay: 6 } }) };
  const facts = { judged, run, now: base + hours * HOUR_S, synthetic: false };
  return messageOf(watch, "test", facts, { words: en, watches }).sentence;
};

it("an alert says that its forecast is old, and nothing of the age of a fresh one or of a bulletin", () => {
  expect(sentenceAfter(36, "gfs")).toContain("Forecast is 36 h old (GFS 0.25°, 12Z).");
  expect(sentenceAfter(6, "gfs")).not.toContain("h old");
  expect(sentenceAfter(36)).not.toContain("h old");
});

/** Replaces typographic spaces by plain ones. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

it("a high water in France is told with its coefficient, by the clock of its station", () => {
  const question = {
    kind: "tide_extreme",
    station: "ticon:brest",
    type: "high",
    minutes_before: 30,
    conditions: [],
  } as ExtremeQuestion;
  const told = { time: base + 1800, type: "high" as const, value: 7.1, coefficient: 101 };
  const reading = {
    station: "Brest",
    at: { latitude: 48.383, longitude: -4.495 },
    timezone: "Europe/Paris",
    datum: "LAT",
    attribution: "Tide database",
    hasCoefficients: true,
    extremes: [told],
  };
  const facts = {
    judged: judgeExtreme(question, reading, told, base),
    run: undefined,
    now: base,
    synthetic: false,
    extremes: { ...reading, told },
  };
  const message = messageOf({ id: "1", name: "Quai", question }, "fired", facts, {
    words: fr,
    watches: frenchWatches,
  });
  expect([...[message.title, message.sentence].map(plain), message.tide]).toEqual([
    "Quai: Pleine mer 14:30, 7,10 m",
    "Pleine mer à Brest : 7,10 m au-dessus de LAT, mar. 15 sept. 14:30 UTC+2, coefficient 101. Sans la météo : le vent et la " +
      "pression font monter ou baisser l’eau. Dans 30 min. Ne pas utiliser pour la navigation.",
    { type: "high", datum: "LAT", coefficient: 101 },
  ]);
});

it("a tide whose beginning and end were not found is told from now on, as still beyond its limit, and without an end", () => {
  const question = {
    kind: "tide",
    station: "ticon:brest",
    window_hours: 12,
    conditions: [{ quantity: "tide_m", over: 0.2 }],
  } as TideQuestion;
  const [before, after] = [base - 48 * HOUR_S, base + 36 * HOUR_S];
  const spell = { from: before, to: after, peak: base + 5 * HOUR_S, value: 6.1 };
  const tide = {
    station: "Brest",
    at: { latitude: 48.4, longitude: -4.5 },
    datum: "LAT",
    attribution: "Tide database",
    spells: [{ ...spell, hasNoBegin: true, hasNoEnd: true }],
    nearest: { time: base, value: 5 },
  };
  const told = (judged: Judged) =>
    messageOf(
      { id: "1", name: "Quay", question },
      "fired",
      { judged, run: undefined, now: base, synthetic: false, tide },
      { words: en, watches },
    );
  const message = told(judgeTide(question, tide, base));
  expect(message.sentence).toContain(
    "from Tue 15 Sep 12:00 UTC on, and still at Thu 17 Sep 00:00 UTC, at most 6.10 m",
  );
  expect(message).toMatchObject({ valid_at: base, ends_at: null, peak_at: base + 5 * HOUR_S });
  const known = { ...tide, spells: [spell] };
  expect(told(judgeTide(question, known, base))).toMatchObject({ valid_at: before, ends_at: after });
});

it.each([
  [
    "over a limit",
    { quantity: "gust_kt", isOver: true, limit: 34, value: 34.3 },
    "at most 35 kn",
    "Gusts 35 kn",
  ],
  [
    "under one",
    { quantity: "pressure_hpa", isOver: false, limit: 980, value: 979.6 },
    "at least 979 hPa",
    "979 hPa",
  ],
  [
    "a number that it is",
    { quantity: "sea_m", isOver: true, limit: 2, value: 2.3 },
    "at most 2.3 m",
    "2.3 m",
  ],
] as const)("an alert never writes a value better than it is: %s", (_, found, text, title) => {
  const deciding = { ...found, from: base, until: base, peak: base, at: undefined, storm: undefined };
  const facts = {
    judged: { ...judged, state: "true", deciding } as Judged,
    run: undefined,
    now: base,
    synthetic: false,
  };
  const message = messageOf(watch, "fired", facts, { words: en, watches });
  expect(message.sentence).toContain(text);
  expect(message.title).toContain(title);
});
