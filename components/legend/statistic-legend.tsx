import type { ReactNode } from "react";
import type { Theme } from "#components/view-state/map-colours.ts";
import { layerName, paintedUnitFor } from "#components/view-state/overlays.ts";
import { useWords } from "#components/words/words-context.ts";
import { type PaintedName, paintedScale } from "#lib/catalog/painted.ts";
import { inUnit } from "#lib/messages/number.ts";
import { numberIn, textIn, type Units } from "#lib/units.ts";
import { ColourBar, ColourStrip } from "./colour-bar.tsx";
import { LegendMenu } from "./legend-menu.tsx";
import { legendTicks } from "./ticks.ts";

interface Props {
  layer: PaintedName;
  theme: Theme | undefined;
  /** The field is drawn in grey, and so is its scale. */
  old: boolean;
  units: Units;
  /** How many members the statistic stands on; undefined if unknown. */
  members: number | undefined;
  /** Choice of the statistic. */
  choices?: ReactNode;
  /** Explanation of the symbols; absent on paper, where the legend has a title. */
  children?: ReactNode;
}

/** Colour bar of a statistic over the members of an ensemble: the share of those over a limit, or their spread. */
export function StatisticLegend({ layer, theme, old, units, members, choices, children }: Props) {
  const words = useWords("ensemble");
  const { ensemble: texts, legend } = words;
  const scale = paintedScale(layer);
  const unit = paintedUnitFor(layer, units, words);
  const name = layerName(layer, words, units);
  const { steps } = scale;
  const ticks = steps
    ? steps.map((value) => ({ value, text: numberIn(value, unit) }))
    : legendTicks(unit, scale.range);
  const [from, to] = [numberIn(scale.range[0], unit), numberIn(scale.range[1], unit)];
  const isCounted = steps !== undefined && members !== undefined;
  const title = isCounted ? texts.ofMembers({ title: name, of: members }) : name;
  const label = steps
    ? texts.shares({ title, least: textIn(steps[0] ?? 0, unit), most: inUnit(to, unit.symbol, words) })
    : legend.colours({ from, to, unit: unit.spoken });
  const colours = { scale, theme, old, ticks, label };
  return (
    <section aria-label={legend.title} className="surface legend statistic">
      {children ? (
        <>
          <div>
            <p aria-hidden="true" className="text-xs">
              {title}
            </p>
            <ColourStrip {...colours} />
          </div>
          <LegendMenu unit={unit.symbol}>
            <h2 className="font-medium text-sm">{title}</h2>
            {choices}
            <p className="text-muted text-xs">{texts.caution}</p>
            {children}
          </LegendMenu>
        </>
      ) : (
        <>
          <h2 className="font-medium text-sm">{title}</h2>
          <ColourBar {...colours} />
          <p className="text-xs">{texts.caution}</p>
        </>
      )}
    </section>
  );
}
