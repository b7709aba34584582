import { type Theme, themedTable } from "#components/view-state/map-colours.ts";
import { useWords } from "#components/words/words-context.ts";
import { COLOURS, cssColour } from "#lib/catalog/colours.ts";
import type { PaintedScale } from "#lib/catalog/painted.ts";
import { spacedTicks, type Tick } from "./ticks.ts";

interface Props {
  scale: PaintedScale;
  theme: Theme | undefined;
  /** The field is drawn in grey, and so is its scale. */
  old: boolean;
  ticks: readonly Tick[];
  /** Label for screen readers. */
  label: string;
}

const WIDTH = 260;
const BAR = 12;
/** Widths of the strip beside the map on a desktop and on a phone, as in components/map/map.css, pixels. */
const STRIP_WIDTHS = [192, 128];
/** Margin for the half of a number that extends beyond the ends of the bar. */
const MARGIN = 14;
const STRIPES = 65;
const stripes = Array.from({ length: STRIPES }, (_, index) => index);

function stripeColour(table: ReturnType<typeof themedTable>, stripe: number): string {
  return cssColour(table, Math.round((stripe / (STRIPES - 1)) * (COLOURS - 1)));
}

/** The colours of a table without blending, as the stops of a gradient. */
function steppedStops(table: ReturnType<typeof themedTable>): string {
  const share = (index: number) => `${((100 * index) / COLOURS).toFixed(2)}%`;
  return Array.from({ length: COLOURS }, (_, index) => index)
    .filter((index) => index === 0 || cssColour(table, index) !== cssColour(table, index - 1))
    .map(
      (begin, at, begins) => `${cssColour(table, begin)} ${share(begin)} ${share(begins[at + 1] ?? COLOURS)}`,
    )
    .join(", ");
}

/** The colours of a scale and their numbers in the available width, without names. */
export function ColourStrip({ scale, theme, old, ticks, label }: Props) {
  const table = themedTable(scale, theme ?? "light", old);
  const [low, high] = scale.range;
  const colours = stripes.map((stripe) => stripeColour(table, stripe));
  const isStepped = scale.steps !== undefined;
  const [wide, narrow] = STRIP_WIDTHS.map((width) => spacedTicks(ticks, scale.range, width)) as [
    Tick[],
    Tick[],
  ];
  return (
    <div role="img" aria-label={label} className="colour-strip">
      <i
        style={{
          background: `linear-gradient(to right, ${isStepped ? steppedStops(table) : colours.join(", ")})`,
        }}
      />
      {wide.map((tick) => (
        <span
          key={tick.text}
          aria-hidden="true"
          data-dense={!narrow.includes(tick)}
          style={{ left: `${(100 * (tick.value - low)) / (high - low)}%` }}
        >
          {tick.text}
        </span>
      ))}
    </div>
  );
}

/** The colours of a scale from left to right, with their numbers; limits cross the bar and have names. */
export function ColourBar({ scale, theme, old, ticks, label }: Props) {
  const { limitMarks } = useWords().catalog;
  const table = themedTable(scale, theme ?? "light", old);
  const [low, high] = scale.range;
  const x = (value: number) => ((value - low) / (high - low)) * WIDTH;
  const height = ticks.some(({ name }) => name) ? 41 : 30;
  return (
    <svg
      viewBox={`${-MARGIN} 0 ${WIDTH + 2 * MARGIN} ${height}`}
      className="block w-[288px] max-w-full"
      style={{ height }}
      role="img"
      aria-label={label}
    >
      {stripes.map((stripe) => (
        <rect
          key={stripe}
          x={(stripe * WIDTH) / STRIPES}
          width={WIDTH / STRIPES}
          height={BAR}
          shapeRendering="crispEdges"
          fill={stripeColour(table, stripe)}
        />
      ))}
      {ticks.map(({ value, text, name }) => (
        <g key={text}>
          {name ? (
            <line x1={x(value)} x2={x(value)} y2={BAR} className="stroke-surface stroke-[1.5]" />
          ) : null}
          <line x1={x(value)} x2={x(value)} y1={BAR} y2={BAR + 4} className="stroke-current" />
          <text x={x(value)} y={27} textAnchor="middle" className="fill-current text-[11px] tabular-nums">
            {text}
          </text>
          {name ? (
            <text x={x(value)} y={38} textAnchor="middle" className="fill-muted text-[10px]">
              {limitMarks[name]}
            </text>
          ) : null}
        </g>
      ))}
    </svg>
  );
}
