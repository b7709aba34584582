import { useQuery } from "@tanstack/react-query";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { parseInstant } from "#lib/time.ts";
import { Meteogram } from "./meteogram.tsx";
import { type PointSample, seriesQuery } from "./point-queries.ts";
import { SeriesTable } from "./series-table.tsx";

/** The coming days at the sampled point, drawn and in numbers. */
export function PointSeries(sample: PointSample) {
  const { now } = useClock();
  const { data, error, refetch } = useQuery(seriesQuery(sample, now));
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="skeleton h-48" aria-hidden="true" />;
  const rows = data.results.map(({ coordinates, conditions }) => ({
    time: parseInstant(coordinates.timestamp),
    conditions,
  }));
  return (
    <>
      <Meteogram rows={rows} time={sample.time} />
      <details className="mt-2">
        <summary className="min-h-8 cursor-pointer content-center text-sm">Every three hours</summary>
        <SeriesTable rows={rows} time={sample.time} />
      </details>
    </>
  );
}
