import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import { Meteogram } from "./meteogram.tsx";
import { SeriesTable } from "./series-table.tsx";
import type { ConditionsState } from "./use-conditions.ts";

/** The days around the time of the map, drawn and in numbers. @param time Unix seconds. */
export function PointSeries({ series, time }: Pick<ConditionsState, "series"> & { time: number }) {
  const { point } = useWords();
  const { rows, error, retry } = series;
  if (error) return <ErrorMessage error={error} onRetry={retry} />;
  if (!rows) return <div className="skeleton h-72" aria-hidden="true" />;
  return (
    <>
      <Meteogram rows={rows} time={time} />
      <details className="mt-2">
        <summary className="min-h-8 cursor-pointer content-center text-sm">{point.everyThreeHours}</summary>
        <SeriesTable rows={rows} time={time} />
      </details>
    </>
  );
}
