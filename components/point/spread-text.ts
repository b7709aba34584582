import type { Zone } from "#components/view-state/civil.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { layerName, readingOf } from "#components/view-state/overlays.ts";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { textIn, type Units, unitFor } from "#lib/units.ts";
import { type RunSeries, spreadOf } from "./run-spread.ts";

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
