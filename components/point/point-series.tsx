import { useQuery } from "@tanstack/react-query";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import type { Zone } from "#components/view-state/zone.ts";
import { parseInstant } from "#lib/time.ts";
import type { Units } from "#lib/units.ts";
import { Meteogram } from "./meteogram.tsx";
import { seriesQuery } from "./point-queries.ts";
import { SeriesTable } from "./series-table.tsx";

interface Props {
  apiKey: string;
  place: Place;
  /** Unix seconds. */
  time: number;
  now: number;
  units: Units;
  zone: Zone;
  onTime(time: number): void;
}

/** The coming days at the sampled point, drawn and in numbers. */
export function PointSeries({ apiKey, place, time, now, units, zone, onTime }: Props) {
  const { data, error, refetch } = useQuery(seriesQuery(apiKey, place, time, now));
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="skeleton h-48" aria-hidden="true" />;
  const rows = data.results.map(({ coordinates, conditions }) => ({
    time: parseInstant(coordinates.timestamp),
    conditions,
  }));
  return (
    <>
      <Meteogram rows={rows} time={time} units={units} zone={zone} />
      <details className="mt-2">
        <summary className="min-h-8 cursor-pointer content-center text-sm">Every three hours</summary>
        <SeriesTable rows={rows} time={time} units={units} zone={zone} onTime={onTime} />
      </details>
    </>
  );
}
