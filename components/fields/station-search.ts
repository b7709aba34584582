import type { Place } from "@open-metocean/geo/sphere";
import { createContext } from "react";
import type { NamedPlace } from "#lib/places/gazetteer.ts";
import type { Suggestion } from "./place-suggestions.ts";

/**
 * The search that a page provides to its fields for places, so that all of them search in the same way.
 */
export interface StationSearch {
  /** Centre of the view; undefined on pages without a map. */
  centre?: Place;
  /**
   * A hook: tide stations that match a text, and the one beside a place, while the text is typed.
   *
   * @param place The first place of that name.
   */
  useStations(text: string, near: Place, place: NamedPlace | undefined): readonly Suggestion[];
}

const none: readonly Suggestion[] = [];

export const StationSearchContext = createContext<StationSearch>({ useStations: () => none });
