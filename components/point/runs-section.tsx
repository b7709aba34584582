import { useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { utc, type Zone } from "#components/view-state/civil.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { layerName, layers, paintedTitle, readingOf } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { HOUR_S } from "#lib/time.ts";
import { numberIn, textIn, type Units, unitFor } from "#lib/units.ts";
import { type RunSeries, spreadOf } from "./run-spread.ts";
import { ASKED_RUNS, type LastRuns } from "./runs-query.ts";

interface Props {
  last: LastRuns;
  /** Time of the map, Unix seconds. */
  time: number;
}

/** How far the last runs agree, in words and in numbers. */
export function RunsSection({ last: { runs, isSynthetic }, time }: Props) {
  const { view, zone } = useView();
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
  const { view, zone } = useView();
  const { words } = zone;
  const { runs: texts } = words.compare;
  const { point, unit: answered } = paintedOutput(layer);
  const unit = unitFor(answered, view.u, readingOf(layer), words);
  const byTime = runs.map(({ rows }) => new Map(rows.map((row) => [row.time, row.conditions[point]])));
  const times = (runs[0]?.rows ?? [])
    .map((row) => row.time)
    .filter((at) => at % (3 * HOUR_S) === 0 && byTime.some((values) => typeof values.get(at) === "number"));
  return (
    // Five runs do not fit a phone: the table scrolls sideways, by keyboard too.
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

/** How far runs agree about a quantity, in a sentence; undefined where fewer than two have it. */
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

/** A difference, rounded up: numbers never differ by more than is said. */
function differenceText(value: number, layer: DrawnVariable, units: Units, words: Words): string {
  // Steps of Beaufort are not equal: a difference has no number in it.
  const chosen = units.speed === "Bft" ? { ...units, speed: "kn" as const } : units;
  const unit = unitFor(paintedOutput(layer).unit, chosen, readingOf(layer), words);
  const step = 10 ** -unit.decimals / (unit.to(1) - unit.to(0));
  return textIn(Math.ceil(value / step - 1e-6) * step, unit);
}
