import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { placesQuery } from "#components/point/point-queries.ts";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import type { Place } from "#lib/geo/sphere.ts";

interface Props {
  place: Place;
  /** @param pressure At mean sea level, hPa. */
  show(pressure: number): ReactNode;
}

/** What the forecast pressure at a place means, at the time of the map; nothing where there is none. */
export function ForecastPressure({ place: { latitude, longitude }, show }: Props) {
  const key = useApiKey();
  // While it plays, each time is only passed.
  const time = useSteady(useClock().time ?? 0);
  const { data } = useQuery({
    ...placesQuery(key ?? "", [{ latitude, longitude }], [time], ["pressure"]),
    enabled: key !== undefined && time > 0,
  });
  const pressure = data?.[0]?.[0]?.Pressure;
  return typeof pressure === "number" ? show(pressure) : null;
}
