import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { DirectionGlyph } from "#components/ui/direction-glyph.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { nothing } from "#components/ui/nothing.ts";
import type { FurtherRow } from "#components/ui/time-chart.tsx";
import { showAlongTime } from "#components/view-state/along-time.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import type { Side } from "#components/view-state/compared.ts";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { useInteracted } from "#components/view-state/use-browser.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { svgPaths } from "#lib/symbols/symbols.ts";
import type { TimedConditions } from "./conditions-at.ts";
import { DayStrip } from "./day-strip.tsx";
import { useMembersAt } from "./ensemble-query.ts";
import { type KeyValue, keyValues } from "./format-conditions.ts";
import { glyphOf, Meteogram } from "./meteogram.tsx";
import { type PointSample, runsQuery } from "./point-queries.ts";
import type { ConditionsState } from "./use-conditions.ts";
import { useModels } from "./use-models.ts";
import { type Verb, VerbRow } from "./verb-row.tsx";

// Needed only when it is opened.
const ForecastDialog = dynamic(() => import("./forecast-table.tsx").then((file) => file.ForecastDialog), {
  ssr: false,
});

// Needed only to compare earlier runs.
const RunsSection = dynamic(() => import("./runs-section.tsx").then((file) => file.RunsSection), {
  ssr: false,
});

// It loads after the first interaction, which saves bytes in the first view.
const ModelsSection = dynamic(
  withWords(() => import("./models-section.tsx").then((file) => file.ModelsSection, nothing), "models"),
  { ssr: false },
);

const loadMembers = withWords(() => import("./members-section.tsx"), "ensemble");
const MembersSentence = dynamic(() => loadMembers().then((file) => file.MembersSentence, nothing), {
  ssr: false,
});
const BandsNote = dynamic(() => loadMembers().then((file) => file.BandsNote, nothing), { ssr: false });

interface Props extends Pick<ConditionsState, "series" | "old"> {
  sample: PointSample;
  shown: TimedConditions;
  /** The place was not chosen, so no models are compared there. */
  isCentre: boolean;
  /** Quantities whose values are elsewhere, because the model has land here. */
  without: readonly DrawnVariable[];
  /** Notice that says where they are. */
  children?: ReactNode;
  tide?: TideRow | undefined;
  verbs: readonly Verb[];
  /** Name of the place. */
  title: string | undefined;
  /** Prints the page; undefined while printing. */
  print: (() => void) | undefined;
}

/**
 * Content below the meteogram about the tide. @param shown Its callback sets the tide's row in the meteogram
 * when it is known.
 */
export type TideRow = (shown: {
  place: Place;
  /** First time of the chart, and time of the cursor, Unix seconds. */
  first: number;
  time: number;
  onRow(row: FurtherRow | undefined): void;
}) => ReactNode;

/** The values at the time of the map or under the pointer, the days around it, and the last runs. */
export function PointSeries({
  series,
  sample,
  shown,
  old,
  isCentre,
  without,
  children,
  tide,
  verbs,
  title,
  print,
}: Props) {
  const { compare, point } = useWords();
  const changeView = useChangeView();
  const view = useView("runs", "models", "u");
  const zone = useZone();
  const { now } = useClock("now");
  const interacted = useInteracted();
  const [pointed, setPointed] = useState<number>();
  const [further, setFurther] = useState<FurtherRow>();
  const [isTableOpen, setTableOpen] = useState(false);
  const onRow = useCallback((row: FurtherRow | undefined) => setFurther(() => row), []);
  const { rows, steps, error, retry } = series;
  useEffect(() => (rows ? showAlongTime(rows) : undefined), [rows]);
  const last = useQuery({ ...runsQuery(sample, rows ?? [], now), enabled: view.runs && rows !== undefined });
  const { place, time } = sample;
  // As the models, members are asked for after the days of the panel, and not where data use is restricted.
  const isEnsembleWanted = useDataUse() === "full" && interacted && !isCentre && rows !== undefined;
  const { ensemble, hasOne: hasEnsemble, isReading } = useMembersAt(sample, isEnsembleWanted);
  const runs = view.runs ? last.data : undefined;
  const { models } = useModels(sample, view.models && !isCentre);
  const under = pointed === undefined ? undefined : rows?.find((row) => row.time === pointed);
  const lines = keyValues((under ?? shown).conditions, view.u, zone.words).filter(
    ({ variable }) => !without.includes(variable),
  );
  const hasRuns = rows?.some((row) => row.time >= now) === true;
  const compareRuns: Verb = {
    icon: "lines",
    word: point.verbs.compare,
    name: compare.runs.show,
    isPressed: view.runs,
    onPress: () => changeView(view.runs ? { runs: false } : { runs: true, models: false }),
  };
  const openTable: Verb = {
    icon: "table",
    word: point.verbs.table,
    name: point.table.title,
    onPress: () => setTableOpen(true),
  };
  return (
    <>
      <div>
        <SampledTime time={(under ?? shown).time} />
        <Readings lines={lines} old={old && !under} />
      </div>
      {children}
      {error ? <ErrorMessage error={error} onRetry={retry} /> : null}
      {rows ? <DayStrip rows={rows} /> : null}
      <VerbRow verbs={[...(rows ? [openTable] : []), ...verbs, ...(hasRuns ? [compareRuns] : [])]} />
      {(interacted || view.models) && !isCentre ? (
        <ModelsSection sample={sample} meta={shown.meta} isReady={rows !== undefined} />
      ) : null}
      {hasEnsemble ? <MembersSentence ensemble={ensemble} isReading={isReading} /> : null}
      {rows ? (
        <>
          <Meteogram
            place={place}
            rows={rows}
            steps={steps}
            time={time}
            runs={runs?.runs}
            models={models}
            ensemble={ensemble}
            further={further}
            pointed={pointed}
            onPoint={setPointed}
          />
          {ensemble && !models && !runs ? <BandsNote ensemble={ensemble} /> : null}
          {rows[0] ? tide?.({ place, first: rows[0].time, time: pointed ?? time, onRow }) : null}
        </>
      ) : error ? null : (
        <div className="skeleton h-96" aria-hidden="true" />
      )}
      {view.runs && hasRuns ? (
        <div aria-live="polite">
          {last.isPending ? <p className="text-muted text-sm">{compare.runs.reading}</p> : null}
          {last.error ? <ErrorMessage error={last.error} onRetry={() => void last.refetch()} /> : null}
          {runs ? <RunsSection last={runs} time={time} /> : null}
        </div>
      ) : null}
      {rows && isTableOpen ? (
        <ForecastDialog
          sample={sample}
          title={title}
          rows={rows}
          steps={steps}
          further={further}
          print={print}
          onClose={() => setTableOpen(false)}
        />
      ) : null}
    </>
  );
}

const sides: readonly Side[] = ["a", "b"];

/**
 * The time of the values at the point. If two pictures are compared it names the one to which the time
 * belongs, and the other one can be selected.
 */
function SampledTime({ time }: { time: number }) {
  const zone = useZone();
  const { compare: words } = zone.words;
  const { side } = useClock("side");
  const text = formatTime(time, undefined, zone);
  if (!side)
    return (
      <p className="text-muted text-sm tabular-nums" data-testid="values-time">
        {text}
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <p className="text-muted text-sm tabular-nums">{words.of({ side: side.sampled, text })}</p>
      <fieldset className="flex gap-1" aria-label={words.title}>
        {sides.map((name) => (
          <button
            key={name}
            type="button"
            className="toggle max-md:min-w-11"
            aria-label={words.where[name]}
            aria-pressed={name === side.sampled}
            onClick={() => side.choose(name)}
          >
            {words.side[name]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** The main values, each with its direction as on the map: the wind in large type, the others in a line each. */
export function Readings({ lines, old }: { lines: readonly KeyValue[]; old: boolean }) {
  return (
    <dl className={`readings ${old ? "old-values" : ""}`}>
      {lines.map(({ variable, name, value, number, details, towards }) => {
        const isLarge = variable === "wind" && number !== undefined;
        const glyph =
          towards === undefined ? null : (
            <DirectionGlyph {...svgPaths(glyphOf(variable, 1))} towards={towards} isLarge={isLarge} />
          );
        return (
          <div key={name} className={isLarge ? "large" : undefined}>
            <dt>{name}</dt>
            <dd>
              {isLarge ? glyph : null}
              <strong>{isLarge ? largeNumber(value, number) : value}</strong>
              {isLarge ? null : glyph}
              {details.map((text) => (
                <span key={text}>{text}</span>
              ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** A value whose number stands out from its unit, wherever the language writes it. */
function largeNumber(value: string, number: string): ReactNode {
  const [before = "", after = ""] = value.split(number);
  return (
    <>
      {before ? <small>{before}</small> : null}
      {number}
      {after ? <small>{after}</small> : null}
    </>
  );
}
