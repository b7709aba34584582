import { MILE_KM } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, memo, useMemo } from "react";
import { rateLimitSeconds } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { Button } from "#components/ui/button.tsx";
import { Countdown, ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatZonedTime } from "#components/view-state/format-time.ts";
import { mapColour } from "#components/view-state/map-colours.ts";
import { useLimits } from "#components/view-state/plan.ts";
import { useNameOf } from "#components/view-state/saved-places.ts";
import { useChangeView, useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { Sentence } from "#components/words/sentence.tsx";
import { wholeValues } from "#components/words/whole-values.ts";
import { useWords } from "#components/words/words-context.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { oldForecasts } from "#lib/forecast-age.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { datasetTitle, type Words } from "#lib/messages/words.ts";
import { compassLetters, formatBearing, positionText } from "#lib/position.ts";
import type { Units } from "#lib/units.ts";
import type { TimedConditions } from "./conditions-at.ts";
import {
  formatAbsent,
  formatValue,
  keyValues,
  landInModel,
  nullReason,
  peekParts,
  seaLayers,
} from "./format-conditions.ts";
import { outlookOf } from "./outlook.ts";
import { PointHead, type PointHeadProps } from "./point-head.tsx";
import {
  type LoadLand,
  type NearestSea,
  type PointSample,
  SEARCH_MILES,
  type SeriesRow,
  type Shore,
  shoreQuery,
} from "./point-queries.ts";
import { PointSeries, Readings, type TideRow } from "./point-series.tsx";
import { type ConditionsState, useConditions } from "./use-conditions.ts";
import type { Verb } from "./verb-row.tsx";

interface Props extends Pick<PointHeadProps, "near" | "actions" | "onPlace"> {
  /** Further actions, each an icon with a word. */
  verbs?: readonly Verb[];
  /** Prints the page; undefined while printing. */
  print?: (() => void) | undefined;
  /** The map does not know its time yet but will. */
  waiting: boolean;
  loadLand: LoadLand;
  tide?: TideRow | undefined;
  /** Centre of the map, whose coming days are shown while no point is sampled. */
  centre?: Place | undefined;
}

/** Conditions at the sampled point, or instructions to choose one with the coming days at the centre of the map. */
export function PointPanel({ waiting, centre, ...rest }: Props) {
  const sample = usePointSample();
  const middle = useSampleAt(centre);
  const key = useApiKey();
  const { point } = useWords();
  const view = useView("p");
  if (sample) return <Conditions sample={sample} {...rest} />;
  if (view.p && key && waiting) return <p role="status">{point.reading}</p>;
  if (middle) return <Conditions sample={middle} isCentre {...rest} />;
  return <p className="text-muted text-sm">{point.choose}</p>;
}

interface ConditionsProps extends Omit<Props, "waiting" | "centre"> {
  sample: PointSample;
  /** The place was not chosen, so it has no actions, and no sea is searched for around it. */
  isCentre?: boolean;
}

function Conditions({
  sample,
  isCentre = false,
  loadLand,
  tide,
  verbs = [],
  print,
  ...head
}: ConditionsProps) {
  const view = useView("u");
  const zone = useZone();
  const { words } = zone;
  const { access, point, ui } = words;
  const { side } = useClock("side");
  const state = useConditions(sample);
  const { shown, old, offline, error, failureReason, retry, series } = state;
  const { name } = useNameOf(sample.place);
  const position = positionText(sample.place.latitude, sample.place.longitude);
  const lines = shown ? keyValues(shown.conditions, view.u, words) : [];
  const limitSeconds = rateLimitSeconds(failureReason);
  const isPending = !error && (!shown || old);
  const missing = landInModel(shown?.meta);
  const shore = useQuery({
    ...shoreQuery(sample, missing, loadLand),
    // Old values may be those of another model, which has land elsewhere.
    enabled: missing.length > 0 && !isCentre && !old,
  });
  const ashore = shore.data?.onLand === true && missing.length === seaLayers.length;
  const isBeside = missing.length > 0 && (ashore || shore.data?.onLand !== true);
  const { rows } = series;
  return (
    <section aria-label={point.title}>
      {isCentre ? <CentreHead position={position} /> : <PointHead {...head} sample={sample} />}
      <p className="sr-only" aria-live="polite">
        {shown && !old && !isCentre
          ? point.heading({
              of: side ? words.compare.of({ side: side.sampled, text: position }) : position,
              sentences: lines.map(({ spoken }) => spoken).join(ui.joins.sentences),
            })
          : ""}
      </p>
      <OutlookLine rows={rows} />
      <div className="space-y-2">
        {isPending && !shown && limitSeconds === undefined ? <p role="status">{point.reading}</p> : null}
        {isPending && limitSeconds !== undefined ? (
          <div role="status">
            <p>{access.faults.limited}</p>
            <Countdown seconds={limitSeconds} />
          </div>
        ) : null}
        {error ? <ErrorMessage error={error} onRetry={retry} /> : null}
        {error && offline && !shown ? <p className="text-sm">{point.notSaved}</p> : null}
        {shown ? <OldConditions {...state} shown={shown} time={sample.time} /> : null}
        {shown ? (
          <>
            <PointSeries
              series={series}
              sample={sample}
              shown={shown}
              old={old}
              isCentre={isCentre}
              without={isBeside ? missing : []}
              tide={tide}
              verbs={verbs}
              title={name ?? head.near}
              print={print}
            >
              {isBeside && isCentre ? <p className="text-sm">{point.shore.landInModel}</p> : null}
              {isBeside && !isCentre ? (
                <ShoreNotice sample={sample} shore={shore.data} searching={shore.isPending} />
              ) : null}
            </PointSeries>
            <details>
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

/** Names the centre of the map, and says how to choose another place. */
function CentreHead({ position }: { position: string }) {
  const { point } = useWords();
  return (
    <>
      <h2 data-opened className="font-semibold text-xl leading-7">
        {point.centre}
      </h2>
      <p className="place-line">{position}</p>
      <p className="mb-3 text-muted text-sm">{point.another}</p>
    </>
  );
}

/** The weather of the next days in words, beside the colour of its strongest wind. */
const OutlookLine = memo(function OutlookLine({ rows }: { rows: readonly SeriesRow[] | undefined }) {
  const view = useView("u");
  const theme = useShownTheme() ?? "light";
  const zone = useZone();
  const { now } = useClock("now");
  const limits = useLimits();
  const outlook = rows && outlookOf(rows, { now, units: view.u, zone, limits });
  const bar = (wind: number) => ({ "--bar": mapColour("wind", wind, theme) }) as CSSProperties;
  return (
    <div className="outlook" aria-live="polite">
      {outlook ? (
        <>
          <p style={bar(outlook.peak)}>
            <strong>{wholeValues(outlook.trend, zone.words)}</strong>{" "}
            {wholeValues(outlook.highest, zone.words)} {outlook.limits}
          </p>
          {outlook.later && outlook.laterPeak !== undefined ? (
            <p style={bar(outlook.laterPeak)}>{wholeValues(outlook.later, zone.words)}</p>
          ) : null}
        </>
      ) : null}
    </div>
  );
});

interface ListProps {
  /** Values by the names of the API. */
  conditions: Record<string, number | null | undefined>;
  meta: PointMeta | undefined;
  units: Units;
  /** The place really is on land, not only in the models. */
  ashore: boolean;
}

/** Every value with its unit, or the reason why it is missing, and the runs they come from. */
const ConditionList = memo(function ConditionList({ conditions, meta, units, ashore }: ListProps) {
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
      {typeof conditions.Bathymetry === "number" ? (
        <p className="mt-3 text-muted text-xs">{words.point.coarseDepth}</p>
      ) : null}
      <p className="mt-3 text-muted text-xs">{runsText(meta, words)}</p>
    </>
  );
});

/**
 * States which forecasts are old, and the runs that answered: `GFS 0.25° (Forecast), run 2026-09-15T06:00:00Z
 * · …`.
 */
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

/** States the time of the values if it is not that of the map, and their age without a connection. */
export function OldConditions({ shown, old, offline, readAt, time }: OldProps) {
  const zone = useZone();
  const words = zone.words.point.old;
  if (old) {
    // Values of another model are only marked, because they are replaced at once.
    if (shown.time === time && !offline) return null;
    const sentence = offline ? words.offline : words.reading;
    const times = { shown: formatZonedTime(shown.time, zone), wanted: formatZonedTime(time, zone) };
    return <p className="old-notice">{sentence(times)}</p>;
  }
  if (offline) return <p className="old-notice">{words.readAt({ time: formatZonedTime(readAt, zone) })}</p>;
  return null;
}

interface ShoreProps {
  sample: PointSample;
  /** undefined while it is being searched, or if the search failed. */
  shore: Shore | undefined;
  searching: boolean;
}

/**
 * Why a place has no sea values (it is land, or a model has land there), and the nearest place that has them.
 */
function ShoreNotice({ sample, shore, searching }: ShoreProps) {
  const words = useWords();
  const { shore: text } = words.point;
  return (
    <div className="border-l-3 border-l-line pl-2 text-sm">
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
  const view = useView("u");
  const changeView = useChangeView();
  const zone = useZone();
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
    <div data-testid="nearest-sea">
      <div className="flex items-center justify-between gap-2">
        <p>
          <Sentence message={point.shore.nearest} values={{ where: <strong>{where}</strong> }} />
        </p>
        <Button className="shrink-0 px-3" onClick={() => changeView({ p: place })}>
          {point.shore.use}
        </Button>
      </div>
      <Readings lines={lines.filter(({ variable }) => seaLayers.includes(variable))} old={old} />
    </div>
  );
}

/**
 * The sample that the panel shows; undefined if none was chosen, or until the key and the map's time are
 * known.
 */
export function usePointSample(): PointSample | undefined {
  const { p: place } = useView("p");
  return useSampleAt(place ?? undefined);
}

function useSampleAt(place: Place | undefined): PointSample | undefined {
  const apiKey = useApiKey();
  const { time } = useClock("time");
  const { model } = useView("model");
  return useMemo(
    () =>
      apiKey && place && time !== undefined
        ? { apiKey, place, time, ...(model !== null && { model }) }
        : undefined,
    [apiKey, place, time, model],
  );
}

/** The most important values at the sampled point, for the low panel of a phone. */
export function PointPeek() {
  const { point } = useWords();
  const sample = usePointSample();
  if (!sample) return <p className="text-muted text-sm">{point.tap}</p>;
  return <Values sample={sample} />;
}

function Values({ sample }: { sample: PointSample }) {
  const view = useView("u");
  const zone = useZone();
  const { words } = zone;
  const { point, ui } = words;
  const { side } = useClock("side");
  const { shown, old, offline, error } = useConditions(sample);
  const { name } = useNameOf(sample.place);
  if (!shown) {
    return <p className="text-muted text-sm">{error ? point.unreadable : point.reading}</p>;
  }
  const time = formatZonedTime(shown.time, zone);
  const of = side ? words.compare.of({ side: side.sampled, text: time }) : time;
  const { asOf, asOfOffline } = point.old;
  const standing = offline ? asOfOffline({ time }) : old ? asOf({ time }) : time;
  const lines = keyValues(shown.conditions, view.u, words).map(({ spoken }) => spoken);
  const { latitude, longitude } = sample.place;
  return (
    <>
      <p className="peek-place" aria-hidden="true">
        {name ?? positionText(latitude, longitude)} · {standing}
      </p>
      <p className={`peek-line ${old ? "old-values" : ""}`} aria-hidden="true" data-testid="peek">
        {side ? <strong>{words.compare.side[side.sampled]}</strong> : null}
        {peekParts(shown.conditions, view.u, words).map(({ variable, text }) => (
          <span key={variable}>{text}</span>
        ))}
      </p>
      <p className="sr-only">{point.heading({ of, sentences: lines.join(ui.joins.sentences) })}</p>
    </>
  );
}
