import { Choice } from "#components/ui/choice.tsx";
import { readingOf } from "#components/view-state/layers.ts";
import { themedTable } from "#components/view-state/themed-table.ts";
import type { Theme } from "#components/view-state/themes.ts";
import { COLOURS, colourScales, cssColour, type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import { quantityOf, type Units, unitFor, unitName, unitsOf } from "#lib/units.ts";
import { legendTicks } from "./ticks.ts";

interface Props {
  layer: DrawnVariable;
  theme: Theme | undefined;
  /** The field is drawn in grey: so is its scale. */
  old: boolean;
  units: Units;
  onUnits(units: Units): void;
}

const WIDTH = 260;
const BAR = 12;
/** Margin for the half of a number that extends past the ends of the bar. */
const MARGIN = 14;
const STRIPES = 65;
const stripes = Array.from({ length: STRIPES }, (_, index) => index);

/** Colour bar of the field with its numbers, and the choice of unit. */
export function Legend({ layer, theme, old, units, onUnits }: Props) {
  const scale = colourScales[layer];
  const table = themedTable(scale, theme ?? "light", old);
  const output = paintedOutput(layer);
  const [low, high] = scale.range;
  const x = (value: number) => ((value - low) / (high - low)) * WIDTH;
  const reading = readingOf(layer);
  const unit = unitFor(output.unit, units, reading);
  const quantity = quantityOf(output.unit);
  const ticks = legendTicks(unit, scale.range);
  return (
    <section aria-label="Legend" className="surface legend">
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="font-medium text-sm">
          {output.title}
          {quantity ? null : <span className="text-muted">, {unit.symbol}</span>}
        </h2>
        {quantity ? (
          <Choice
            quiet
            title={`Unit of ${output.title.toLowerCase()}`}
            options={Object.entries(unitsOf(quantity, reading)).map(
              ([name, { symbol }]) => [name, symbol] as const,
            )}
            value={unitName(quantity, units, reading)}
            onChange={(name) => onUnits({ ...units, [quantity]: name })}
          />
        ) : null}
      </div>
      <svg
        viewBox={`${-MARGIN} 0 ${WIDTH + 2 * MARGIN} 30`}
        className="block h-[30px] w-[288px] max-w-full"
        role="img"
        aria-label={`Colours from ${ticks[0]?.text} to ${ticks.at(-1)?.text} ${unit.spoken}`}
      >
        {stripes.map((stripe) => (
          <rect
            key={stripe}
            x={(stripe * WIDTH) / STRIPES}
            width={WIDTH / STRIPES}
            height={BAR}
            shapeRendering="crispEdges"
            fill={cssColour(table, Math.round((stripe / (STRIPES - 1)) * (COLOURS - 1)))}
          />
        ))}
        {ticks.map(({ value, text }) => (
          <g key={text}>
            <line x1={x(value)} x2={x(value)} y1={BAR} y2={BAR + 4} className="stroke-current" />
            <text x={x(value)} y={27} textAnchor="middle" className="fill-current text-[11px] tabular-nums">
              {text}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}
