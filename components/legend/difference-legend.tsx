import type { ReactNode } from "react";
import type { Theme } from "#components/view-state/map-colours.ts";
import { paintedTitle, readingOf } from "#components/view-state/overlays.ts";
import { useWords } from "#components/words/words-context.ts";
import { type DrawnVariable, differenceScale, paintedOutput } from "#lib/catalog/colours.ts";
import { differenceUnit, numberIn, type Units } from "#lib/units.ts";
import { ColourBar, ColourStrip } from "./colour-bar.tsx";
import { LegendMenu } from "./legend-menu.tsx";
import { legendTicks } from "./ticks.ts";

interface Props {
  layer: DrawnVariable;
  theme: Theme | undefined;
  units: Units;
  /** Explanation of the symbols; absent on paper, where the legend has a title. */
  children?: ReactNode;
}

/** Colour bar of the difference of two fields of a layer, B minus A, with its ends in words: "less wind … more wind". */
export function DifferenceLegend({ layer, theme, units, children }: Props) {
  const words = useWords("difference");
  const { difference: texts, legend } = words;
  const scale = differenceScale(layer);
  const unit = differenceUnit(paintedOutput(layer).unit, units, readingOf(layer), words);
  const ticks = legendTicks(unit, scale.range).map((tick) =>
    tick.value > 0 ? { ...tick, text: `+${tick.text}` } : tick,
  );
  const [less, more] = [texts.less({ layer }), texts.more({ layer })];
  const [from, to] = scale.range.map((value) => numberIn(value, unit)) as [string, string];
  const label = texts.colours({ from, to: `+${to}`, unit: unit.spoken, less, more });
  const colours = { scale, theme, old: false, ticks, label };
  const heading = (
    <h2 className="font-medium text-sm">
      {texts.title({ title: paintedTitle(layer, words) })}
      <span className="text-muted">{legend.inUnit({ unit: unit.symbol })}</span>
    </h2>
  );
  const ends = (
    <p aria-hidden="true" className="flex justify-between gap-4 text-xs">
      <span>{less}</span>
      <span>{more}</span>
    </p>
  );
  return (
    <section aria-label={texts.legend} className="surface legend difference">
      {children ? (
        <>
          <div>
            {ends}
            <ColourStrip {...colours} />
          </div>
          <LegendMenu unit={unit.symbol}>
            {heading}
            {children}
          </LegendMenu>
        </>
      ) : (
        <>
          {heading}
          <ColourBar {...colours} />
          {ends}
        </>
      )}
    </section>
  );
}
