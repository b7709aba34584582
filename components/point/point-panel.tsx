import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ConditionList } from "#components/point/condition-list.tsx";
import { pointQuery } from "#components/point/queries.ts";
import { spokenWind } from "#components/point/words.ts";
import { timeText } from "#components/time/words.ts";
import { Countdown, Trouble } from "#components/ui/trouble.tsx";
import { keyWasRefused } from "#components/view/api-key.ts";
import { ServiceError } from "#components/view/service.ts";
import type { Place } from "#components/view/view-url.ts";
import { positionText, type SpeedUnit } from "#lib/units.ts";

interface Props {
  apiKey: string;
  place: Place;
  /** Unix seconds. */
  time: number;
  unit: SpeedUnit;
  onClose(): void;
}

/** Conditions at the sampled point, as the API answers them. */
export function PointPanel({ apiKey, place, time, unit, onClose }: Props) {
  const { data, error, failureReason, isPending, refetch } = useQuery(pointQuery(apiKey, place, time));
  const refused = error instanceof ServiceError && (error.status === 401 || error.status === 403);
  useEffect(() => {
    if (refused) keyWasRefused(apiKey);
  }, [refused, apiKey]);
  const where = positionText(place.latitude, place.longitude);
  const conditions = data?.results[0]?.conditions;
  const waiting = failureReason instanceof ServiceError && failureReason.status === 429;
  return (
    <section
      aria-label="Conditions"
      className="surface flex max-h-[50dvh] w-full shrink-0 flex-col overflow-y-auto border-line border-t p-4 md:max-h-none md:w-[380px] md:border-t-0 md:border-l"
    >
      <div className="flex items-start justify-between gap-2">
        <div>
          <h2 className="font-semibold tabular-nums">{where}</h2>
          <p className="text-muted text-sm tabular-nums">{timeText(time)}</p>
        </div>
        <button type="button" className="button" aria-label="Close conditions" onClick={onClose}>
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      <p className="sr-only" aria-live="polite">
        {conditions ? `${where}. ${spokenWind(conditions, unit)}` : ""}
      </p>
      <div className="mt-3">
        {isPending && !waiting ? <p role="status">Reading the forecast…</p> : null}
        {isPending && waiting ? (
          <div role="status">
            <p>Too many requests.</p>
            <Countdown seconds={failureReason.retryAfter ?? 1} />
          </div>
        ) : null}
        {error && !refused ? <Trouble error={error} onRetry={() => void refetch()} /> : null}
        {conditions ? <ConditionList conditions={conditions} meta={data.meta} unit={unit} /> : null}
      </div>
    </section>
  );
}
