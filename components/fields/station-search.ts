import { createContext } from "react";
import type { Place } from "#lib/geo/sphere.ts";
import type { NamedPlace } from "#lib/places/gazetteer.ts";
import type { Suggestion } from "./place-suggestions.ts";

/** What the fields for a place are given by the page that they are on: one search, wherever a place is written. */
export interface StationSearch {
  /** Where the reader looks: the centre of the view; undefined on pages without a map. */
  centre?: Place;
  /**
   * A hook: tide stations of a text, and the one beside a place, while the text is written.
   *
   * @param place The first place of that name.
   */
  useStations(text: string, near: Place, place: NamedPlace | undefined): readonly Suggestion[];
}

const none: readonly Suggestion[] = [];

export const StationSearchContext = createContext<StationSearch>({ useStations: () => none });
