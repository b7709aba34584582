import { memo, type ReactNode } from "react";
import type { Zone } from "#components/view-state/civil.ts";
import { formatAxisDay } from "#components/view-state/format-time.ts";
import type { MeteogramLayout, MeteogramRow } from "./meteogram-rows.ts";

interface Props {
  layout: MeteogramLayout;
  width: number;
  zone: Zone;
  /** Time of the map, Unix seconds; marked where it is on the chart. */
  time: number;
  /** Time under the pointer. */
  pointed?: number | undefined;
}

/** The picture of a meteogram, in CSS pixels. Its words are those of what it is part of. */
export function MeteogramPicture({ layout, width, zone, time, pointed }: Props) {
  const { axisY, height, x } = layout;
  const line = (at: number | undefined, className: string) =>
    at !== undefined && x(at) >= 0 && x(at) <= width ? (
      <line x1={x(at)} x2={x(at)} y1={0} y2={axisY} className={className} />
    ) : null;
  return (
    <div className="chart-stack">
      <Chart layout={layout} width={width} zone={zone} />
      {/* A picture of their own: a line that moves would have all of the chart below it painted again. */}
      <Layer width={width} height={height}>
        {line(pointed, "chart-pointed")}
        {line(time, "chart-now")}
      </Layer>
    </div>
  );
}

interface LayerProps {
  width: number;
  height: number;
  children: ReactNode;
}

function Layer({ width, height, children }: LayerProps) {
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="chart meteogram-picture"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** All but the lines of times: what does not change while somebody steps in time. */
const Chart = memo(function Chart({ layout, width, zone }: Pick<Props, "layout" | "width" | "zone">) {
  const { rows, days, axisY, height } = layout;
  return (
    <Layer width={width} height={height}>
      {days.map((day) => (
        <g key={day.time}>
          <line x1={day.x} x2={day.x} y1={0} y2={axisY} className="chart-axis" />
          {day.labelled ? (
            <DayLabel x={day.middle} y={axisY + 10} text={formatAxisDay(day.time, zone)} />
          ) : null}
        </g>
      ))}
      {rows.map((row) => (
        <Row key={row.name} row={row} width={width} />
      ))}
    </Layer>
  );
});

function DayLabel({ x, y, text: [weekday, day] }: { x: number; y: number; text: [string, string] }) {
  return (
    <text x={x} y={y} textAnchor="middle" className="chart-text">
      {weekday}
      <tspan x={x} dy={12}>
        {day}
      </tspan>
    </text>
  );
}

function Row({ row, width }: { row: MeteogramRow; width: number }) {
  return (
    <g data-row={row.name}>
      <text x={0} y={row.titleY} className="chart-text over title">
        {row.title}
      </text>
      <line x1={0} x2={width} y1={row.bottom} y2={row.bottom} className="chart-axis" />
      <line x1={0} x2={width} y1={row.top} y2={row.top} className="chart-axis faint" />
      <line
        x1={0}
        x2={width}
        y1={(row.top + row.bottom) / 2}
        y2={(row.top + row.bottom) / 2}
        className="chart-axis faint"
      />
      {row.limit ? (
        <line x1={0} x2={width} y1={row.limit.y} y2={row.limit.y} className="chart-limit" />
      ) : null}
      {row.earlier.map((path, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a chart keep their places
        <path key={index} d={path} className="chart-line earlier" />
      ))}
      {row.paths.map((path, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a chart keep their places
          key={index}
          d={path}
          className={index === 0 ? "chart-line" : "chart-line second"}
        />
      ))}
      <text x={width} y={row.titleY} textAnchor="end" className="chart-text over">
        {row.scale.top}
      </text>
      <text x={width} y={(row.top + row.bottom) / 2 - 2} textAnchor="end" className="chart-text over">
        {row.scale.middle}
      </text>
      {row.limit ? (
        <text x={2} y={row.limit.y - 3} className="chart-text over limit">
          {row.limit.text}
        </text>
      ) : null}
      {row.arrows.map(({ x, y, bearing, strokes, filled }) => (
        <g key={x} transform={`translate(${x.toFixed(1)} ${y})rotate(${bearing})`} data-towards={bearing}>
          {strokes ? <path d={strokes} className="chart-arrow" /> : null}
          {filled ? <path d={filled} className="chart-arrow-head" /> : null}
        </g>
      ))}
      {row.numbers.map(({ x, y, text }) => (
        <text key={x} x={x} y={y} textAnchor="middle" className="chart-text">
          {text}
        </text>
      ))}
    </g>
  );
}
