import { nearestSample } from "#components/ui/chart.ts";
import { DirectionGlyph } from "#components/ui/direction-glyph.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatLength, formatZonedTime } from "#components/view-state/format-time.ts";
import { type Theme, tintOf } from "#components/view-state/map-colours.ts";
import { layerName, readingOf } from "#components/view-state/overlays.ts";
import { useChangeView, useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { inSentence } from "#lib/messages/words.ts";
import { svgPaths } from "#lib/symbols/symbols.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { numberIn, type Units, unitFor } from "#lib/units.ts";
import { conditionsAt, type TimedConditions } from "./conditions-at.ts";
import { goesTo, nullReason } from "./format-conditions.ts";
import { glyphOf, modelDashes } from "./meteogram.tsx";
import type { ModelSeries } from "./model-queries.ts";
import { momentText } from "./outlook.ts";
import type { PointSample } from "./point-queries.ts";

/** The quantities of the table; the wind has its gusts beside it. */
const columns = ["wind", "wave", "pressure", "rain"] as const satisfies readonly DrawnVariable[];

type Column = (typeof columns)[number];

/** Sign of a value that is not known. */
const ABSENT = "—";

interface Props {
  models: readonly ModelSeries[];
  sample: PointSample;
  /** Meta of the values that the panel shows. */
  meta: PointMeta | undefined;
}

/** The values of each model at the hour of the map. A pressed model is shown by the whole page. */
export function ModelsTable({ models, sample, meta }: Props) {
  const view = useView("u", "model");
  const changeView = useChangeView();
  const theme = useShownTheme() ?? "light";
  const zone = useZone("models");
  const { now } = useClock("now");
  const { words } = zone;
  const times = models[0]?.rows.map((row) => row.time) ?? [];
  const time = times[nearestSample(times, sample.time)];
  if (time === undefined || Math.abs(time - sample.time) > HOUR_S)
    return <p className="text-muted">{words.models.past}</p>;
  const shown = shownModel(models, view.model, meta);
  return (
    <>
      <table className="series w-full text-right text-[0.8125rem] tabular-nums leading-5">
        <caption className=" text-left text-muted text-xs">{formatZonedTime(time, zone)}</caption>
        <thead className="text-muted text-xs">
          <tr>
            <th scope="col" className="text-left font-normal">
              {words.models.model}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="font-normal">
                {layerName(name, words)}
                <span className="block">{unitOf(name, view.u, zone).symbol}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((model, index) => (
            <ModelRow
              key={model.name}
              model={model}
              dashes={modelDashes(index)}
              time={time}
              now={now}
              units={view.u}
              theme={theme}
              zone={zone}
              isShown={model.name === shown}
              onChoose={() => changeView({ model: model.name })}
            />
          ))}
        </tbody>
      </table>
      {view.model === null ? null : (
        <button type="button" className="toggle mt-1" onClick={() => changeView({ model: null })}>
          {words.screen.model.best}
        </button>
      )}
    </>
  );
}

/**
 * The model whose values the page shows: the chosen one, or else the one whose run answered the wind.
 *
 * @param chosen Name of the chosen model; null for the best of each variable.
 * @param meta Meta of the shown values.
 */
export function shownModel(
  models: readonly ModelSeries[],
  chosen: string | null,
  meta: PointMeta | undefined,
): string | undefined {
  if (chosen !== null) return chosen;
  const runs = new Set(runsOf(meta));
  return models.find(({ reply }) => runsOf(reply.meta).some((run) => runs.has(run)))?.name;
}

const runsOf = (meta: PointMeta | undefined) =>
  (meta?.provenance ?? []).filter(({ variable }) => variable === "wind").map(({ run }) => run);

interface RowProps {
  model: ModelSeries;
  /** Those of its line in the chart. */
  dashes: string;
  /** Hour of the row, and weather clock, Unix seconds. */
  time: number;
  now: number;
  units: Units;
  theme: Theme;
  zone: Zone<"models">;
  /** The page shows this model. */
  isShown: boolean;
  onChoose(): void;
}

function ModelRow({ model, dashes, time, now, units, theme, zone, isShown, onChoose }: RowProps) {
  const { words } = zone;
  const at = conditionsAt(model.reply, time);
  const run = at && runText(at, now, zone);
  const absent = absentText(model, time, now, zone);
  return (
    <tr className={isShown ? "shown" : ""} data-model={model.name}>
      <th scope="row" className="text-left font-normal">
        <button
          type="button"
          aria-pressed={isShown}
          className={`block min-h-6 w-full text-left hover:underline ${isShown ? "font-semibold" : ""}`}
          onClick={onChoose}
        >
          {model.title}
          {/* The line by which the chart shows the model. */}
          <svg viewBox="0 0 56 6" className="meteogram-picture my-0.5 block h-1.5 w-14" aria-hidden="true">
            {isShown ? (
              <path d="M0 3h56" className="chart-line" />
            ) : (
              <path d="M0 3h56" className="chart-line other" strokeDasharray={dashes} />
            )}
          </svg>
          {run ? (
            <span
              className={`block text-muted text-[0.6875rem] leading-4 ${run.isOld ? "font-semibold" : "font-normal"}`}
            >
              {run.text}
            </span>
          ) : null}
        </button>
        {absent ? <span className="block text-muted text-[0.6875rem] leading-4">{absent}</span> : null}
      </th>
      {columns.map((name) => {
        const value = at?.conditions[paintedOutput(name).point];
        if (typeof value !== "number") return <td key={name}>{ABSENT}</td>;
        const unit = unitOf(name, units, zone);
        const tint = name === "pressure" ? undefined : tintOf(name, value, theme);
        const text = numberIn(value, unit);
        if (name !== "wind" && name !== "wave")
          return (
            <td key={name} style={tint}>
              {text}
            </td>
          );
        const towards = goesTo(name, at?.conditions ?? {});
        const gust = at?.conditions.Gust_10m;
        return (
          <td key={name} style={tint} className="whitespace-nowrap">
            {towards === undefined ? null : (
              <DirectionGlyph {...svgPaths(glyphOf(name, 1))} towards={towards} />
            )}
            {name === "wind" ? <strong>{text}</strong> : text}
            {name === "wind" && typeof gust === "number" ? (
              <small>
                <span className="sr-only">{words.catalog.mentions.gust}</span> G{numberIn(gust, unit)}
              </small>
            ) : null}
          </td>
        );
      })}
    </tr>
  );
}

const unitOf = (name: Column, units: Units, { words }: Zone) =>
  unitFor(paintedOutput(name).unit, units, readingOf(name), words);

/** The run of the wind, or else of what the model has, with its age now: `Thu 06:00 UTC, 9 h old`. */
function runText({ meta }: TimedConditions, now: number, zone: Zone<"models">) {
  const { words } = zone;
  const provenance = meta?.provenance.filter(({ reference_time }) => reference_time !== null) ?? [];
  const run = provenance.find(({ variable }) => variable === "wind") ?? provenance[0];
  if (!run?.reference_time) return undefined;
  const base = parseInstant(run.reference_time);
  const text = words.models.run({
    run: momentText(base, now, zone),
    age: formatLength(Math.max(0, now - base), words),
  });
  return { text, isOld: run.notice !== undefined };
}

/**
 * Why a model lacks values at an hour, in few words: `lacks waves`, `ends Fri 06:00`.
 *
 * @returns undefined if it lacks none.
 */
export function absentText(
  { rows, reply }: Pick<ModelSeries, "rows" | "reply">,
  time: number,
  now: number,
  zone: Zone<"models">,
): string | undefined {
  const { models, point, ui } = zone.words;
  const at = conditionsAt(reply, time);
  const byReason = new Map<string, Column[]>();
  const add = (reason: string, name: Column) => byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  for (const name of columns) {
    const output = paintedOutput(name).point;
    if (typeof at?.conditions[output] === "number") continue;
    const known = rows.filter(({ conditions }) => typeof conditions[output] === "number");
    const [first, last] = [known[0], known.at(-1)];
    const reason = nullReason(at?.meta, name);
    if (reason && reason !== "missing" && reason !== "out_of_archive") add(point.reasons[reason], name);
    else if (!first || !last) add("", name);
    else if (time > last.time) add(models.ends({ time: momentText(last.time, now, zone) }), name);
    else if (time < first.time) add(models.begins({ time: momentText(first.time, now, zone) }), name);
    else add(point.reasons.missing, name);
  }
  if (byReason.get("")?.length === columns.length) return models.nothing;
  const named = (names: readonly Column[]) =>
    names.map((name) => layerName(name, zone.words)).join(ui.joins.list);
  return (
    [...byReason]
      .map(([reason, names]) =>
        reason === ""
          ? models.lacks(inSentence(named(names)))
          : names.length === columns.length
            ? reason
            : models.because({ names: named(names), reason }),
      )
      .join(ui.joins.clauses) || undefined
  );
}
