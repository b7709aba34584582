import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { useOnline } from "#components/view-state/use-browser.ts";
import { parseInstant } from "#lib/time.ts";
import { conditionsAt, type PointsBody, type TimedConditions } from "./conditions-at.ts";
import { modelSteps } from "./model-steps.ts";
import { type PointSample, pointQuery, type SeriesRow, seriesQuery } from "./point-queries.ts";

/** How long the time must stay unchanged before its conditions are requested, ms. */
const STEADY_MS = 300;

/**
 * Conditions at a place: those at the requested time or, until they arrive, the last ones with their own
 * time.
 *
 * The series of the place answers for most times; other times are requested alone, once the time stays
 * unchanged.
 */
export function useConditions(sample: PointSample) {
  const { now, answered: lastAnswer = now } = useClock("now", "answered");
  const online = useOnline();
  const { apiKey, place, time } = sample;
  const at = `${apiKey} ${place.latitude},${place.longitude}`;
  const here = `${at} ${sample.model}`;
  const steady = useSteady(time, STEADY_MS);
  // The number is requested before the chart, because the long reply would delay the short one on a slow
  // line.
  const [answered, setAnswered] = useState("");
  const series = useQuery({
    // Without the service, the saved days are those of its last answer.
    ...seriesQuery(sample, lastAnswer),
    enabled: now > 0 && answered === here && steady === time,
    placeholderData: (last, query) => (query && isOf(query.queryKey, sample) ? last : undefined),
  });
  const held = useMemo(() => conditionsAt(series.data, time), [series.data, time]);
  const point = useQuery({ ...pointQuery({ ...sample, time: steady }), enabled: !held && steady === time });
  const isFetched = point.isFetched || held !== undefined;
  if (isFetched && answered !== here) setAnswered(here);

  const alone = useMemo(() => conditionsAt(point.data, time), [point.data, time]);
  const exact = held ?? alone;
  const reply = held ? series.data : point.data;
  // While another model is being read, the values of the last one stay, marked as old.
  const [last, setLast] = useState<{ at: string; exact: TimedConditions }>();
  if (exact && exact !== last?.exact) setLast({ at, exact });
  const shown = exact ?? (last?.at === at ? last.exact : undefined);
  const error = exact || steady !== time ? null : point.error;
  const rows = useMemo(
    () =>
      series.data?.results.map(
        ({ coordinates, conditions }): SeriesRow => ({
          time: parseInstant(coordinates.timestamp),
          conditions,
        }),
      ),
    [series.data],
  );
  const steps = useMemo(() => modelSteps(series.data?.meta), [series.data]);
  return {
    /** undefined until the first conditions arrive. */
    shown,
    /** They belong to another time or model than the requested one. */
    old: shown !== undefined && !exact,
    /** The service cannot be reached. */
    offline: !online || reply?.isSaved === true || isOutage(error) || isOutage(series.error),
    /** Unix seconds at which the service gave them; 0 for never. */
    readAt: reply?.readAt ?? 0,
    error,
    /** Why a reply is late, while the request is repeated. */
    failureReason: exact ? null : point.failureReason,
    retry: () => void point.refetch(),
    series: {
      rows,
      steps,
      error: series.data ? null : series.error,
      retry: () => void series.refetch(),
    },
  };
}

export type ConditionsState = ReturnType<typeof useConditions>;

function isOutage(error: Error | null): boolean {
  return error instanceof ServiceError && error.status === 0;
}

function isOf([, apiKey, body]: readonly unknown[], sample: PointSample): boolean {
  const { points, models } = body as PointsBody;
  const { latitude, longitude } = sample.place;
  return (
    apiKey === sample.apiKey &&
    models?.[0] === sample.model &&
    points[0]?.latitude === latitude &&
    points[0].longitude === longitude
  );
}
