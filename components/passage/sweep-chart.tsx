import { useRef } from "react";
import { useWidth } from "#components/ui/use-width.ts";
import { dayStartsWithin } from "#components/view-state/civil.ts";
import { formatWeekdayDay } from "#components/view-state/format-time.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { type PassageStyle, verdictMarks } from "./passage-format.ts";
import { barsOf } from "./sweep-rows.ts";

interface Props {
  plans: readonly PassagePlan[];
  style: PassageStyle;
  /** Departure of the plan, which is marked. */
  chosen: string | undefined;
  onChoose(plan: PassagePlan): void;
}

/** Pixels: room for the mark of the verdict before a bar; least width of the name of a day. */
const [MARK, DAY_ROOM] = [14, 46];
const AXIS = 18;

/**
 * Departures against time: a bar each, coloured by the worst share of a limit, with the mark of its verdict. The table has
 * the same for keyboards and screen readers.
 */
export function SweepChart({ plans, style, chosen, onChoose }: Props) {
  const { chart } = style.words.leave;
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, 640);
  const { bars, from, to } = barsOf(plans);
  // Bars are as high as a finger is not, but as one can see: the table is what is pressed on a phone.
  const pitch = bars.length > 60 ? 7 : bars.length > 30 ? 10 : 14;
  const height = bars.length * pitch;
  const x = (share: number) => MARK + share * (width - MARK - 2);
  return (
    <figure className="sweep-chart">
      <div ref={element}>
        <svg
          width={width}
          height={height + AXIS}
          viewBox={`0 0 ${width} ${height + AXIS}`}
          className="chart meteogram-picture"
          aria-hidden="true"
        >
          {dayStartsWithin(from, to, style.zone).map((time) => {
            const at = x((time - from) / Math.max(1, to - from));
            return (
              <g key={time}>
                <line x1={at} x2={at} y1={0} y2={height + 4} className="chart-axis" />
                {at <= width - DAY_ROOM ? (
                  <text x={at + 3} y={height + 13} className="chart-text">
                    {formatWeekdayDay(time, style.zone)}
                  </text>
                ) : null}
              </g>
            );
          })}
          {bars.map(({ plan, from: start, to: end, known, decided, step }, index) => {
            const y = index * pitch + 1;
            const high = pitch - 2;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the table has a button for each departure
              <g
                key={plan.departure}
                className="sweep-bar"
                data-chosen={plan.departure === chosen || undefined}
                data-step={step}
                onClick={() => onChoose(plan)}
              >
                <rect x={0} y={y - 1} width={width} height={pitch} className="sweep-row" />
                <rect
                  x={x(start)}
                  y={y}
                  width={Math.max(2, x(known) - x(start))}
                  height={high}
                  className="sweep-known"
                />
                {known < end ? (
                  <rect
                    x={x(known)}
                    y={y}
                    width={Math.max(1, x(end) - x(known))}
                    height={high}
                    className="sweep-unknown"
                  />
                ) : null}
                {decided === undefined ? null : (
                  <line x1={x(decided)} x2={x(decided)} y1={y} y2={y + high} className="sweep-decided" />
                )}
                <text x={x(start) - 3} y={y + high / 2 + 3.5} textAnchor="end" className="sweep-mark">
                  {verdictMarks[plan.verdict]}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption className="text-muted text-xs">
        {chart.label} {chart.share}:
        <span className="sweep-shares">
          {chart.shares.map((text, step) => (
            <span key={text} data-step={step}>
              {text}
            </span>
          ))}
        </span>
      </figcaption>
    </figure>
  );
}
