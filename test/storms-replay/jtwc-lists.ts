import { HOUR_S } from "#lib/time.ts";
import type { Chance } from "./chance.ts";
import { seasonYear, twoDigits } from "./deck.ts";
import type { TextsOf } from "./jtwc-texts.ts";
import { currentStorms, formationAlert, type Listed, type Watched, watchList } from "./lists.ts";
import type { Publication } from "./season.ts";
import type { SeasonDeck } from "./season-deck.ts";
import { isSynoptic } from "./warnings.ts";

/** NHC's list of active storms; JTWC's outlook and alerts of invests. Places that they give are added to the storms. */
export function listings(
  chance: Chance,
  storms: readonly SeasonDeck[],
  texts: readonly TextsOf[],
): Publication[] {
  const isNhc = ({ deck }: SeasonDeck) => ["AL", "EP", "CP"].includes(deck.basin);
  return [
    ...(storms.some(isNhc) && chance.is(0.8) ? nhcLists(storms.filter(isNhc), texts) : []),
    ...(chance.is(0.7)
      ? outlooks(
          chance,
          storms.filter((storm) => !isNhc(storm)),
          texts,
        )
      : []),
    ...(chance.is(0.7)
      ? alerts(
          chance,
          storms.filter((storm) => !isNhc(storm)),
          texts,
        )
      : []),
  ];
}

/** CurrentStorms.json at every advisory. A storm leaves it 9 h after the base of its last one. */
function nhcLists(storms: readonly SeasonDeck[], texts: readonly TextsOf[]): Publication[] {
  const named = storms.filter(({ deck }) => deck.number < 90);
  const idOf = ({ deck, season }: SeasonDeck) => `${deck.basin}${twoDigits(deck.number)}${season}`;
  const moments = new Set<number>();
  for (const { index } of named) {
    const { from, to } = texts[index]!.warned;
    for (let at = from; at <= to + 6 * HOUR_S; at += 6 * HOUR_S) moments.add(at);
  }
  return [...moments].map((at) => {
    const listed = named.flatMap((storm): (Listed & { key: string })[] => {
      const { from, to } = texts[storm.index]!.warned;
      if (at < from || at > to) return [];
      const fix = storm.deck.fixes.findLast((each) => isSynoptic(each) && each.time <= at - 3 * HOUR_S)!;
      const { latitude, longitude, windKt, pressureHpa } = fix;
      const next = storm.deck.fixes.find((each) => isSynoptic(each) && each.time > fix.time) ?? fix;
      const half = (a: number, b: number) => Math.round((a + b) * 5) / 10;
      const far = Math.abs(next.longitude - longitude) > 90;
      const place = {
        latitude: half(latitude, next.latitude),
        longitude: far ? longitude : half(longitude, next.longitude),
      };
      texts[storm.index]!.storm.given.push({ ...place, time: fix.time + 3 * HOUR_S, windKt, radii: {} });
      const key = idOf(storm);
      const name = fix.name || "One";
      return [
        { key, id: key.toLowerCase(), name, windKt, pressureHpa, ...place, updated: fix.time + 3 * HOUR_S },
      ];
    });
    const keys = listed.map(({ key }) => key);
    return {
      at,
      source: "CurrentStorms.json",
      text: currentStorms(listed),
      says: { lists: { keys, basins: ["AL", "EP", "CP"] } },
    };
  });
}

/**
 * ABPW and ABIO while there are invests, with what has become of those that faded.
 * An outlook places an invest some tenths of a degree from where the deck has it.
 */
function outlooks(chance: Chance, storms: readonly SeasonDeck[], texts: readonly TextsOf[]): Publication[] {
  const publications: Publication[] = [];
  const invests = storms.filter(({ invest, deck }) => invest ?? deck.number >= 90);
  const SIX = 6 * HOUR_S;
  for (const slot of ["ABPW10", "ABIO10"] as const) {
    const own = invests.filter(({ deck }) => (/[ABS]/.test(deck.letter) ? "ABIO10" : "ABPW10") === slot);
    const first = Math.min(...own.map(({ deck }) => deck.fixes[0]!.time));
    const last = Math.max(
      ...own.map(({ deck, invest }) => deck.fixes[invest?.until ?? deck.fixes.length - 1]!.time),
    );
    for (let at = Math.ceil(first / SIX) * SIX; at <= last + 24 * HOUR_S; at += SIX) {
      const watched: Watched[] = [];
      let says: Publication["says"] = {};
      for (const storm of own) {
        const { deck, invest, index } = storm;
        const until = invest?.until ?? deck.fixes.length;
        const fix = deck.fixes.slice(0, until).findLast(({ time }) => time <= at);
        if (!fix) continue;
        const number = invest?.number ?? deck.number;
        const designator = `${number}${deck.letter}`;
        const nudged = (degrees: number) => Math.round(degrees * 10 + chance.between(-3, 3)) / 10;
        const place = { latitude: nudged(fix.latitude), longitude: nudged(fix.longitude) };
        if (at - fix.time <= SIX) {
          texts[index]!.storm.given.push({ time: at, ...place, windKt: 20, radii: {} });
          nameAt(texts[index]!, deck.basin, number, at);
          watched.push({ designator, time: at, ...place });
        } else if (!invest && at - fix.time <= 2 * SIX && fix === deck.fixes.at(-1)) {
          watched.push({ designator, time: at, ...place, isOver: true });
          says = { storm: index, ends: true, base: at };
        }
      }
      const source = `${slot.slice(0, 4).toLowerCase()}web.txt`;
      publications.push({ at: at + 600, source, text: watchList(slot, watched, at), says });
    }
  }
  return publications;
}

/**
 * Formation alerts: a first one, which is issued anew every 12 to 24 h until the invest becomes a storm, or is not, so that
 * nothing else may name the invest while the alert is in force.
 */
function alerts(chance: Chance, storms: readonly SeasonDeck[], texts: readonly TextsOf[]): Publication[] {
  const publications: Publication[] = [];
  for (const { deck, invest, index } of storms) {
    const number = invest?.number ?? deck.number;
    if (number < 90 || !chance.is(0.7)) continue;
    const fixes = deck.fixes.slice(0, invest?.until ?? deck.fixes.length);
    let next = chance.between(0, fixes.length - 1);
    for (const last = chance.between(next, fixes.length - 1); next <= last; next += chance.between(2, 4)) {
      const { time, latitude, longitude } = fixes[next]!;
      // The fix that an alert states is hours older than the alert.
      const issued = time + chance.between(1, 6) * HOUR_S;
      texts[index]!.storm.given.push({ time, latitude, longitude, windKt: 25, radii: {} });
      nameAt(texts[index]!, deck.basin, number, issued);
      const watched = { designator: `${number}${deck.letter}`, time, latitude, longitude };
      publications.push({
        at: issued + 600,
        source: `products/${deck.basin.toLowerCase()}${number}web.txt`,
        text: formationAlert(watched, 25, issued),
        says: { storm: index, base: time, alert: { issued, until: issued + 24 * HOUR_S } },
      });
    }
  }
  return publications;
}

/**
 * A text that calls an invest `91W` names no year: who knows nothing but that text publishes it under the year in which it was
 * issued, and the deck of before New Year, which comes later, does not change the id any more.
 */
function nameAt({ storm }: TextsOf, basin: string, number: number, issued: number): void {
  const id = `${basin}${twoDigits(number)}${seasonYear(basin, issued)}`;
  if (!storm.ids.includes(id)) storm.ids.unshift(id);
}
