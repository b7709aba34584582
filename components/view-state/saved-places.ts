import type { Place } from "@open-metocean/geo/sphere";
import { useSyncExternalStore } from "react";
import { positionText } from "#lib/position.ts";
import { keepJson, readKept, storedState } from "./device-setting.ts";
import { sharedState } from "./shared-state.ts";
import { sampledPlace } from "./view-url.ts";

/** A place with the name that the user or the gazetteer gave it. */
export interface NamedSpot extends Place {
  name: string;
}

interface SavedPlaces {
  /** Sorted by time of saving, newest first. */
  places: readonly NamedSpot[];
}

const [STORAGE_KEY, LIST] = ["metocean-places", "places"];
const onServer: SavedPlaces = { places: [] };

/** Most saved places. When the list is full, a new place is refused instead of replacing another one. */
export const MAX_PLACES = 500;

const store = storedState<SavedPlaces>(STORAGE_KEY, (text) => ({
  places: (readKept<NamedSpot[]>(text, LIST) ?? []).filter(isSpot).slice(0, MAX_PLACES),
}));

export function useSavedPlaces(): readonly NamedSpot[] {
  return useSyncExternalStore(store.subscribe, store.read, () => onServer).places;
}

/** Why a place was not saved: the list is full, or the device did not store it. */
export type SaveFault = "full" | "notKept";

/**
 * Saves a place on this device, or renames a saved one. @returns Why it was not saved; undefined if it was.
 */
export function savePlace({ name, ...place }: NamedSpot): SaveFault | undefined {
  const spot = { ...sampledPlace(place.latitude, place.longitude), name: name.trim() };
  const { places } = store.read();
  const isSaved = places.some((one) => isSame(one, spot));
  if (!isSaved && places.length >= MAX_PLACES) return "full";
  return keep(isSaved ? places.map((one) => (isSame(one, spot) ? spot : one)) : [spot, ...places]);
}

export function removePlace(place: Place): void {
  keep(store.read().places.filter((one) => !isSame(one, place)));
}

function keep(places: readonly NamedSpot[]): SaveFault | undefined {
  if (!keepJson(STORAGE_KEY, LIST, places)) return "notKept";
  store.set({ places });
  return undefined;
}

const isSame = (one: Place, other: Place) =>
  one.latitude === other.latitude && one.longitude === other.longitude;

/** Whether a stored value is a place, not something written by another version or program. */
function isSpot(value: unknown): value is NamedSpot {
  const { name, latitude, longitude } = (value ?? {}) as Partial<NamedSpot>;
  return typeof name === "string" && Math.abs(latitude ?? 91) <= 90 && Math.abs(longitude ?? 181) <= 180;
}

/** The place that was last searched, with the gazetteer's name. */
const searched = sharedState<{ spot: NamedSpot | undefined }>({ spot: undefined });

export function nameSearched(spot: NamedSpot | undefined): void {
  searched.change({
    spot: spot && { ...sampledPlace(spot.latitude, spot.longitude), name: spot.name },
  });
}

/** Name of a sampled place: the one under which the user saved it, or that of the search. */
export function useNameOf(place: Place): { name: string | undefined; isSaved: boolean } {
  const saved = useSavedPlaces().find((one) => isSame(one, place));
  const { spot } = searched.use("spot");
  return { name: nameOf(place, [saved, spot]), isSaved: saved !== undefined };
}

/**
 * The first name of a place. A saved place without a name has its position in place of a name, which does not
 * count.
 */
export function nameOf(place: Place, spots: readonly (NamedSpot | undefined)[]): string | undefined {
  const position = positionText(place.latitude, place.longitude);
  return spots.find((spot) => spot && isSame(spot, place) && spot.name !== position)?.name;
}
