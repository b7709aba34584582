import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { Meteogram } from "./meteogram.tsx";
import type { PointSample } from "./point-queries.ts";
import { runsQuery } from "./runs-query.ts";
import { SeriesTable } from "./series-table.tsx";
import type { ConditionsState } from "./use-conditions.ts";

// Only who asks what the runs of before say.
const RunsSection = dynamic(() => import("./runs-section.tsx").then((file) => file.RunsSection), {
  ssr: false,
});

interface Props extends Pick<ConditionsState, "series"> {
  /** Its time is that of the map. */
  sample: PointSample;
}

/** The days around the time of the map, drawn and in numbers, and what the last runs say of them. */
export function PointSeries({ series, sample }: Props) {
  const { point, compare } = useWords();
  const { view, changeView } = useView();
  const { now } = useClock();
  const { rows, error, retry } = series;
  const last = useQuery({ ...runsQuery(sample, rows ?? [], now), enabled: view.runs && rows !== undefined });
  const { time } = sample;
  if (error) return <ErrorMessage error={error} onRetry={retry} />;
  if (!rows) return <div className="skeleton h-72" aria-hidden="true" />;
  const runs = view.runs ? last.data : undefined;
  const isFuture = rows.some((row) => row.time >= now);
  return (
    <>
      <Meteogram rows={rows} time={time} runs={runs?.runs} />
      {isFuture ? (
        <button
          type="button"
          className="toggle mt-1"
          aria-pressed={view.runs}
          onClick={() => changeView({ runs: !view.runs })}
        >
          {compare.runs.show}
        </button>
      ) : null}
      {view.runs && isFuture ? (
        <div className="mt-2" aria-live="polite">
          {last.isPending ? <p className="text-muted text-sm">{compare.runs.reading}</p> : null}
          {last.error ? <ErrorMessage error={last.error} onRetry={() => void last.refetch()} /> : null}
          {runs ? <RunsSection last={runs} time={time} /> : null}
        </div>
      ) : null}
      <details className="mt-2">
        <summary className="min-h-8 cursor-pointer content-center text-sm">{point.everyThreeHours}</summary>
        <SeriesTable rows={rows} time={time} />
      </details>
    </>
  );
}
