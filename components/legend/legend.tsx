import type { ReactNode } from "react";
import { Choice } from "#components/ui/choice.tsx";
import type { Side } from "#components/view-state/compared.ts";
import type { Theme } from "#components/view-state/map-colours.ts";
import { paintedTitle, readingOf } from "#components/view-state/overlays.ts";
import { useWords } from "#components/words/words-context.ts";
import { colourScales, type DrawnVariable, layerRow, paintedOutput } from "#lib/catalog/colours.ts";
import { inSentence } from "#lib/messages/words.ts";
import { numberIn, quantityOf, type Units, unitFor, unitName, unitsOf } from "#lib/units.ts";
import { ColourBar, ColourStrip } from "./colour-bar.tsx";
import { LegendMenu } from "./legend-menu.tsx";
import { legendTicks, limitTicks } from "./ticks.ts";

interface Props {
  layer: DrawnVariable;
  /** Which of two compared images, with their own scales, this legend describes. */
  side?: Side | undefined;
  theme: Theme | undefined;
  /** The field is drawn in grey, and so is its scale. */
  old: boolean;
  units: Units;
  /** Absent on paper, where the legend has a title. */
  onUnits?(units: Units): void;
  /** Explanation of the symbols. */
  children?: ReactNode;
}

/**
 * Thin colour bar of the field with its numbers. Its unit opens the names of the limits, the choice of unit
 * and the symbols.
 */
export function Legend({ layer, side, theme, old, units, onUnits, children }: Props) {
  const scale = colourScales[layer];
  const { range } = scale;
  const words = useWords();
  const { catalog, legend } = words;
  const named = paintedTitle(layer, words);
  const title = side ? words.compare.of({ side, text: named }) : named;
  const { unit: answered } = paintedOutput(layer);
  const reading = readingOf(layer);
  const unit = unitFor(answered, units, reading, words);
  const quantity = quantityOf(answered);
  const limits = limitsOf(layer);
  const ticks = limits ? limitTicks(unit, range[0], limits) : legendTicks(unit, range);
  const [from, to] = [numberIn(range[0], unit), numberIn(range[1], unit)];
  const limitNames = ticks.flatMap(({ name, text }) =>
    name ? [legend.limit({ from: text, name: catalog.limits[name] })] : [],
  );
  const label = [legend.colours({ from, to, unit: unit.spoken }), ...limitNames].join(
    words.ui.joins.sentences,
  );
  const colours = { scale, theme, old, ticks, label };
  const heading = (
    <h2 className="font-medium text-sm">
      {title}
      <span className="text-muted">{legend.inUnit({ unit: unit.symbol })}</span>
    </h2>
  );
  return (
    <section
      aria-label={side ? words.compare.of({ side, text: legend.title }) : legend.title}
      className="surface legend"
    >
      {onUnits ? (
        <>
          {side ? <b>{words.compare.side[side]}</b> : null}
          <ColourStrip {...colours} />
          <LegendMenu unit={unit.symbol}>
            {heading}
            {quantity ? (
              <Choice
                quiet
                title={legend.unitOf(inSentence(title))}
                options={unitsOf(quantity, reading, words).map(({ name, symbol }) => [name, symbol] as const)}
                value={unitName(quantity, units, reading)}
                onChange={(name) => onUnits({ ...units, [quantity]: name })}
              />
            ) : null}
            {limits ? <ColourBar {...colours} /> : null}
            {children}
          </LegendMenu>
        </>
      ) : (
        <>
          {heading}
          <ColourBar {...colours} />
        </>
      )}
    </section>
  );
}

/** The limits that the isolines of a layer mark, if they have chosen values. */
function limitsOf(layer: DrawnVariable) {
  const { isolines } = layerRow(layer);
  return isolines && "at" in isolines ? isolines.at : undefined;
}
