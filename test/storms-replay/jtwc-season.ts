import { between, distanceKm } from "@open-metocean/geo/sphere";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { type Deck, type DeckFix, moved, twoDigits } from "./deck.ts";
import { ascending, type Chance, type Publication, type Season, type SeasonStorm } from "./season.ts";
import {
  codedWarning,
  currentStorms,
  forecastRows,
  isSynoptic,
  type Listed,
  outlook,
  proseWarning,
} from "./warnings.ts";

/** A season of NHC and JTWC, made from real or synthetic decks. */
export function jtwcSeason(chance: Chance, decks: readonly Deck[]): Season {
  const chosen = [...new Set(Array.from({ length: chance.of([1, 1, 2, 3, 4]) }, () => chance.of(decks)))];
  const around = chance.is(0.4) ? turnOfYear(chance, chosen[0]!.basin) : undefined;
  const season = new JtwcSeason(chance);
  const first = chance.between(1, 20);
  for (const [index, { deck, shiftS }] of placed(chance, chosen, around).entries()) {
    const number = chosen.length === 1 || deck.number >= 90 ? deck.number : first + index;
    season.add(moved(deck, number, shiftS));
  }
  const { storms, publications } = season;
  return { provider: "jtwc", storms, publications: ascending([...publications, ...season.lists()]) };
}

/** Least distance between storms of a season, km, at all times within `APART_S` of each other. */
const APART_KM = 1000;
const APART_S = 48 * HOUR_S;
const STEP_S = 6 * HOUR_S;

interface Placed {
  deck: Deck;
  shiftS: number;
}

/**
 * Places decks of different years into one season, so that several storms exist at a time without being near each
 * other.
 *
 * @param around A time within the life of the first storm; undefined to leave it where it is.
 */
function placed(chance: Chance, [first, ...others]: readonly Deck[], around: number | undefined): Placed[] {
  const life = first!.fixes;
  const within = life[chance.between(1, Math.max(1, life.length - 2))]!.time;
  const steps = (seconds: number) => Math.round(seconds / STEP_S) * STEP_S;
  const season: Placed[] = [{ deck: first!, shiftS: steps((around ?? within) - within) }];
  for (const deck of others) {
    const start = life[0]!.time + season[0]!.shiftS + chance.between(-20, 40) * STEP_S;
    const one = { deck, shiftS: steps(start - deck.fixes[0]!.time) };
    if (!season.some((other) => isNear(one, other))) season.push(one);
  }
  return season;
}

function isNear(one: Placed, other: Placed): boolean {
  return one.deck.fixes.some((fix) =>
    other.deck.fixes.some(
      (its) =>
        Math.abs(fix.time + one.shiftS - its.time - other.shiftS) <= APART_S &&
        distanceKm(fix, its) < APART_KM,
    ),
  );
}

/** A time near the turn of a year, or of a southern season. */
function turnOfYear(chance: Chance, basin: string): number {
  const year = chance.between(2023, 2029);
  const month = basin === "SH" && chance.is(0.5) ? 6 : 0;
  return Date.UTC(year, month, 1) / 1000 + chance.between(-2, 2) * (DAY_S / 4);
}

/** Season of a storm by the time of its first fix. Southern seasons begin in July and are named by the second year. */
function seasonYear(basin: string, time: number): number {
  const date = new Date(time * 1000);
  return date.getUTCFullYear() + ((basin === "SH" || basin === "SL") && date.getUTCMonth() >= 6 ? 1 : 0);
}

const NHC_BASINS = ["AL", "EP", "CP"];
const MINUTE_S = 60;

class JtwcSeason {
  readonly storms: SeasonStorm[] = [];
  readonly publications: Publication[] = [];
  readonly #decks: { deck: Deck; id: string; from: number; to: number }[] = [];
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Adds a storm, with its texts at the times at which NHC or JTWC publish them. */
  add(deck: Deck): void {
    const chance = this.#chance;
    const year = seasonYear(deck.basin, deck.fixes[0]!.time);
    const idOf = (number: number) => `${deck.basin}${twoDigits(number)}${year}`;
    const isNhc = NHC_BASINS.includes(deck.basin);
    const isInvest = deck.number >= 90;
    const grows = deck.fixes.findIndex(({ windKt, type }) => (windKt ?? 0) >= 30 || type === "TS");
    const taken = this.storms.flatMap(({ ids }) => ids);
    const free = [90, 91, 92, 93].find((number) => !taken.includes(idOf(number)));
    const invest = !isInvest && grows >= 2 && chance.is(0.7) ? free : undefined;
    const until = invest === undefined ? 0 : grows;
    const ids = [...(invest === undefined ? [] : [idOf(invest)]), idOf(deck.number)];
    const times = new Set(deck.fixes.map(({ time }) => time));
    const storm: SeasonStorm = { ids, given: [...deck.fixes], tracked: times, forecasts: [], lines: [] };
    const own: Publication[] = [];
    const put = (at: number, source: string, text: string | null, says: Publication["says"]) =>
      void own.push({ at, source, text, says: { storm: this.storms.length, ...says } });

    const hasDeck = isNhc || isInvest || chance.is(0.75);
    if (hasDeck) this.#deck({ deck, ids, until, storm, put });
    const synoptic = deck.fixes.flatMap((fix, at) => (at >= until && isSynoptic(fix) ? [at] : []));
    const ended = deck.fixes[synoptic.at(-1)!]!.time;
    if (!isInvest && isNhc && chance.is(0.8)) this.#official({ deck, synoptic, storm, put });
    if (!isInvest && !isNhc) this.#warnings({ deck, synoptic, storm, put });
    if (chance.is(0.3))
      for (const source of new Set(own.map((each) => each.source)))
        put(ended + chance.between(30, 60) * HOUR_S, source, null, { base: ended });
    const from = deck.fixes[synoptic[0]!]!.time + 3 * HOUR_S;
    if (isNhc && !isInvest) this.#decks.push({ deck, id: ids.at(-1)!, from, to: ended + 3 * HOUR_S });
    this.storms.push(storm);
    this.publications.push(...own);
  }

  /** A best track grows by the rows of one fix at a time, and occasionally moves the previous fix. */
  #deck({ deck, ids, until, storm, put }: Texts & { ids: string[]; until: number }): void {
    const chance = this.#chance;
    const blocks: string[] = [];
    let published = 0;
    const namesInvest = chance.is(0.7);
    const [first, own] = [ids[0]!.toLowerCase(), ids.at(-1)!.toLowerCase()];
    for (const [at, fix] of deck.fixes.entries()) {
      // Versions follow one another, even where a landfall is some minutes before the next fix.
      published = Math.max(published + MINUTE_S, fix.time + (90 + chance.between(0, 90)) * MINUTE_S);
      const remark = until > 0 && at === until && namesInvest ? ` TRANSITIONED, ${first} to ${own}` : "";
      const before = deck.fixes[at - 1];
      if (before && chance.is(0.15)) {
        const latitude = Math.round(before.latitude * 10 + chance.of([-2, -1, 1, 2])) / 10;
        blocks[at - 1] = placedAnew(blocks[at - 1]!, latitude);
        storm.given.push({ ...before, latitude });
      }
      blocks.push(fix.lines.map((line) => `${line.trimEnd()}${remark}\n`).join(""));
      const id = at < until ? first : own;
      const text = blocks.join("").replaceAll(/^(..), \d\d/gm, `$1, ${id.slice(2, 4)}`);
      put(published, `btk/b${id}.dat`, text, { base: fix.time });
    }
  }

  /** NHC's forecasts, as separate files or as a growing a-deck. */
  #official({ deck, synoptic, storm, put }: Texts & { synoptic: number[] }): void {
    const id = storm.ids.at(-1)!.toLowerCase();
    const grows = this.#chance.is(0.4);
    let text = "";
    for (const at of synoptic) {
      const { base, ahead } = outlook(deck, at);
      const block = `${forecastRows(deck, at).join("\n")}\n`;
      text = grows ? text + block : block;
      storm.forecasts.push({ base: base.time, points: pointsOf(base, ahead) });
      const hours = ahead.length > 1 ? { hours: ahead.map(({ hour }) => hour) } : {};
      const source = grows ? `aid_public/a${id}.dat` : `fst/${id}.fst`;
      put(base.time + 3 * HOUR_S, source, text, { base: base.time, ...hours });
    }
  }

  /** JTWC's warnings every 6 h, coded and in prose, with the final one at the end. */
  #warnings({ deck, synoptic, storm, put }: Texts & { synoptic: number[] }): void {
    const chance = this.#chance;
    const id = storm.ids.at(-1)!;
    const slot = `products/${id.slice(0, 4).toLowerCase()}${id.slice(6)}`;
    const forms = chance.of(["tcw", "web", "both"]);
    for (const at of synoptic) {
      const { base, ahead } = outlook(deck, at);
      const isFinal = ahead.length < 2;
      const issued = base.time + 3 * HOUR_S + chance.between(0, 15) * MINUTE_S;
      storm.forecasts.push({ base: base.time, points: pointsOf(base, ahead) });
      const says = {
        base: base.time,
        ...(isFinal ? { ends: true } : { hours: ahead.map(({ hour }) => hour) }),
      };
      if (forms !== "web") put(issued, `${slot}.tcw`, codedWarning(deck, at, isFinal), says);
      if (forms !== "tcw")
        put(
          issued + chance.between(0, 90) * MINUTE_S,
          `${slot}web.txt`,
          proseWarning(deck, at, isFinal),
          says,
        );
      if (isFinal) return;
    }
  }

  /** CurrentStorms.json at every advisory. A storm is removed 9 h after the base of its last one. */
  lists(): Publication[] {
    if (this.#decks.length === 0 || this.#chance.is(0.2)) return [];
    const moments = new Set<number>();
    for (const { from, to } of this.#decks)
      for (let at = from; at <= to + STEP_S; at += STEP_S) moments.add(at);
    return [...moments].map((at) => {
      const listed = this.#decks.flatMap(({ deck, id, from, to }): Listed[] => {
        if (at < from || at > to) return [];
        const fix = deck.fixes.findLast((each) => isSynoptic(each) && each.time <= at - 3 * HOUR_S)!;
        const next = deck.fixes.find((each) => isSynoptic(each) && each.time > fix.time) ?? fix;
        const middle = between(fix, next, 0.5);
        const tenths = (degrees: number) => Math.round(degrees * 10) / 10;
        const place = { latitude: tenths(middle.latitude), longitude: tenths(middle.longitude) };
        const { windKt, pressureHpa, name } = fix;
        const updated = fix.time + 3 * HOUR_S;
        const storm = this.storms.find(({ ids }) => ids.includes(id))!;
        storm.given.push({ ...place, time: updated, windKt, radii: {} });
        return [{ id: id.toLowerCase(), name: name || "One", windKt, pressureHpa, ...place, updated }];
      });
      const keys = listed.map(({ id }) => id.toUpperCase());
      const says = { lists: { keys, basins: NHC_BASINS } };
      return { at, source: "CurrentStorms.json", text: currentStorms(listed), says };
    });
  }
}

interface Texts {
  deck: Deck;
  storm: SeasonStorm;
  put(at: number, source: string, text: string | null, says: Publication["says"]): void;
}

function pointsOf(base: DeckFix, ahead: readonly { hour: number; fix: DeckFix }[]) {
  return ahead.map(({ hour, fix }) => ({ ...fix, time: base.time + hour * HOUR_S }));
}

function placedAnew(rows: string, latitude: number): string {
  const written = `${Math.round(Math.abs(latitude) * 10)}${latitude < 0 ? "S" : "N"}`;
  return rows.replaceAll(/^((?:[^,]*,){6} *)\d+[NS]/gm, `$1${written}`);
}
