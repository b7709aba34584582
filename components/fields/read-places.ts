import type { Language } from "#lib/messages/language.ts";
import { type GazetteerFile, type NamedPlace, type PlaceNames, placesOfFile } from "#lib/places/gazetteer.ts";

/**
 * Reads the gazetteer with its names in a language: for searches, for places that describe a position, and for the map near a
 * coast, so that all of them say the same name.
 */
export async function readPlaces(language: Language, signal?: AbortSignal): Promise<NamedPlace[]> {
  const [file, names] = await Promise.all([
    readJson("/basemap/places.json", signal),
    // The gazetteer itself is in English.
    language === "en" ? {} : readJson(`/basemap/place-names-${language}.json`, signal),
  ]);
  return placesOfFile(file as GazetteerFile, names as PlaceNames);
}

async function readJson(path: string, signal: AbortSignal | undefined): Promise<unknown> {
  const reply = await fetch(path, { signal: signal ?? null });
  if (!reply.ok) throw new Error(`The list of places was answered with ${reply.status}.`);
  return reply.json();
}
