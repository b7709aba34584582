import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { PlaceSearch } from "#components/fields/place-field.tsx";
import { type Suggestion, savedSuggestions, type Target } from "#components/fields/place-suggestions.ts";
import { peekParts } from "#components/point/format-conditions.ts";
import { outlookOf } from "#components/point/outlook.ts";
import { placesQuery } from "#components/point/point-queries.ts";
import { nothing } from "#components/ui/nothing.ts";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { useSavedPlaces } from "#components/view-state/saved-places.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { HOUR_S } from "#lib/time.ts";

/** Id of the field in the bar, which the key `g` focuses. */
const POSITION_FIELD = "position";

/** Moves the focus to the field for a position. */
export function focusSearch(): void {
  document.getElementById(POSITION_FIELD)?.focus();
}

/** The search field of the bar, for a position or the name of a place. */
export function PositionSearch({ onFound }: { onFound(target: Target): void }) {
  const { position } = useWords();
  const view = useView("c");
  return (
    <PlaceSearch
      id={POSITION_FIELD}
      label={position.field}
      placeholder={position.placeholder}
      near={view.c}
      offers={savedSuggestions(useSavedPlaces())}
      Known={KnownAt}
      onFound={onFound}
    />
  );
}

const loadHighWater = withWords(() => import("#components/tides/next-high-water.tsx"), "tides");
const NextHighWater = dynamic(() => loadHighWater().then((file) => file.NextHighWater, nothing), {
  ssr: false,
});

interface ListedPlace {
  listed: readonly Suggestion[];
  index: number;
}

/**
 * Shows wind and waves at a place, and the next high water at the first tide station, which is the best
 * match.
 */
function KnownAt({ listed, index }: ListedPlace) {
  const first = listed.findIndex(({ target }) => target.station);
  const shown = listed[index];
  if (!shown) return null;
  const { station } = shown.target;
  if (!station) {
    const places = listed.filter(({ target }) => !target.station);
    return <ValuesAt listed={places} index={places.indexOf(shown)} />;
  }
  return index === first && station.kind === "tide" ? <NextHighWater id={station.id} /> : null;
}

/** How long a list must stay unchanged before the values of its places are requested, ms. */
const STEADY_MS = 250;

/**
 * Shows wind and waves at a suggested place at the map's time, because a user who searches for a place
 * usually wants its weather.
 */
function ValuesAt({ listed, index }: ListedPlace) {
  const apiKey = useApiKey();
  const { time } = useClock("time");
  const view = useView("u");
  const zone = useZone();
  const asked = listed.map(({ target }) => target.place);
  const key = JSON.stringify(asked);
  const isSteady = useSteady(key, STEADY_MS) === key;
  const { data } = useQuery({
    ...placesQuery(apiKey ?? "", asked, time === undefined ? [] : [time], ["wind", "gust", "wave"]),
    enabled: apiKey !== undefined && time !== undefined && isSteady,
  });
  const parts = peekParts(data?.[index]?.[0] ?? {}, view.u, zone.words);
  const [best] = asked;
  return parts.length > 0 ? (
    <span className="font-medium text-[0.8125rem] tabular-nums">
      {parts.map(({ text }) => text).join(" · ")}
      {index === 0 && best && isSteady ? <ComingDays place={best} /> : null}
    </span>
  ) : null;
}

/** Hours that the coming days of a place are summarised for. */
const HOURS_AHEAD = 72;

/** The highest wind, gusts and waves of the next three days at the best match. */
function ComingDays({ place }: { place: Place }) {
  const apiKey = useApiKey();
  const { now } = useClock("now");
  const view = useView("u");
  const zone = useZone();
  const isFull = useDataUse() === "full";
  const first = Math.floor(now / HOUR_S);
  const times = Array.from({ length: HOURS_AHEAD + 1 }, (_, hour) => (first + hour) * HOUR_S);
  const { data } = useQuery({
    ...placesQuery(apiKey ?? "", [place], times, ["wind", "gust", "wave"]),
    enabled: apiKey !== undefined && now > 0 && isFull,
  });
  const rows = (data?.[0] ?? []).map((conditions, hour) => ({ time: times[hour]!, conditions }));
  const outlook = outlookOf(rows, { now, units: view.u, zone, limits: undefined });
  return outlook ? <span className="block font-normal">{outlook.highest}</span> : null;
}
