import { formatWeekdayDay } from "#components/view-state/format-time.ts";
import type { PassageChartLayout, ChartRow as RowLayout } from "./passage-chart-layout.ts";
import type { PassageStyle } from "./passage-format.ts";

interface Props {
  layout: PassageChartLayout;
  width: number;
  style: PassageStyle;
  /** Unix seconds: of the map, and under the pointer. */
  time?: number | undefined;
  pointed?: number | undefined;
}

/** Least width of the name of a day. */
const DAY_ROOM = 46;

/** The picture of the chart, in CSS pixels. Its words are those of what it is part of. */
export function PassageChartPicture({ layout, width, style, time, pointed }: Props) {
  const { rows, days, waypoints, unknownX, axisY, height, x } = layout;
  const line = (at: number | undefined, className: string) =>
    at !== undefined && x(at) >= 0 && x(at) <= width ? (
      <line x1={x(at)} x2={x(at)} y1={0} y2={axisY} className={className} />
    ) : null;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="chart meteogram-picture passage-picture"
      aria-hidden="true"
    >
      {unknownX === undefined ? null : (
        <>
          <rect x={unknownX} y={0} width={width - unknownX} height={axisY} className="passage-unknown" />
          <text x={Math.min(unknownX + 4, width - 60)} y={axisY - 4} className="chart-text over">
            {style.words.noForecast}
          </text>
        </>
      )}
      {waypoints.map(({ x: at, number }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: waypoints keep their order
        <g key={index}>
          <line x1={at} x2={at} y1={0} y2={axisY + 2} className="passage-leg" />
          {number === undefined ? null : (
            <text
              x={Math.min(width - 4, Math.max(4, at))}
              y={axisY + 13}
              textAnchor="middle"
              className="chart-text passage-waypoint"
            >
              {number}
            </text>
          )}
        </g>
      ))}
      {days.map((day) => (
        <g key={day.time}>
          <line x1={day.x} x2={day.x} y1={0} y2={axisY + 18} className="chart-axis" />
          {day.x <= width - DAY_ROOM ? (
            <text x={day.x + 3} y={axisY + 30} className="chart-text">
              {formatWeekdayDay(day.time, style.zone)}
            </text>
          ) : null}
        </g>
      ))}
      {line(pointed, "chart-pointed")}
      {line(time, "chart-now")}
      {rows.map((row) => (
        <Row key={row.id} row={row} width={width} />
      ))}
    </svg>
  );
}

function Row({ row, width }: { row: RowLayout; width: number }) {
  return (
    <g data-row={row.id}>
      <text x={0} y={row.titleY} className="chart-text over title">
        {row.title}
      </text>
      <line x1={0} x2={width} y1={row.bottom} y2={row.bottom} className="chart-axis" />
      {row.scale.map(({ y, text }) => (
        <g key={text}>
          <line x1={0} x2={width} y1={y} y2={y} className="chart-axis faint" />
          <text x={width} y={y === row.top ? row.titleY : y - 2} textAnchor="end" className="chart-text over">
            {text}
          </text>
        </g>
      ))}
      {row.limit ? (
        <line x1={0} x2={width} y1={row.limit.y} y2={row.limit.y} className="chart-limit" />
      ) : null}
      {row.paths.map((path, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a chart keep their places
          key={index}
          d={path}
          className={index === 0 ? "chart-line" : "chart-line second"}
        />
      ))}
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
    </g>
  );
}
