import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { rateLimitSeconds } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Countdown, ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import type { Side } from "#components/view-state/compared.ts";
import { formatTime, formatZonedTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { oldForecasts } from "#lib/forecast-age.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { datasetTitle, type Words } from "#lib/messages/words.ts";
import { compassLetters, formatBearing, positionText } from "#lib/position.ts";
import type { Units } from "#lib/units.ts";
import type { TimedConditions } from "./conditions-at.ts";
import { type FirstNumber, FirstNumberSlot, useEndOfFirstNumber, useFirstNumber } from "./first-number.tsx";
import {
  formatAbsent,
  formatValue,
  keyValues,
  landInModel,
  nullReason,
  peekParts,
  seaLayers,
} from "./format-conditions.ts";
import {
  curlCommand,
  type NearestSea,
  type OnLand,
  type PointSample,
  SEARCH_MILES,
  type Shore,
  shoreQuery,
} from "./point-queries.ts";
import { PointSeries } from "./point-series.tsx";
import { type ConditionsState, useConditions } from "./use-conditions.ts";

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
        <Button className="plain" aria-label={point.forget} onClick={() => changeView({ p: null }, "push")}>
          <Icon name="close" />
        </Button>
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

function CopyRequest({ place, time }: { place: Place; time: number }) {
  const { point } = useWords();
  return (
    <CopyButton text={() => curlCommand(window.location.origin, place, time)}>{point.copyAsCurl}</CopyButton>
  );
}

interface ListProps {
  /** By the names of the API. */
  conditions: Record<string, number | null | undefined>;
  meta: PointMeta | undefined;
  units: Units;
  /** The place is on land, not only in the models. */
  ashore: boolean;
}

/** Every value with its unit, or why it is missing, and the runs they come from. */
function ConditionList({ conditions, meta, units, ashore }: ListProps) {
  const words = useWords();
  const rows = variableNames.flatMap((name) =>
    variable(name).outputs.map((output) => ({ name, output, value: conditions[output.point] })),
  );
  const present = rows.filter(({ value }) => typeof value === "number");
  const absent = rows.filter(({ value }) => typeof value !== "number");
  return (
    <>
      <dl className="divide-y divide-line text-sm">
        {[...present, ...absent].map(({ name, output, value }) => (
          <div key={output.point} className="flex justify-between gap-4 py-1.5" data-field={output.point}>
            <dt className="text-muted">{words.catalog.outputs[output.point]}</dt>
            {typeof value === "number" ? (
              <dd className="text-right font-medium tabular-nums" data-value={value}>
                {formatValue(value, output, name, units, words)}
              </dd>
            ) : (
              <dd className="text-right text-muted text-xs leading-5">
                {formatAbsent(nullReason(meta, name), ashore, words)}
              </dd>
            )}
          </div>
        ))}
      </dl>
      <p className="mt-3 text-muted text-xs">{runsText(meta, words)}</p>
    </>
  );
}

/** Which forecasts are old, and the runs that answered: `GFS 0.25° (Forecast), run 2026-09-15T06:00:00Z · …`. */
export function runsText(meta: PointMeta | undefined, words: Words): string {
  const models = new Map((meta?.provenance ?? []).map((entry) => [entry.run, entry]));
  const runs = [...models.values()].map(({ model, dataset, reference_time }) =>
    words.point.run({ model, dataset: datasetTitle(dataset, words), run: reference_time ?? undefined }),
  );
  return [...oldForecasts(meta?.provenance ?? [], words), ...runs].join(" · ");
}

interface OldProps extends Pick<ConditionsState, "old" | "offline" | "readAt"> {
  shown: TimedConditions;
  time: number;
}

/** Says of which time the values are where it is not the one of the map, and how old they are without a connection. */
export function OldConditions({ shown, old, offline, readAt, time }: OldProps) {
  const { zone } = useView();
  const words = zone.words.point.old;
  if (old) {
    const sentence = offline ? words.offline : words.reading;
    const times = { shown: formatZonedTime(shown.time, zone), wanted: formatZonedTime(time, zone) };
    return <p className="old-notice">{sentence(times)}</p>;
  }
  if (offline) return <p className="old-notice">{words.readAt({ time: formatZonedTime(readAt, zone) })}</p>;
  return null;
}

interface ShoreProps {
  sample: PointSample;
  /** undefined: it is being looked for, or could not be. */
  shore: Shore | undefined;
  searching: boolean;
}

/** Why a place has no values of the sea: land, or a model that has land there; then where they are. */
function ShoreNotice({ sample, shore, searching }: ShoreProps) {
  const words = useWords();
  const { shore: text } = words.point;
  return (
    <div className="space-y-2 rounded-md border border-line p-2 text-sm">
      <p>{shore?.onLand ? text.onLand : text.landInModel}</p>
      {shore?.sea ? (
        <Nearest {...shore.sea} sample={sample} />
      ) : shore?.onLand ? null : (
        <p role="status" className="text-muted">
          {searching
            ? text.searching
            : shore
              ? text.none({ distance: formatMiles(SEARCH_MILES * MILE_KM, words, 0) })
              : text.failed}
        </p>
      )}
    </div>
  );
}

function Nearest({ sample, place, km, bearing }: NearestSea & { sample: PointSample }) {
  const { view, changeView, zone } = useView();
  const { words } = zone;
  const { point } = words;
  const { shown, old } = useConditions({ ...sample, place });
  const lines = shown ? keyValues(shown.conditions, view.u, words) : [];
  const where = point.shore.where({
    distance: formatMiles(km, words, 0),
    point: compassLetters(bearing, words),
    bearing: formatBearing(bearing),
  });
  return (
    <div data-testid="nearest-sea" className="space-y-2">
      <div className="flex items-center justify-between gap-2">
        <p>
          <Sentence of={point.shore.nearest} values={{ where: <strong>{where}</strong> }} />
        </p>
        <Button className="shrink-0 px-3" onClick={() => changeView({ p: place })}>
          {point.shore.use}
        </Button>
      </div>
      <dl className={`grid grid-cols-[minmax(4rem,auto)_1fr] gap-x-3 gap-y-1 ${old ? "old-values" : ""}`}>
        {lines
          .filter(({ variable }) => seaLayers.includes(variable))
          .map(({ name, text }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="text-pretty">{text}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

/** The sample that the panel shows; undefined where none was chosen, or until key and time of the map are known. */
export function usePointSample(): PointSample | undefined {
  const apiKey = useApiKey();
  const { p: place } = useView().view;
  const { time } = useClock();
  return apiKey && place && time !== undefined ? { apiKey, place, time } : undefined;
}

/** What matters most at the sampled point, for the low panel of a phone. */
export function PointPeek() {
  const { point } = useWords();
  const sample = usePointSample();
  const first = useFirstNumber(sample);
  if (!sample) return <FirstNumberSlot part="peek" first={first} hint={point.tap} />;
  return <Values sample={sample} first={first} />;
}

function Values({ sample, first }: { sample: PointSample; first: FirstNumber | undefined }) {
  const { view, zone } = useView();
  const { words } = zone;
  const { point, ui } = words;
  const { side } = useClock();
  const { shown, old, offline, error } = useConditions(sample);
  useEndOfFirstNumber(shown !== undefined || error !== null);
  if (!shown && !error && first) return <FirstNumberSlot part="peek" first={first} hint={point.tap} />;
  if (!shown) {
    return <p className="text-muted text-sm">{error ? point.unreadable : point.reading}</p>;
  }
  const time = formatZonedTime(shown.time, zone);
  const of = side ? words.compare.of({ side: side.sampled, text: time }) : time;
  const lines = keyValues(shown.conditions, view.u, words).map(({ spoken }) => spoken);
  return (
    <>
      <p className={`peek-line ${old ? "old-values" : ""}`} aria-hidden="true" data-testid="peek">
        {side ? <strong>{words.compare.side[side.sampled]}</strong> : null}
        {peekParts(shown.conditions, view.u, words).map(({ variable, text }) => (
          <span key={variable}>{text}</span>
        ))}
      </p>
      {old || offline ? (
        <p className="text-muted text-xs" aria-hidden="true">
          {offline ? point.old.asOfOffline({ time }) : point.old.asOf({ time })}
        </p>
      ) : null}
      <p className="sr-only">{point.heading({ of, sentences: lines.join(ui.joins.sentences) })}</p>
    </>
  );
}
