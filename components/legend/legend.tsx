import { legendTicks } from "#components/legend/ticks.ts";
import { COLOURS, type ColourScale, colourTable, cssColour } from "#lib/catalog/colours.ts";
import { type SpeedUnit, speedUnits } from "#lib/units.ts";

interface Props {
  title: string;
  scale: ColourScale;
  unit: SpeedUnit;
  onUnit(unit: SpeedUnit): void;
}

const WIDTH = 260;
const BAR = 12;
const STRIPES = 65;
const stripes = Array.from({ length: STRIPES }, (_, index) => index);

/** The colours of the field with their numbers, and the choice of unit. */
export function Legend({ title, scale, unit, onUnit }: Props) {
  const table = colourTable(scale);
  const [low, high] = scale.range;
  const x = (value: number) => ((value - low) / (high - low)) * WIDTH;
  const ticks = legendTicks(unit, scale.range);
  return (
    <section
      aria-label="Legend"
      className="surface pointer-events-auto rounded-lg px-3 pt-2 pb-1.5 shadow-md"
    >
      <div className="mb-1.5 flex items-center justify-between gap-4">
        <h2 className="text-sm font-medium">{title}</h2>
        <fieldset className="flex gap-0.5">
          <legend className="sr-only">Unit of wind speed</legend>
          {speedUnits.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === unit}
              onClick={() => onUnit(choice)}
              className="toggle min-h-6 rounded px-2 text-xs"
            >
              {choice}
            </button>
          ))}
        </fieldset>
      </div>
      <svg
        viewBox={`-8 0 ${WIDTH + 20} 30`}
        className="block h-[30px] w-[280px] max-w-full"
        role="img"
        aria-label={`Colours from ${ticks[0]?.text} to ${ticks.at(-1)?.text} ${unit}`}
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
