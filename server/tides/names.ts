import { type Station, stations } from "@neaps/tide-database";
import { foldName } from "#lib/places/gazetteer.ts";
import { wholeNames } from "./whole-names.ts";

/** A word that occurs in this many names (pier, harbour, river, bay) does not identify a station. */
const COMMON = 8;

/**
 * Corrected names of stations that the database names wrongly: with names of other stations, as seven British ones, or
 * with names that lack letters.
 */
export const renamed: ReadonlyMap<Station, string> = new Map([
  ...namesByIds(stations),
  ...stations.flatMap((station) => {
    const name = wholeNames[station.name];
    return name === undefined ? [] : [[station, name] as const];
  }),
]);

/** Names derived from the ids, for stations whose name shares no identifying word with the id. */
function namesByIds(all: readonly Station[]): Map<Station, string> {
  const ticon = all.flatMap((station) => {
    const body = bodyOf(station.id);
    return body === "" || isCode(body) ? [] : [{ station, body, words: wordsOf(station.name) }];
  });
  const counts = new Map<string, number>();
  for (const { words } of ticon) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map(
    ticon.flatMap(({ station, body, words }) => {
      const ofId = wordsOf(body);
      const shared = [...ofId].filter((word) => words.has(word));
      const isAll = shared.length > 0 && (shared.length === ofId.size || shared.length === words.size);
      // Where the id has no spaces, Saint was not shortened to St in it.
      const [one, other] = [[...ofId].join("").replaceAll("saint", "st"), [...words].join("")];
      if (isAll || one.includes(other) || other.includes(one)) return [];
      return shared.some((word) => counts.get(word)! < COMMON) ? [] : [[station, titleOf(body)] as const];
    }),
  );
}

function titleOf(body: string): string {
  const words = body.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return words.join(" ");
}

/** The name under which a station is shown. */
export const nameOf = (station: Station): string => renamed.get(station) ?? station.name;

/** Whether for each word of a search some word of a name begins with it. */
export function isNamed(name: string, search: string): boolean {
  const [words, wanted] = [[...wordsOf(name)], [...wordsOf(search)]];
  return wanted.length > 0 && wanted.every((start) => words.some((word) => word.startsWith(start)));
}

function wordsOf(text: string): Set<string> {
  return new Set(foldName(text.replaceAll("_", " ")).match(/[a-z]+/g));
}

/** The name of a station within its TICON id: `hastings_pier` for `ticon/hastings_pier-hgp-gbr-cco`. */
function bodyOf(id: string): string {
  return /^ticon\/(.+?)(?:-[^-]*){3}$/.exec(id)?.[1] ?? "";
}

/** Whether it is a code such as `ma58` and not a name. The database then uses the name of a place at the position. */
function isCode(body: string): boolean {
  return body.split("_").every((word) => /\d/.test(word));
}
