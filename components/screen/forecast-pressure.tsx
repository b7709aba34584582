import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { placesQuery, seriesTimes } from "#components/point/point-queries.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { bracket } from "#lib/field/interpolate.ts";

interface Props {
  place: Place;
  /** @param pressure Pressure at mean sea level, hPa. */
  show(pressure: number): ReactNode;
}

/** Shows the forecast pressure at a place and at the time of the map; renders nothing if there is none. */
export function ForecastPressure({ place: { latitude, longitude }, show }: Props) {
  const key = useApiKey();
  const { time = 0, now, answered = now } = useClock("time", "now", "answered");
  // All times are requested at once, so that stepping sends no request.
  const times = seriesTimes(time, answered);
  const { data } = useQuery({
    ...placesQuery(key ?? "", [{ latitude, longitude }], times, ["pressure"]),
    enabled: key !== undefined && time > 0 && now > 0,
  });
  const at = bracket(times, time);
  const [before, after] = [at?.before, at?.after].map((index) => data?.[0]?.[index ?? -1]?.Pressure);
  if (!at || typeof before !== "number" || typeof after !== "number") return null;
  return show(before + at.later * (after - before));
}
