import { useRef } from "react";
import type { WorkabilityResult } from "#components/api-client/workability-service.ts";
import { ChartLayer } from "#components/ui/time-chart.tsx";
import { useWidth } from "#components/ui/use-width.ts";
import { formatWeekdayDay } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { DAY_S, parseInstant, startOfDay } from "#lib/time.ts";
import { hasYears, isShort } from "./workability-draft.ts";
import { percentText } from "./workability-verdict.ts";

/** Pixels: height of the bars, space below them, width of the scale beside them, space above. */
const [HEIGHT, AXIS, SCALE, TOP] = [120, 18, 34, 8];
/** Height of the strip of windows for a short time. */
const STRIP = 28;

/**
 * Months by their share within limits, or for a short time its windows. The table and the text give the same.
 */
export function WorkabilityChart({ result }: { result: WorkabilityResult }) {
  const { workability } = useWords("workability");
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, 520);
  const isStrip = isShort(result.results[0]!);
  return (
    <figure>
      <div ref={element}>
        {isStrip ? <Strip result={result} width={width} /> : <Months result={result} width={width} />}
      </div>
      <figcaption className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span className="workability-key" data-of="windows">
          {workability.chart.windows({ hours: result.meta.window_hours })}
        </span>
        {isStrip ? null : (
          <>
            <span className="workability-key" data-of="within">
              {workability.chart.within}
            </span>
            {hasYears(result.results) ? <span>{workability.chart.range}</span> : null}
          </>
        )}
      </figcaption>
    </figure>
  );
}

interface PictureProps {
  result: WorkabilityResult;
  width: number;
}

function Months({ result: { results }, width }: PictureProps) {
  const words = useWords();
  const rows = results.slice(1);
  const pitch = (width - SCALE) / 12;
  const y = (share: number) => TOP + HEIGHT * (1 - share);
  const bar = pitch * 0.64;
  return (
    <ChartLayer width={width} height={TOP + HEIGHT + AXIS}>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={SCALE} x2={width} y1={y(share)} y2={y(share)} className="chart-axis faint" />
          <text x={SCALE - 4} y={y(share) + 4} textAnchor="end" className="chart-text">
            {percentText(share, words)}
          </text>
        </g>
      ))}
      {words.dates.months.map((month, at) => {
        const row = rows.find((one) => one.month === at + 1);
        const left = SCALE + at * pitch + (pitch - bar) / 2;
        const middle = left + bar / 2;
        const {
          within_share: share,
          window_share: windows,
          lowest_share: low,
          highest_share: high,
        } = row ?? {};
        const rect = (of: string, value: number) => (
          <rect
            x={left}
            y={y(value)}
            width={bar}
            height={HEIGHT * value}
            className="workability-bar"
            data-of={of}
          />
        );
        return (
          <g key={month}>
            {typeof share === "number" ? rect("within", share) : null}
            {typeof windows === "number" ? rect("windows", windows) : null}
            {hasYears(results) && typeof low === "number" && typeof high === "number" ? (
              <line x1={middle} x2={middle} y1={y(high)} y2={y(low)} className="stroke-[1.5] stroke-text" />
            ) : null}
            <text x={middle} y={TOP + HEIGHT + 14} textAnchor="middle" className="chart-text">
              {pitch < 34 ? month.slice(0, 3) : month}
            </text>
          </g>
        );
      })}
    </ChartLayer>
  );
}

/** Least width for the name of a day. */
const DAY_ROOM = 48;

function Strip({ result: { meta }, width }: PictureProps) {
  const zone = useZone();
  const [from, to] = [parseInstant(meta.from), parseInstant(meta.to)];
  const x = (time: number) => ((time - from) / (to - from)) * width;
  const every = Math.ceil((DAY_ROOM * (to - from)) / DAY_S / width);
  const days: number[] = [];
  for (let day = startOfDay(from) + DAY_S; day < to; day += every * DAY_S) days.push(day - zone.offset(day));
  return (
    <ChartLayer width={width} height={STRIP + AXIS}>
      <rect x={0} y={0} width={width} height={STRIP} className="fill-line" />
      {meta.windows.map(({ from: begin, to: end }) => (
        <rect
          key={begin}
          x={x(parseInstant(begin))}
          y={0}
          width={x(parseInstant(end)) - x(parseInstant(begin))}
          height={STRIP}
          className="workability-bar"
          data-of="windows"
        />
      ))}
      {days.map((day) => (
        <g key={day}>
          <line x1={x(day)} x2={x(day)} y1={0} y2={STRIP + 4} className="chart-axis" />
          {x(day) < width - DAY_ROOM ? (
            <text x={x(day) + 3} y={STRIP + 14} className="chart-text">
              {formatWeekdayDay(day, zone)}
            </text>
          ) : null}
        </g>
      ))}
    </ChartLayer>
  );
}
