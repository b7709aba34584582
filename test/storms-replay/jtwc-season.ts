import type { Chance } from "./chance.ts";
import { type Deck, moved, nearEquator, seasonYear, twoDigits } from "./deck.ts";
import { listings } from "./jtwc-lists.ts";
import { stormTexts, type TextsOf } from "./jtwc-texts.ts";
import { placed, turnOfYear } from "./placing.ts";
import { ascending, type Season } from "./season.ts";
import type { SeasonDeck } from "./season-deck.ts";

/** A real deck or a synthetic one, with the rows of its a-deck, if there are any. */
export interface DeckSource {
  deck: Deck;
  guidance?: Map<number, string[]>;
}

/** Numbers of invests, so few that they are used again within a season. */
const INVESTS = [90, 91, 92];

/** Basins whose storms another centre numbers as well, when they cross into its own. */
const NEXT: Readonly<Record<string, string>> = { AL: "EP", EP: "CP", CP: "EP", IO: "WP" };

/** A season of NHC and JTWC, made of real or synthetic decks. */
export function jtwcSeason(chance: Chance, all: readonly DeckSource[]): Season {
  const sources = chance.is(0.3) ? all.map(lowered) : all;
  const chosen = new Set(Array.from({ length: chance.of([1, 1, 2, 3, 4]) }, () => chance.of(sources)));
  const decks = [...chosen].map(({ deck }) => deck);
  const isMoved = chance.is(0.4);
  const around = isMoved ? turnOfYear(chance, decks[0]!.basin) : undefined;
  const numbers = new Map<string, number>();
  const storms: SeasonDeck[] = [];
  for (const { deck, shiftS } of placed(chance, decks, around)) {
    const source = [...chosen].find((each) => each.deck === deck)!;
    const isInvest = deck.number >= 90;
    const free = (numbers.get(deck.basin) ?? chance.between(0, 25)) + 1;
    numbers.set(deck.basin, free);
    const number = decks.length === 1 || isInvest ? deck.number : free;
    const own = moved(deck, number, shiftS);
    const storm: SeasonDeck = {
      index: storms.length,
      deck: own,
      season: seasonYear(deck.basin, own.fixes[0]!.time),
    };
    const until = own.fixes.findIndex(({ windKt, type }) => (windKt ?? 0) >= 30 || type === "TS");
    if (!isInvest && until >= 2 && chance.is(0.7))
      storm.invest = { number: freeNumber(chance, storms, own, until), until };
    if (storm.invest?.number === 0) delete storm.invest;
    const next = NEXT[deck.basin];
    const born = storm.invest?.until ?? 0;
    if (next !== undefined && !isInvest && own.fixes.length > born + 4 && chance.is(0.2)) {
      const from = chance.between(born, own.fixes.length - 3);
      storm.second = { basin: next, number: 40 + storm.index, from };
    }
    if (source.guidance) storm.guidance = movedRows(source.guidance, number, shiftS);
    storms.push(storm);
  }
  const texts = storms.map((storm) => stormTexts(chance, storm));
  return {
    provider: "jtwc",
    publications: ascending([
      ...texts.flatMap(({ publications }) => publications),
      ...listings(chance, storms, texts),
    ]),
    storms: texts.map(({ storm }: TextsOf) => storm),
  };
}

/** Rows of an a-deck stay where they are, and so does a deck that has them. */
function lowered(source: DeckSource): DeckSource {
  return source.guidance ? source : { deck: nearEquator(source.deck) };
}

/** A number of an invest that no other one of the basin has at the time; 0 if there is none. */
function freeNumber(chance: Chance, storms: readonly SeasonDeck[], deck: Deck, until: number): number {
  const from = deck.fixes[0]!.time - 60 * 3600;
  const to = deck.fixes[until]!.time + 60 * 3600;
  const isTaken = (number: number) =>
    storms.some(
      (other) =>
        other.deck.basin === deck.basin &&
        (other.invest?.number === number || other.deck.number === number) &&
        other.deck.fixes[0]!.time <= to &&
        other.deck.fixes[other.invest?.until ?? other.deck.fixes.length - 1]!.time >= from,
    );
  const free = INVESTS.filter((number) => !isTaken(number));
  return free.length > 0 ? chance.of(free) : 0;
}

function movedRows(
  rows: ReadonlyMap<number, string[]>,
  number: number,
  shiftS: number,
): Map<number, string[]> {
  const entries = [...rows].map(([base, lines]): [number, string[]] => {
    const stamp = new Date((base + shiftS) * 1000).toISOString().slice(0, 13).replaceAll(/[-T]/g, "");
    return [
      base + shiftS,
      lines.map((line) => line.replace(/^(..), *\d\d, *\d{10}/, `$1, ${twoDigits(number)}, ${stamp}`)),
    ];
  });
  return new Map(entries);
}
