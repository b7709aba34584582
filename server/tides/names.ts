import { type Station, stations } from "@neaps/tide-database";
import { foldName } from "#lib/places/gazetteer.ts";
import { wholeNames } from "./whole-names.ts";

/** A word in as many names says nothing about which station it is: pier, harbour, river, bay. */
const COMMON = 8;

/**
 * Stations that the database names wrongly, by their own names: those that bear the names of others, as seven British ones,
 * and those whose names lack letters.
 */
export const renamed: ReadonlyMap<Station, string> = new Map([
  ...namesByIds(stations),
  ...stations.flatMap((station) => {
    const name = wholeNames[station.name];
    return name === undefined ? [] : [[station, name] as const];
  }),
]);

/** Names by ids of stations whose names share no word with them that tells stations apart. */
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

/** The name that a station is shown by. */
export const nameOf = (station: Station): string => renamed.get(station) ?? station.name;

/** Whether words of a name begin with each word of a search. */
export function isNamed(name: string, search: string): boolean {
  const [words, wanted] = [[...wordsOf(name)], [...wordsOf(search)]];
  return wanted.length > 0 && wanted.every((start) => words.some((word) => word.startsWith(start)));
}

function wordsOf(text: string): Set<string> {
  return new Set(foldName(text.replaceAll("_", " ")).match(/[a-z]+/g));
}

/** The name of a station within its TICON id: `hastings_pier` of `ticon/hastings_pier-hgp-gbr-cco`. */
function bodyOf(id: string): string {
  return /^ticon\/(.+?)(?:-[^-]*){3}$/.exec(id)?.[1] ?? "";
}

/** Whether it is a code, such as `ma58`, which names nothing: the database then has the name of a place at the position. */
function isCode(body: string): boolean {
  return body.split("_").every((word) => /\d/.test(word));
}
