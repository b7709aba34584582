import { HOUR_S } from "#lib/time.ts";
import type { Chance } from "./chance.ts";
import { analysesOf, type DeckFix, forecastsOf, hourStamp, placedAnew, twoDigits } from "./deck.ts";
import type { GivenFix, GivenForecast, Publication, SeasonStorm } from "./season.ts";
import type { SeasonDeck } from "./season-deck.ts";
import { codedWarning, forecastRows, isSynoptic, outlook, proseWarning } from "./warnings.ts";

/** Everything that is published of one storm, without the lists. */
export interface TextsOf {
  storm: SeasonStorm;
  publications: Publication[];
  /** When the agency's first and last words as a storm were issued, Unix seconds. */
  warned: { from: number; to: number };
}

const MINUTE_S = 60;

/** The texts of one storm at the times at which NHC or JTWC publish them. */
export function stormTexts(chance: Chance, season: SeasonDeck): TextsOf {
  const { deck, index, invest } = season;
  const isNhc = ["AL", "EP", "CP"].includes(deck.basin);
  const idOf = (number: number) => `${deck.basin}${twoDigits(number)}${season.season}`;
  const publications: Publication[] = [];
  const put = (at: number, source: string, text: string | null, says: Publication["says"] = {}) =>
    void publications.push({ at, source, text, says: { storm: index, ...says } });

  const forecasts: GivenForecast[] = [];
  const hasDeck = isNhc || deck.number >= 90 || chance.is(0.75);
  const revised = hasDeck ? growingDecks(chance, season, put) : [];
  if (hasDeck) secondDecks(chance, season, put);
  const first = invest?.until ?? 0;
  const synoptic = deck.fixes.flatMap((fix, at) => (at >= first && isSynoptic(fix) ? [at] : []));
  const last = synoptic.at(-1)!;
  if (deck.number < 90) {
    // Some mirror decks and lists alone.
    if (isNhc && chance.is(0.8)) forecasts.push(...officialForecasts(chance, season, synoptic, put));
    if (!isNhc) forecasts.push(...warnings(chance, season, synoptic, put));
  }
  // One base at a time: rows of another one can differ.
  const analyses = [...(season.guidance?.values() ?? [])].flatMap(analysesOf);
  const given: GivenFix[] = [...deck.fixes, ...revised, ...analyses];
  const { second } = season;
  const ids = [
    ...(hasDeck && second ? [`${second.basin}${twoDigits(second.number)}${season.season}`] : []),
    ...(invest ? [idOf(invest.number)] : []),
    idOf(deck.number),
  ];
  const ended = deck.fixes[last]!.time;
  if (chance.is(0.3)) {
    const sources = new Set(publications.map(({ source }) => source));
    for (const source of sources) put(ended + chance.between(30, 60) * HOUR_S, source, null, { base: ended });
  }
  return {
    storm: { ids, given, tracked: new Set(deck.fixes.map(({ time }) => time)), forecasts, lines: [] },
    publications,
    warned: { from: deck.fixes[synoptic[0]!]!.time + 3 * HOUR_S, to: ended + 3 * HOUR_S },
  };
}

type Put = (at: number, source: string, text: string | null, says?: Publication["says"]) => void;

/** Best tracks grow by the rows of one fix at a time; now and then they place the fix before anew. @returns Those fixes. */
function growingDecks(chance: Chance, { deck, season, invest }: SeasonDeck, put: Put): GivenFix[] {
  const revised: GivenFix[] = [];
  const year = String(season);
  const lower = deck.basin.toLowerCase();
  const own = `btk/b${lower}${twoDigits(deck.number)}${year}.dat`;
  const blocks: string[] = [];
  let published = 0;
  const namesInvest = chance.is(0.7);
  // Of some invests the mirror has nothing but outlooks and alerts.
  const isMirrored = chance.is(0.7);
  for (const [at, fix] of deck.fixes.entries()) {
    const isInvest = invest !== undefined && at < invest.until;
    // One version of the deck after the other, also where a landfall is some minutes before the next fix.
    published = Math.max(published + MINUTE_S, fix.time + (90 + chance.between(0, 90)) * MINUTE_S);
    const remark =
      invest && namesInvest && (at === 0 || at === invest.until)
        ? at === 0
          ? ` SPAWNINVEST, ${lower}7${chance.between(0, 9)}${year} to ${lower}${invest.number}${year}`
          : ` TRANSITIONED, ${lower}${invest.number}${year} to ${lower}${twoDigits(deck.number)}${year}`
        : "";
    const before = deck.fixes[at - 1];
    if (before && chance.is(0.15)) {
      const latitude = Math.round(before.latitude * 10 + chance.of([-2, -1, 1, 2])) / 10;
      blocks[at - 1] = placedAnew(blocks[at - 1]!, latitude);
      revised.push({ ...before, latitude });
    }
    blocks.push(fix.lines.map((line) => `${line.trimEnd()}${remark}\n`).join(""));
    const text = blocks.join("");
    const source = isInvest ? `btk/b${lower}${invest.number}${year}.dat` : own;
    const written = isInvest ? text.replaceAll(/^(..), \d\d/gm, `$1, ${invest.number}`) : text;
    if (isMirrored || !isInvest) put(published, source, written, { base: fix.time });
  }
  return revised;
}

/** The best track of a second centre, which begins with two fixes that the first one has too. */
function secondDecks(chance: Chance, { deck, season, second }: SeasonDeck, put: Put): void {
  if (!second) return;
  const id = `${second.basin.toLowerCase()}${twoDigits(second.number)}${season}`;
  let published = 0;
  for (let at = second.from + 1; at < deck.fixes.length; at++) {
    const { time } = deck.fixes[at]!;
    published = Math.max(published + MINUTE_S, time + (90 + chance.between(0, 90)) * MINUTE_S);
    const rows = deck.fixes.slice(second.from, at + 1).flatMap(({ lines }) => lines);
    const text = rows.map((line) => `${line.trimEnd()}\n`).join("");
    const written = text.replaceAll(/^.., \d\d/gm, `${second.basin}, ${twoDigits(second.number)}`);
    put(published, `btk/b${id}.dat`, written, { base: time });
  }
}

/** NHC's forecasts, as a file of their own or as a growing a-deck. */
function officialForecasts(
  chance: Chance,
  { deck, season, guidance }: SeasonDeck,
  synoptic: readonly number[],
  put: Put,
): GivenForecast[] {
  const given: GivenForecast[] = [];
  const id = `${deck.basin.toLowerCase()}${twoDigits(deck.number)}${season}`;
  const grows = guidance !== undefined || chance.is(0.4);
  let text = "";
  for (const at of synoptic) {
    const fix = deck.fixes[at]!;
    const rows = guidance?.get(fix.time) ?? (guidance ? [] : forecastRows(deck, at));
    if (rows.length === 0) continue;
    const block = `${rows.join("\n")}\n`;
    text = grows ? text + block : block;
    const source = grows ? `aid_public/a${id}.dat` : `fst/${id}.fst`;
    const official = rows.filter((row) => row.includes("OFCL"));
    if (official.length > 0) given.push({ base: fix.time, points: forecastsOf(official) });
    const hours = [...new Set(official.map((row) => Number(row.split(",")[5])))];
    put(fix.time + 3 * HOUR_S, source, text, {
      base: fix.time,
      ...(hours.length > 1 ? { forecast: { base: fix.time, hours } } : {}),
    });
  }
  return given;
}

/** JTWC's warnings every 6 h, coded and in prose, with the final one at the end. */
function warnings(
  chance: Chance,
  { deck, season }: SeasonDeck,
  synoptic: readonly number[],
  put: Put,
): GivenForecast[] {
  const given: GivenForecast[] = [];
  const slot = `products/${deck.basin.toLowerCase()}${twoDigits(deck.number)}${String(season).slice(2)}`;
  const forms = chance.of(["tcw", "web", "both"]);
  for (const at of synoptic) {
    const fix: DeckFix = deck.fixes[at]!;
    const isFinal = outlook(deck, at).ahead.length < 2;
    const issued = fix.time + 3 * HOUR_S + chance.between(0, 15) * MINUTE_S;
    const { ahead } = outlook(deck, at);
    const hours = ahead.map(({ hour }) => hour);
    given.push({
      base: fix.time,
      points: ahead.map(({ hour, fix: point }) => ({ ...point, time: fix.time + hour * HOUR_S })),
    });
    const says = {
      base: fix.time,
      ...(hours.length > 1 && !isFinal ? { forecast: { base: fix.time, hours } } : {}),
      ...(isFinal ? { ends: true } : {}),
    };
    if (forms !== "web") put(issued, `${slot}.tcw`, codedWarning(deck, at, isFinal), says);
    if (forms !== "tcw") {
      const later = issued + chance.between(0, 90) * MINUTE_S;
      put(later, `${slot}web.txt`, proseWarning(deck, at, isFinal), says);
    }
    if (isFinal) break;
  }
  return given;
}

/** Rows of a real a-deck by base. */
export function guidanceByBase(text: string, techniques: RegExp): Map<number, string[]> {
  const byBase = new Map<number, string[]>();
  for (const line of text.split("\n")) {
    const [, , stamp = "", , technique = ""] = line.split(",").map((field) => field.trim());
    if (!techniques.test(technique)) continue;
    const iso = `${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}T${stamp.slice(8, 10)}:00:00Z`;
    const base = Date.parse(iso) / 1000;
    const rows = byBase.get(base);
    if (rows) rows.push(line);
    else byBase.set(base, [line]);
  }
  for (const base of byBase.keys()) if (!/^\d{10}$/.test(hourStamp(base))) throw new Error("no date");
  return byBase;
}
