import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { keyWasRefused } from "#components/api-client/api-key.ts";
import { ServiceError } from "#components/api-client/service.ts";
import { Icon } from "#components/ui/icon.tsx";
import { Countdown, Trouble } from "#components/ui/trouble.tsx";
import { timeText } from "#components/view-state/format-time.ts";
import type { Place } from "#components/view-state/view-url.ts";
import type { Zone } from "#components/view-state/zone.ts";
import { positionText } from "#lib/position.ts";
import type { Units } from "#lib/units.ts";
import { ConditionList } from "./condition-list.tsx";
import { isOnLand, keyValues } from "./describe-conditions.ts";
import { PointSeries } from "./point-series.tsx";
import { pointQuery } from "./queries.ts";

interface Props {
  apiKey: string | undefined;
  /** The sampled point; null where none was chosen. */
  place: Place | null;
  /** Unix seconds; undefined until the conditions shall be asked for. */
  time: number | undefined;
  /** That will be in a moment. */
  soon: boolean;
  /** Weather clock of the service, Unix seconds. */
  now: number;
  units: Units;
  zone: Zone;
  onTime(time: number): void;
  onForget(): void;
}

/** What is known of the sampled point, or how to choose one. */
export function PointPanel({ apiKey, place, time, soon, ...rest }: Props) {
  if (place && apiKey && time === undefined && soon) return <p role="status">Reading the forecast…</p>;
  if (!place || !apiKey || time === undefined) {
    return (
      <p className="text-muted text-sm">Click the sea, or press Enter on the map, for its conditions.</p>
    );
  }
  return <Conditions apiKey={apiKey} place={place} time={time} {...rest} />;
}

interface ConditionsProps extends Omit<Props, "soon"> {
  apiKey: string;
  place: Place;
  time: number;
}

/** Conditions at the sampled point, as the API answers them. */
function Conditions({ apiKey, place, time, now, units, zone, onTime, onForget }: ConditionsProps) {
  const { data, error, failureReason, isPending, refetch } = useQuery(pointQuery(apiKey, place, time));
  const refused = error instanceof ServiceError && (error.status === 401 || error.status === 403);
  useEffect(() => {
    if (refused) keyWasRefused(apiKey);
  }, [refused, apiKey]);
  const where = positionText(place.latitude, place.longitude);
  const conditions = data?.results[0]?.conditions;
  const lines = conditions ? keyValues(conditions, units) : [];
  const waiting = failureReason instanceof ServiceError && failureReason.status === 429;
  const onLand = isOnLand(data?.meta);
  return (
    <section aria-label="Conditions">
      <div className="flex items-start justify-between gap-2">
        <div>
          <h2 className="font-semibold tabular-nums">{where}</h2>
          <p className="text-muted text-sm tabular-nums">{timeText(time, undefined, zone)}</p>
        </div>
        <button type="button" className="button plain" aria-label="Forget this position" onClick={onForget}>
          <Icon name="close" />
        </button>
      </div>
      <p className="sr-only" aria-live="polite">
        {conditions ? `${where}. ${lines.map(({ spoken }) => spoken).join(" ")}` : ""}
      </p>
      <div className="mt-3 space-y-4">
        {isPending && !waiting ? <p role="status">Reading the forecast…</p> : null}
        {isPending && waiting ? (
          <div role="status">
            <p>Too many requests.</p>
            <Countdown seconds={failureReason.retryAfter ?? 1} />
          </div>
        ) : null}
        {error && !refused ? <Trouble error={error} onRetry={() => void refetch()} /> : null}
        {onLand ? (
          <p className="rounded-md border border-line p-2 text-sm">
            This position is on land. Sea values are not available.
          </p>
        ) : null}
        {conditions ? (
          <>
            <dl className="space-y-1">
              {lines.map(({ name, text }) => (
                <div key={name} className="flex gap-3">
                  <dt className="w-16 shrink-0 text-muted text-sm leading-6">{name}</dt>
                  <dd className="text-pretty font-medium leading-6">{text}</dd>
                </div>
              ))}
            </dl>
            <PointSeries {...{ apiKey, place, time, now, units, zone, onTime }} />
            <details open>
              <summary className="min-h-8 cursor-pointer content-center text-sm">All values</summary>
              <ConditionList conditions={conditions} meta={data.meta} units={units} />
            </details>
          </>
        ) : null}
      </div>
    </section>
  );
}
