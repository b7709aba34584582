import { useEffect, useId, useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { Icon } from "#components/ui/icon.tsx";
import type { Side } from "#components/view-state/compared.ts";
import type { Theme } from "#components/view-state/map-colours.ts";
import { paintedTitle, readingOf } from "#components/view-state/overlays.ts";
import { useWords } from "#components/words/words-context.ts";
import { colourScales, type DrawnVariable, layerRow, paintedOutput } from "#lib/catalog/colours.ts";
import { inSentence } from "#lib/messages/words.ts";
import { numberIn, quantityOf, type Units, unitFor, unitName, unitsOf } from "#lib/units.ts";
import { ColourBar } from "./colour-bar.tsx";
import { legendTicks, limitTicks } from "./ticks.ts";

const STORAGE_KEY = "legend";

/** Whether the legend is unfolded on a phone: folded at first, then as it was left on this device. */
function useKeptOpen(): [open: boolean, toggle: () => void] {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(localStorage.getItem(STORAGE_KEY) === "open"), []);
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, open ? "folded" : "open");
    setOpen(!open);
  };
  return [open, toggle];
}

interface Props {
  layer: DrawnVariable;
  /** Of two pictures with scales of their own the one that this is of. */
  side?: Side | undefined;
  theme: Theme | undefined;
  /** The field is drawn in grey: so is its scale. */
  old: boolean;
  units: Units;
  onUnits(units: Units): void;
}

/** Colour bar of the field with its numbers, and the choice of unit; on a phone folded to its title. */
export function Legend({ layer, side, theme, old, units, onUnits }: Props) {
  const { range } = colourScales[layer];
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
  const [open, toggle] = useKeptOpen();
  const id = useId();
  const [from, to] = [numberIn(range[0], unit), numberIn(range[1], unit)];
  const limitNames = ticks.flatMap(({ name, text }) =>
    name ? [legend.limit({ from: text, name: catalog.limits[name] })] : [],
  );
  return (
    <section
      aria-label={side ? words.compare.of({ side, text: legend.title }) : legend.title}
      className="surface legend colour-legend"
      data-open={open}
    >
      <button type="button" className="legend-chip" aria-expanded={open} aria-controls={id} onClick={toggle}>
        {`${title}${legend.inUnit({ unit: unit.symbol })}`}
        <Icon name={open ? "down" : "up"} className="size-3.5" />
      </button>
      <div id={id} className="legend-body">
        <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 className="font-medium text-sm max-md:sr-only">
            {title}
            {quantity ? null : <span className="text-muted">{legend.inUnit({ unit: unit.symbol })}</span>}
          </h2>
          {quantity ? (
            <Choice
              quiet
              title={legend.unitOf(inSentence(title))}
              options={unitsOf(quantity, reading, words).map(({ name, symbol }) => [name, symbol] as const)}
              value={unitName(quantity, units, reading)}
              onChange={(name) => onUnits({ ...units, [quantity]: name })}
            />
          ) : null}
        </div>
        <ColourBar
          layer={layer}
          theme={theme}
          old={old}
          ticks={ticks}
          label={[legend.colours({ from, to, unit: unit.spoken }), ...limitNames].join(
            words.ui.joins.sentences,
          )}
        />
      </div>
    </section>
  );
}

/** Limits that the lines of a layer mark, if they are at chosen values. */
function limitsOf(layer: DrawnVariable) {
  const { isolines } = layerRow(layer);
  return isolines && "at" in isolines ? isolines.at : undefined;
}
