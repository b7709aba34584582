import { distanceKm, initialBearing, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import type { NamedSpot } from "#components/view-state/saved-places.ts";
import { countryOfCode, countryOfName } from "#components/words/country-names.ts";
import { useWords } from "#components/words/words-context.ts";
import type { TideStation } from "#lib/contract/tides.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { Words } from "#lib/messages/words.ts";
import {
  type FoundPlace,
  foldName,
  type NamedPlace,
  nearestPlace,
  type PlaceBounds,
  type PlaceKind,
  searchCost,
  searchPlaces,
} from "#lib/places/gazetteer.ts";
import { compassLetters, positionText } from "#lib/position.ts";
import { type PositionReading, readPosition } from "#lib/positions/read-position.ts";
import { readPlaces } from "./read-places.ts";

/** Destination of a search. */
export interface Target {
  place: Place;
  zoom?: number;
  bounds?: PlaceBounds;
  /** Name of a place of the gazetteer or of a station. */
  name?: string;
  /** The station whose tide or stream is to be shown. */
  station?: Pick<TideStation, "id" | "kind">;
}

/** A line of the list below the field. */
export interface Suggestion {
  key: string;
  title: string;
  /** Kind and region. */
  details: string;
  target: Target;
  /** Sort key of a place found by name, ascending. */
  cost?: number;
}

/** State of the field for its text. */
export interface SearchAnswer {
  suggestions: readonly Suggestion[];
  /**
   * Target of Enter without a selection; undefined if the text has to be completed or a suggestion selected.
   */
  direct?: Target;
  /** Why nothing can be found. */
  problem?: string;
  /** Question above suggestions that are interpretations of one text. */
  question?: string;
}

/** A station within this distance of a place of the same name belongs to that place, km. */
const SAME_KM = 40;

/** Rank of a station among places, equal to that of a small port. */
const STATION_RANK = 4;

/** Most suggestions in a list, besides stations. */
export const SHOWN = 7;
const SHOWN_STATIONS = 3;

/** Zoom at which an entrance, a headland or a group of islands is visible. */
const kindZooms: Readonly<Record<PlaceKind, number>> = {
  ocean: 3,
  sea: 5,
  cape: 9,
  island: 8,
  port: 10,
  town: 10,
};

/** Least zoom of the view after a position was typed; positions have a precision of a minute. */
export const POSITION_ZOOM = 6;

/**
 * Interprets a text that is typed or submitted: a position, or the beginning of a name.
 *
 * @param saved Saved places, found by their titles and listed before the places of the gazetteer.
 * @param stations Stations of that name. They arrive later and are listed below the places, so that nothing
 * moves. If the place of that name is far away or small, a nearer station is meant instead.
 */
export function answerSearch(
  text: string,
  places: readonly NamedPlace[],
  near: Place,
  languages: readonly string[],
  words: Words,
  saved: readonly Suggestion[] = [],
  stations: readonly Suggestion[] = [],
): SearchAnswer {
  const { invalid, unclear } = words.position;
  const reading = readPosition(text, languages);
  if (reading.kind === "place") {
    return { suggestions: [], direct: { place: reading.place } };
  }
  if (reading.kind === "unclear") {
    return { question: unclear[reading.reason], suggestions: reading.places.map(suggestionOfPlace) };
  }
  const found =
    reading.reason === "name"
      ? searchPlaces(places, text, near, SHOWN).map((place) => suggestionOfName(place, words))
      : [];
  // A number begins a position, not a name.
  const named = reading.reason === "name" || reading.reason === "words" ? savedOfName(saved, text) : [];
  const best = found[0]?.cost ?? 0;
  const isBeside = ({ target: { place } }: Suggestion) =>
    found.some(({ target }) => distanceKm(target.place, place) < SAME_KM);
  const meant = stations.filter(
    (station) => station.cost !== undefined && station.cost < best && !isBeside(station),
  );
  const listed = [...named, ...meant, ...found].slice(0, SHOWN);
  const others = stations.filter((station) => !meant.includes(station));
  const suggestions = reading.reason === "name" ? [...listed, ...others] : listed;
  const [first] = listed;
  if (first) return { suggestions, direct: first.target };
  return suggestions.length > 0 ? { suggestions } : { suggestions, problem: invalid[reading.reason] };
}

/** Saved places with a word that begins with the text. */
function savedOfName(saved: readonly Suggestion[], text: string): Suggestion[] {
  const wanted = foldName(text);
  return wanted === "" ? [] : saved.filter(({ title }) => ` ${foldName(title)}`.includes(` ${wanted}`));
}

function suggestionOfPlace(place: Extract<PositionReading, { kind: "place" }>["place"]): Suggestion {
  const title = positionText(place.latitude, place.longitude);
  return { key: title, title, details: "", target: { place } };
}

/** Saved places as suggestions: some for an empty field, others by name. */
export function savedSuggestions(spots: readonly NamedSpot[]): Suggestion[] {
  return spots.map(({ name, ...place }) => ({
    key: `saved ${place.latitude} ${place.longitude}`,
    title: name,
    details: "",
    target: { place, name },
  }));
}

/**
 * The stations that a text names, of those that the service finds (it also finds similar names). They are
 * ranked like places; those of which only the region matches come last.
 */
export function stationsNamed(stations: readonly TideStation[], text: string, near: Place) {
  const wanted = foldName(text).split(" ");
  const named = stations.filter(({ name, region, country }) => {
    const names = ` ${foldName(`${name} ${region ?? ""} ${country ?? ""}`)}`;
    return wanted.every((word) => names.includes(` ${word}`));
  });
  return named
    .map((station) => ({
      station,
      cost: searchCost({ folded: [foldName(station.name)], rank: STATION_RANK, ...station }, text, near),
    }))
    .toSorted((one, other) => (one.cost ?? Number.MAX_VALUE) - (other.cost ?? Number.MAX_VALUE));
}

/** Stations as suggestions in the ranking of `stationsNamed`, tide stations first. */
export function stationSuggestions(
  stations: readonly TideStation[],
  text: string,
  near: Place,
  { position, language }: Words,
): Suggestion[] {
  const ranked = stationsNamed(stations, text, near);
  return (["tide", "stream"] as const)
    .flatMap((kind) => ranked.filter(({ station }) => station.kind === kind))
    .slice(0, SHOWN_STATIONS)
    .map(({ station, cost }) => ({
      ...suggestionOfStation(
        station,
        position.inRegion({
          kind: position.stations[station.kind],
          // Regions have English names only.
          region:
            (language === "en" ? station.region : undefined) ?? countryOfName(station.country, language),
        }),
      ),
      ...(cost !== undefined && { cost }),
    }));
}

function suggestionOfStation(
  { id, kind, name, latitude, longitude }: TideStation,
  details: string,
): Suggestion {
  return {
    key: `station ${id}`,
    title: name,
    details,
    target: { place: { latitude, longitude }, name, station: { id, kind }, zoom: kindZooms.port },
  };
}

/** The tide station beside a place with another name: `Devonport`, `Tide station, 1 n mi W of Plymouth`. */
export function besideSuggestion(station: TideStation, place: NamedPlace, words: Words): Suggestion {
  const { position } = words;
  const region = nearText([place], station, words) ?? place.name;
  return suggestionOfStation(station, position.inRegion({ kind: position.stations[station.kind], region }));
}

/**
 * Describes a position by the place on land that locates it best: `12 n mi W of Brest`; undefined far from
 * all places.
 */
export function nearText(places: readonly NamedPlace[], position: Place, words: Words): string | undefined {
  const place = nearestPlace(places, position);
  if (!place) return undefined;
  const km = distanceKm(place, position);
  // Within a harbour a bearing has no meaning.
  if (km < MILE_KM) return place.name;
  return words.point.near({
    distance: formatMiles(km, words, 0),
    point: compassLetters(initialBearing(place, position), words),
    name: place.name,
  });
}

function suggestionOfName({ place, cost, other }: FoundPlace, { position, language }: Words): Suggestion {
  const { name, kind, country, bounds, latitude, longitude } = place;
  const region = country ? countryOfCode(country, language) : undefined;
  const kindName = position.kinds[kind];
  const details = region ? position.inRegion({ kind: kindName, region }) : kindName;
  return {
    key: `${name} ${kind} ${latitude} ${longitude}`,
    // The map and distances say this name too, whichever of its names was typed.
    title: name,
    cost,
    details: other ? `${other} · ${details}` : details,
    target: {
      place: { latitude, longitude },
      name,
      zoom: kindZooms[kind],
      ...(bounds && { bounds }),
    },
  };
}

/** The places of the gazetteer in the language of the page, loaded when the user types letters. */
export function usePlaces(wanted: boolean) {
  const { language } = useWords();
  return useQuery({
    queryKey: ["places", language],
    queryFn: ({ signal }) => readPlaces(language, signal),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}
