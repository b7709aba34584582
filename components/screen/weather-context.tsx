import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { ClockContext } from "#components/view-state/clock-context.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWeatherQuery, type WeatherAnswer } from "./use-weather-query.ts";

export interface Weather extends WeatherAnswer {
  /** The first field is drawn, or not waited for: conditions and storms may be requested. */
  deferredStarted: boolean;
  startDeferred(): void;
}

/** Over a slow line the first field has this long before the deferred requests start beside it. */
const MAX_DEFERRAL_MS = 5000;

const WeatherContext = createContext<Weather | undefined>(undefined);

/** Requests what the view shows, once for all components below. */
export function WeatherProvider({ children }: { children: ReactNode }) {
  const { view, changeView } = useView();
  const answer = useWeatherQuery(useApiKey(), view);
  const [deferredStarted, setDeferredStarted] = useState(false);
  const startDeferred = useCallback(() => setDeferredStarted(true), []);
  useEffect(() => {
    const timer = setTimeout(startDeferred, MAX_DEFERRAL_MS);
    return () => clearTimeout(timer);
  }, [startDeferred]);
  const { now, time, instants } = answer;
  const setTime = useCallback((t: number) => changeView({ t }), [changeView]);
  const clock = useMemo(() => ({ now, time, instants, setTime }), [now, time, instants, setTime]);
  return (
    <ClockContext value={clock}>
      <WeatherContext value={{ ...answer, deferredStarted, startDeferred }}>{children}</WeatherContext>
    </ClockContext>
  );
}

export function useWeather(): Weather {
  const weather = use(WeatherContext);
  if (!weather) throw new Error("useWeather needs a WeatherProvider above it");
  return weather;
}
