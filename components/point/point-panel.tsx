import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { rateLimitSeconds } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Countdown, ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import type { Side } from "#components/view-state/compared.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import { positionText } from "#lib/position.ts";
import { ConditionList } from "./condition-list.tsx";
import { type FirstNumber, useFirstNumber } from "./first-number.ts";
import { FirstNumberSlot } from "./first-number-slot.tsx";
import { keyValues, landInModel, seaLayers } from "./format-conditions.ts";
import { type OnLand, shoreQuery } from "./nearest-sea.ts";
import { OldConditions } from "./old-conditions.tsx";
import { curlCommand, type PointSample } from "./point-queries.ts";
import { PointSeries } from "./point-series.tsx";
import { ShoreNotice } from "./shore-notice.tsx";
import { useConditions } from "./use-conditions.ts";
import { usePointSample } from "./use-point-sample.ts";

const sides: readonly Side[] = ["a", "b"];

/** The time of the values at the point. Where two pictures are compared it names the one that the time is of, and the other one can be chosen. */
function SampledTime({ time }: { time: number }) {
  const { zone } = useView();
  const { compare: words } = zone.words;
  const { side } = useClock();
  const text = formatTime(time, undefined, zone);
  if (!side) return <p className="text-muted text-sm tabular-nums">{text}</p>;
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

interface Props {
  /** The map does not know its time yet, and will. */
  waiting: boolean;
  /** Loads the map's own coast. */
  loadLand(): Promise<OnLand>;
  /** What can be done with the values besides. */
  actions?: ReactNode;
}

/** Conditions at the sampled point, or how to choose one. */
export function PointPanel({ waiting, ...rest }: Props) {
  const sample = usePointSample();
  const key = useApiKey();
  const { point } = useWords();
  const { view } = useView();
  const first = useFirstNumber(sample);
  if (sample) return <Conditions sample={sample} first={first} {...rest} />;
  if (view.p && key && waiting && !first) return <p role="status">{point.reading}</p>;
  return <FirstNumberSlot part="panel" first={first} hint={point.choose} />;
}

type ConditionsProps = { sample: PointSample; first: FirstNumber | undefined } & Pick<
  Props,
  "loadLand" | "actions"
>;

function Conditions({ sample, first, loadLand, actions }: ConditionsProps) {
  const { view, changeView, zone } = useView();
  const { words } = zone;
  const { access, point, ui } = words;
  const { side } = useClock();
  const state = useConditions(sample);
  const { shown, old, error, failureReason, retry, series } = state;
  const position = positionText(sample.place.latitude, sample.place.longitude);
  const lines = shown ? keyValues(shown.conditions, view.u, words) : [];
  const limitSeconds = rateLimitSeconds(failureReason);
  const isPending = !error && (!shown || old);
  const missing = landInModel(shown?.meta);
  const shore = useQuery({ ...shoreQuery(sample, missing, loadLand), enabled: missing.length > 0 });
  const ashore = shore.data?.onLand === true && missing.length === seaLayers.length;
  if (!shown && !error && first && limitSeconds === undefined)
    return <FirstNumberSlot part="panel" first={first} hint={point.choose} />;
  return (
    <section aria-label={point.title}>
      <div className="flex items-start justify-between gap-2">
        <div>
          <h2 data-opened className="font-semibold tabular-nums">
            {position}
          </h2>
          <SampledTime time={shown?.time ?? sample.time} />
        </div>
        <button
          type="button"
          className="button plain"
          aria-label={point.forget}
          onClick={() => changeView({ p: null }, "push")}
        >
          <Icon name="close" />
        </button>
      </div>
      <p className="sr-only" aria-live="polite">
        {shown && !old
          ? point.heading({
              of: side ? words.compare.of({ side: side.sampled, text: position }) : position,
              sentences: lines.map(({ spoken }) => spoken).join(ui.joins.sentences),
            })
          : ""}
      </p>
      <div className="mt-3 space-y-4">
        {isPending && !shown && limitSeconds === undefined ? <p role="status">{point.reading}</p> : null}
        {isPending && limitSeconds !== undefined ? (
          <div role="status">
            <p>{access.faults.limited}</p>
            <Countdown seconds={limitSeconds} />
          </div>
        ) : null}
        {error ? <ErrorMessage error={error} onRetry={retry} /> : null}
        {shown ? <OldConditions {...state} shown={shown} time={sample.time} /> : null}
        {missing.length > 0 && (ashore || shore.data?.onLand !== true) ? (
          <ShoreNotice sample={sample} shore={shore.data} searching={shore.isPending} />
        ) : null}
        {shown ? (
          <>
            <dl
              className={`grid grid-cols-[minmax(4rem,auto)_1fr] gap-x-3 gap-y-1 ${old ? "old-values" : ""}`}
            >
              {lines.map(({ name, text }) => (
                <div key={name} className="contents">
                  <dt className="text-muted text-sm leading-6">{name}</dt>
                  <dd className="text-pretty font-medium leading-6">{text}</dd>
                </div>
              ))}
            </dl>
            <PointSeries series={series} sample={sample} />
            <div className="flex flex-wrap items-start gap-2">
              <CopyRequest place={sample.place} time={shown.time} />
              {actions}
            </div>
            <details open>
              <summary className="min-h-8 cursor-pointer content-center text-sm">{point.allValues}</summary>
              <div className={old ? "old-values" : ""}>
                <ConditionList
                  conditions={shown.conditions}
                  meta={shown.meta}
                  units={view.u}
                  ashore={ashore}
                />
              </div>
            </details>
          </>
        ) : null}
      </div>
    </section>
  );
}

/** Copies the request of the values as a command. @param time Unix seconds. */
function CopyRequest({ place, time }: { place: Place; time: number }) {
  const { point } = useWords();
  return (
    <CopyButton text={() => curlCommand(window.location.origin, place, time)}>{point.copyAsCurl}</CopyButton>
  );
}
