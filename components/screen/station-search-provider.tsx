import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { isAcrossLand, nearestStationQuery, tideStationsQuery } from "#components/api-client/tide-queries.ts";
import {
  besideSuggestion,
  type Suggestion,
  stationSuggestions,
} from "#components/fields/place-suggestions.ts";
import { StationSearchContext } from "#components/fields/station-search.ts";
import { useSteady } from "#components/ui/use-steady.ts";
import { useWords } from "#components/words/words-context.ts";
import type { NamedPlace } from "#lib/places/gazetteer.ts";

/** How long a text must stay unchanged before its stations are requested, ms. */
const STEADY_MS = 250;

/** Fewer letters match too many names. */
const MIN_LETTERS = 3;

/**
 * Stations that match a name while it is typed, and the one beside the place of that name: Plymouth's gauge
 * is Devonport.
 */
function useStations(text: string, near: Place, beside: NamedPlace | undefined): Suggestion[] {
  const words = useWords();
  const apiKey = useApiKey();
  const name = text.trim();
  const isName = name.length >= MIN_LETTERS && !/\p{Nd}/u.test(name);
  const isSteady = useSteady(name, STEADY_MS) === name;
  const enabled = apiKey !== undefined && isName && isSteady;
  const { data = [] } = useQuery({
    ...tideStationsQuery(apiKey ?? "", name),
    enabled,
    // A retry is unnecessary, because places are found without stations.
    retry: false,
  });
  // A sea or an ocean (a place with bounds) has no gauge of its own.
  const place = beside?.bounds ? undefined : beside;
  const nearest = useQuery({
    ...nearestStationQuery(apiKey ?? "", place ?? near, "tide"),
    enabled: enabled && place !== undefined,
    retry: false,
  }).data;
  const named = stationSuggestions(data, name, near, words);
  if (
    !nearest ||
    !place ||
    isAcrossLand(nearest) ||
    named.some(({ target }) => target.station?.id === nearest.id)
  )
    return named;
  return [besideSuggestion(nearest, place, words), ...named];
}

/** Lets all fields for places also find tide stations. @param centre Centre of the view, if there is one. */
export function StationSearchProvider({ centre, children }: { centre?: Place; children: ReactNode }) {
  const search = useMemo(() => ({ useStations, ...(centre && { centre }) }), [centre]);
  return <StationSearchContext value={search}>{children}</StationSearchContext>;
}
