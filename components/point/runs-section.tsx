import { fromKnots } from "@open-metocean/geo/knots";
import { useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { utc, type Zone } from "#components/view-state/civil.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { layerName, layers, paintedTitle, readingOf } from "#components/view-state/overlays.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { numberIn, textIn, type Units, unitFor } from "#lib/units.ts";
import { ASKED_RUNS, type LastRuns, type RunSeries } from "./point-queries.ts";

interface Props {
  last: LastRuns;
  /** Time of the map, Unix seconds. */
  time: number;
}

/** How well the last runs agree, in words and in numbers. */
export function RunsSection({ last: { runs, isSynthetic }, time }: Props) {
  const view = useView("u");
  const zone = useZone();
  const { runs: words } = zone.words.compare;
  const compared = layers.first.filter((layer) => spreadOf(runs, layer));
  const [wanted, setWanted] = useState<DrawnVariable>();
  const layer = wanted ?? compared[0];
  if (runs.length === 0) return <p className="text-sm">{words.none}</p>;
  if (runs.length === 1 || !layer) return <p className="text-sm">{words.only}</p>;
  return (
    <div className="space-y-1 text-sm" data-testid="runs">
      {compared.map((name) => (
        <p key={name}>{spreadText(runs, name, view.u, zone)}</p>
      ))}
      <p className="text-muted text-xs">
        {words.lines}
        {isSynthetic ? ` ${words.invented}` : null}
        {runs.length < ASKED_RUNS ? ` ${words.fewer({ found: runs.length, asked: ASKED_RUNS })}` : null}
      </p>
      <details>
        <summary className="min-h-8 cursor-pointer content-center">{words.numbers}</summary>
        <Choice<DrawnVariable>
          title={words.quantity}
          options={compared.map((name) => [name, layerName(name, zone.words)] as const)}
          value={layer}
          onChange={setWanted}
          quiet
        />
        <RunsTable runs={runs} layer={layer} time={time} />
      </details>
    </div>
  );
}

function RunsTable({ runs, layer, time }: { runs: LastRuns["runs"]; layer: DrawnVariable; time: number }) {
  const view = useView("u");
  const zone = useZone();
  const { words } = zone;
  const { runs: texts } = words.compare;
  const { point, unit: answered } = paintedOutput(layer);
  const unit = unitFor(answered, view.u, readingOf(layer), words);
  const byTime = runs.map(({ rows }) => new Map(rows.map((row) => [row.time, row.conditions[point]])));
  const times = (runs[0]?.rows ?? [])
    .map((row) => row.time)
    .filter((at) => byTime.some((values) => typeof values.get(at) === "number"));
  return (
    // Five runs do not fit on a phone, so the table scrolls sideways, also by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className="mt-1 overflow-x-auto" tabIndex={0}>
      <table className="series w-full text-right text-xs tabular-nums">
        <caption className="text-left text-muted">
          {texts.caption({ title: `${paintedTitle(layer, words)}, ${unit.symbol}` })}
        </caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className="text-left">
              {texts.time}
            </th>
            {runs.map(({ run }, index) => {
              const base = formatShortTime(run, { ...utc, words });
              return (
                <th key={run} scope="col">
                  {index === 0 ? texts.newest({ run: base }) : base}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {times.map((at) => (
            <tr key={at} className={at === time ? "shown" : ""}>
              <th scope="row" className="whitespace-nowrap text-left font-normal">
                {formatShortTime(at, zone)}
              </th>
              {byTime.map((values, index) => {
                const value = values.get(at);
                return (
                  <td key={runs[index]?.run}>{typeof value === "number" ? numberIn(value, unit) : "—"}</td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How well runs agree about a quantity, as a sentence; undefined if fewer than two have it. */
export function spreadText(
  runs: readonly RunSeries[],
  layer: DrawnVariable,
  units: Units,
  zone: Zone,
): string | undefined {
  const spread = spreadOf(runs, layer);
  if (!spread) return undefined;
  const { runs: words } = zone.words.compare;
  const { count, until, isWhole } = spread;
  const name = layerName(layer, zone.words);
  if (spread.most === 0) return words.same({ name, count });
  const within = differenceText(spread.within, layer, units, zone.words);
  if (isWhole) return words.agree({ name, count, within });
  const most = differenceText(spread.most, layer, units, zone.words);
  const at = formatShortTime(spread.at, zone);
  return until === undefined
    ? words.differ({ name, count, most, at })
    : words.until({ name, count, within, until: formatShortTime(until, zone), most, at });
}

/** A difference, rounded up, so that it is never understated. */
function differenceText(value: number, layer: DrawnVariable, units: Units, words: Words): string {
  // Steps of Beaufort are not equal, so a difference cannot be stated in it.
  const chosen = units.speed === "Bft" ? { ...units, speed: "kn" as const } : units;
  const unit = unitFor(paintedOutput(layer).unit, chosen, readingOf(layer), words);
  const step = 10 ** -unit.decimals / (unit.to(1) - unit.to(0));
  return textIn(Math.ceil(value / step - 1e-6) * step, unit);
}

/** Largest difference at which runs count as agreeing, in the unit of the API; it does not change plans. */
const tolerances: Partial<Record<DrawnVariable, number>> = {
  wind: fromKnots(3),
  wave: 0.5,
  current: fromKnots(0.3),
};

/** How well runs agree. Differences are in the unit of the API, times in Unix seconds. */
interface Spread {
  /** Number of runs that have the quantity. */
  count: number;
  /** The largest difference between two of them, and its time. */
  most: number;
  at: number;
  /**
   * They agree until this time, or until the end if they always do; undefined if they disagree from the
   * start.
   */
  until: number | undefined;
  /** The largest difference until then. */
  within: number;
  isWhole: boolean;
}

/**
 * How well runs agree about a quantity, at the times that at least two of them have.
 *
 * @returns undefined if fewer than two runs have it.
 */
export function spreadOf(runs: readonly RunSeries[], name: DrawnVariable): Spread | undefined {
  const tolerance = tolerances[name];
  const { point } = paintedOutput(name);
  const values = new Map<number, number[]>();
  let count = 0;
  for (const { rows } of runs) {
    let has = false;
    for (const { time, conditions } of rows) {
      const value = conditions[point];
      if (typeof value !== "number") continue;
      has = true;
      const known = values.get(time);
      if (known) known.push(value);
      else values.set(time, [value]);
    }
    if (has) count++;
  }
  const differences = [...values]
    .filter(([, known]) => known.length > 1)
    .map(([time, known]) => ({ time, difference: Math.max(...known) - Math.min(...known) }))
    .sort((one, other) => one.time - other.time);
  const [first] = differences;
  if (!first || tolerance === undefined) return undefined;
  const most = differences.reduce((one, other) => (other.difference > one.difference ? other : one), first);
  const parted = differences.findIndex(({ difference }) => difference > tolerance);
  const agreed = parted < 0 ? differences : differences.slice(0, parted);
  return {
    count,
    most: most.difference,
    at: most.time,
    until: agreed.at(-1)?.time,
    within: Math.max(0, ...agreed.map(({ difference }) => difference)),
    isWhole: parted < 0,
  };
}
