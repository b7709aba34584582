import { type KeyboardEvent, type ReactNode, type RefObject, useId } from "react";
import { GUTTER } from "./chart.ts";

/** One quantity of a chart over time. Positions are in pixels from the top left of the picture. */
export interface ChartRow<Id extends string = string> {
  id: Id;
  title: string;
  /** Name of the place of the values, if it is not that of the chart. */
  at?: string;
  /** Baseline of the title; top and bottom of the plot area of the row. */
  titleY: number;
  top: number;
  bottom: number;
  /** Scale values in the gutter, beside their lines. */
  scale: { y: number; text: string }[];
  /** Paths of earlier runs, drawn thin. */
  earlier?: string[];
  /** Lines of other sources, each with its own dashes (CSS), so that they differ without colours. */
  others?: { path: string; dashes: string }[];
  /** Names at the ends of lines; `y` is the baseline. */
  names?: { x: number; y: number; text: string; isMain: boolean }[];
  /** The first is drawn solid, the others dashed. */
  paths: string[];
  /** The same lines where they join steps of a model that are longer than usual. */
  coarse?: string[];
  /** Area below the first line, with colours from the bottom (0) to the top (1). */
  area?: { path: string; colours: RowColours };
  /** The members of an ensemble: bands that hold most of them, in the colours of an area, and lines. */
  bands?: { outer: string; inner: string; median: string; control: string; colours: RowColours };
  /**
   * Limit line. `place` is where `LimitText` writes its text; `band` is the path of the shaded area beyond it, if the
   * limit is not constant.
   */
  limit?: {
    y: number;
    text: string;
    place?: { x: number; y: number; textAnchor?: "end" };
    band?: string;
  };
  /** `bearing` is the direction TO, degrees clockwise from north. */
  arrows: { x: number; y: number; bearing: number; strokes: string; filled: string }[];
  numbers?: { x: number; y: number; text: string }[];
  /** Important points of the first line, such as high waters. */
  marks?: readonly { x: number; y: number }[];
  /** The value at a time, if it is not shown anywhere else. */
  valueAt?(time: number): string | undefined;
}

type RowColours = readonly { offset: number; colour: string }[];

/**
 * Space in which a row may be drawn. The width is that of the plot. Pixels from the top left of the picture.
 */
export interface ChartRoom {
  width: number;
  titleY: number;
  top: number;
  bottom: number;
  x(time: number): number;
}

/** A row below the others, whose data comes from another source. */
export type FurtherRow = (room: ChartRoom) => ChartRow;

/** A chart as a picture, in CSS pixels. Its words are those of the surrounding component. */
export function ChartLayer(props: {
  /** Width of the plot, beside which the gutter lies. */
  width: number;
  height: number;
  className?: string;
  children: ReactNode;
}) {
  const { height, className = "", children } = props;
  const width = props.width + GUTTER;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`chart meteogram-picture ${className}`}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function ChartRowPicture({ row, width }: { row: ChartRow; width: number }) {
  const { titleY, top, bottom, scale, limit, area, bands } = row;
  const coloured = area ?? bands;
  const main = bands ? "beside" : "";
  const fill = useId();
  const across = (y: number, className: string) => (
    <line key={y} x1={0} x2={width} y1={y} y2={y} className={className} />
  );
  const paths = [
    ...(row.earlier ?? []).map((path) => ["earlier", path]),
    ...(bands ? [["control", bands.control] as const] : []),
    ...row.paths.map((path, index) => [index === 0 ? main : "second", path]),
    ...(row.coarse ?? []).map((path, index) => [index === 0 ? `${main} coarse` : "second coarse", path]),
    ...(bands ? [["median", bands.median] as const] : []),
  ];
  return (
    <g data-row={row.id}>
      {coloured ? (
        <>
          <linearGradient id={fill} gradientUnits="userSpaceOnUse" x1={0} x2={0} y1={bottom} y2={top}>
            {coloured.colours.map(({ offset, colour }) => (
              <stop key={offset} offset={offset} stopColor={colour} />
            ))}
          </linearGradient>
          {area ? <path d={area.path} fill={`url(#${fill})`} className="[fill-opacity:0.85]" /> : null}
          {bands ? (
            <g fill={`url(#${fill})`} className="chart-bands">
              <path d={bands.outer} />
              <path d={bands.inner} />
            </g>
          ) : null}
        </>
      ) : null}
      <text x={0} y={titleY} className="chart-text over title">
        {row.title}
      </text>
      {across(bottom, "chart-axis")}
      {scale.map(({ y }) => across(y, "chart-axis faint"))}
      {limit?.band ? <path d={limit.band} className="fill-(--map-danger) opacity-20" /> : null}
      {limit?.text ? across(limit.y, "chart-limit") : null}
      {row.others?.map(({ path, dashes }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a chart never change places
        <path key={index} d={path} className="chart-line other" strokeDasharray={dashes} />
      ))}
      {paths.map(([kind, path], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a chart never change places
        <path key={index} d={path} className={`chart-line ${kind}`} />
      ))}
      {row.names?.map(({ x, y, text, isMain }) => (
        <text key={text} x={x} y={y} className={`chart-text over name ${isMain ? "main" : ""}`}>
          {text}
        </text>
      ))}
      {row.marks?.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r={1.75} className="fill-text" />
      ))}
      {scale.map(({ y, text }) => (
        <text key={y} x={width + GUTTER} y={y + 3.5} textAnchor="end" className="chart-text">
          {text}
        </text>
      ))}
      {row.arrows.map(({ x, y, bearing, strokes, filled }) => (
        <g key={x} transform={`translate(${x.toFixed(1)} ${y})rotate(${bearing})`} data-towards={bearing}>
          {strokes ? <path d={strokes} className="chart-arrow" /> : null}
          {filled ? <path d={filled} className="chart-arrow-head" /> : null}
        </g>
      ))}
      {row.numbers?.map(({ x, y, text }) => (
        <text key={x} x={x} y={y} textAnchor="middle" className="chart-text">
          {text}
        </text>
      ))}
    </g>
  );
}

/** Text of a row's limit, drawn above the time lines. */
export function LimitText({ row: { limit } }: { row: ChartRow }) {
  return limit?.text && limit.place ? (
    <text {...limit.place} className="chart-text over limit">
      {limit.text}
    </text>
  ) : null;
}

/** Times of a chart, Unix seconds, and their positions. */
interface TimeLinesProps {
  width: number;
  rows: readonly Pick<ChartRow, "top" | "bottom">[];
  /** Time of the map, and time under the pointer. */
  time?: number | undefined;
  pointed?: number | undefined;
  x(time: number): number;
}

/** Marks times on the chart by a line in the plot of each row, leaving out titles and numbers. */
export function TimeLines({ width, rows, time, pointed, x }: TimeLinesProps) {
  const line = (at: number | undefined, className: string) =>
    at !== undefined && x(at) >= 0 && x(at) <= width
      ? rows.map(({ top, bottom }) => (
          <line key={top} x1={x(at)} x2={x(at)} y1={top} y2={bottom} className={className} />
        ))
      : null;
  return (
    <>
      {line(pointed, "chart-pointed")}
      {line(time, "chart-now")}
    </>
  );
}

const HOUR_S = 3600;

/** @see time Unix seconds, as all others. */
interface TimeSliderProps {
  element: RefObject<HTMLDivElement | null>;
  label: string;
  /** Spoken description of the time. */
  spoken: string;
  first: number;
  last: number;
  time: number;
  /** Time to which the arrow keys move; if undefined they move by an hour. */
  beside(by: 1 | -1): number | undefined;
  /** Maps a pointed time to the one that is set. */
  settle?(time: number): number;
  timeAt(x: number): number;
  onTime(time: number): void;
  onPoint(time: number | undefined): void;
  children: ReactNode;
}

/** A chart as a slider: a click, a tap and arrow keys set a time, and the pointer points at one. */
export function TimeSlider({
  element,
  label,
  spoken,
  first,
  last,
  time,
  children,
  ...props
}: TimeSliderProps) {
  const { beside, settle = (at) => at, timeAt, onTime, onPoint } = props;
  const within = (at: number) => Math.min(last, Math.max(first, at));
  const timeUnder = ({ clientX }: { clientX: number }) =>
    settle(within(timeAt(clientX - (element.current?.getBoundingClientRect().left ?? 0))));
  const set = (to: number) => {
    onPoint(undefined);
    onTime(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key] as 1 | -1 | undefined;
    const far = { PageUp: time + 24 * HOUR_S, PageDown: time - 24 * HOUR_S, Home: first, End: last }[
      event.key
    ];
    if (by) set(within(beside(by) ?? time + by * HOUR_S));
    else if (far !== undefined) set(settle(within(far)));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={element}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={within(time)}
      aria-valuetext={spoken}
      // The pictures are layers of their own: the numbers beside the chart change at each step in time, and without a
      // graphics processor painting the chart with them takes longer than all the rest of the page.
      className="cursor-crosshair touch-pan-y [&_svg]:will-change-transform"
      onClick={(event) => set(timeUnder(event))}
      onPointerMove={(event) => event.pointerType !== "touch" && onPoint(timeUnder(event))}
      onPointerLeave={() => onPoint(undefined)}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}
