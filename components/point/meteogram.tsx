import { chartFrame, linePath, roundTop, type Sample } from "#components/ui/chart.ts";
import { formatDay } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { numberIn, type Unit, unitFor } from "#lib/units.ts";
import type { Conditions } from "./format-conditions.ts";

export interface SeriesProps {
  /** Conditions by time, Unix seconds, ascending. */
  rows: readonly { time: number; conditions: Conditions }[];
  /** Time of the map, marked. */
  time: number;
}

const [WIDTH, HEIGHT] = [340, 64];

/** Wind with gusts, and waves, over the days; the table below has the numbers. */
export function Meteogram({ rows, time }: SeriesProps) {
  const { u: units } = useView().view;
  const samples = (name: string, unit: Unit): Sample[] =>
    rows.map((row) => ({ time: row.time, value: unit.to(row.conditions[name] ?? Number.NaN) }));
  const speed = unitFor("m/s", units);
  const height = unitFor("m", units);
  return (
    <div className="space-y-3">
      <Chart
        rows={rows}
        time={time}
        title={`Wind and gusts, ${speed.symbol}`}
        lines={[samples("Winds_10m_Intensity", speed), samples("Gust_10m", speed)]}
        unit={speed}
      />
      <Chart
        rows={rows}
        time={time}
        title={`Waves, ${height.symbol}`}
        lines={[samples("Waves_Significant_Height", height)]}
        unit={height}
      />
    </div>
  );
}

interface ChartProps extends SeriesProps {
  title: string;
  /** In `unit`; the first is drawn solid, the others dashed. */
  lines: readonly Sample[][];
  unit: Unit;
}

function Chart({ rows, time, title, lines, unit }: ChartProps) {
  const { zone } = useView();
  const [first, last] = [rows[0]?.time ?? 0, rows.at(-1)?.time ?? 1];
  const known = lines
    .flat()
    .map(({ value }) => value)
    .filter((value) => !Number.isNaN(value));
  // A line needs two points.
  if ((lines[0] ?? []).filter(({ value }) => !Number.isNaN(value)).length < 2) return null;
  const top = roundTop(Math.max(...known));
  const frame = chartFrame([first, last], [0, top], WIDTH, HEIGHT);
  const days = rows.map((row) => row.time).filter((at) => (at + zone.offset(at)) % 86_400 === 0);
  const label = `${title}: from ${Math.min(...known).toFixed(unit.decimals)} to ${Math.max(...known).toFixed(unit.decimals)}`;
  return (
    <figure>
      <figcaption className="mb-1 text-muted text-xs">{title}</figcaption>
      <svg viewBox={`-1 -8 ${WIDTH + 2} ${HEIGHT + 24}`} className="chart" role="img" aria-label={label}>
        <text x={0} y={-1} className="chart-text">
          {unit.symbol === "Bft" ? top : numberIn(unit.from(top), unit)}
        </text>
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="chart-axis" />
        {days.map((day) => (
          <g key={day}>
            <line x1={frame.x(day)} x2={frame.x(day)} y1={0} y2={HEIGHT} className="chart-axis" />
            {frame.x(day) < WIDTH - 40 ? (
              <text x={frame.x(day) + 3} y={HEIGHT + 12} className="chart-text">
                {formatDay(day, zone).slice(0, 6)}
              </text>
            ) : null}
          </g>
        ))}
        {time >= first && time <= last ? (
          <line x1={frame.x(time)} x2={frame.x(time)} y1={-6} y2={HEIGHT} className="chart-now" />
        ) : null}
        {lines.map((line, index) => (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a chart keep their places
            key={index}
            d={linePath(line, frame)}
            className={index === 0 ? "chart-line" : "chart-line second"}
          />
        ))}
      </svg>
    </figure>
  );
}
