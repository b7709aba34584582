import type { StormEntry, TrackPoint } from "@open-metocean/storms/schema";
import { chartFrame, linePath } from "#components/ui/chart.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatMonthDay } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { averagingMinutes } from "#lib/storm-answers/provenance.ts";
import { DAY_S } from "#lib/time.ts";

const [WIDTH, HEIGHT] = [340, 110];
const [LEFT, TOP, BOTTOM] = [34, 6, 18];

/**
 * Wind and pressure over time: observed values solid, forecast values dashed. The table gives the same in
 * numbers.
 */
export function StormChart({ entry }: { entry: StormEntry }) {
  const { chart } = useWords("stormCard").stormCard;
  const { observed, forecast } = entry.tracks;
  const ahead = [...observed.slice(-1), ...(forecast?.points ?? [])];
  return (
    <div className="space-y-2">
      <Chart
        title={chart.wind({ minutes: averagingMinutes[entry.provider] })}
        observed={observed}
        ahead={ahead}
        quantity={({ vmax_kt }) => vmax_kt}
      />
      <Chart title={chart.pressure} observed={observed} ahead={ahead} quantity={({ mslp_hpa }) => mslp_hpa} />
    </div>
  );
}

interface ChartProps {
  title: string;
  observed: readonly TrackPoint[];
  ahead: readonly TrackPoint[];
  quantity(point: TrackPoint): number | null;
}

function Chart({ title, observed, ahead, quantity }: ChartProps) {
  const { now } = useClock("now");
  const zone = useZone();
  const { stormCard } = useWords("stormCard");
  const samples = (track: readonly TrackPoint[]) =>
    track.flatMap((point) => {
      const value = quantity(point);
      return value === null ? [] : [{ time: point.time, value }];
    });
  const all = [...observed, ...ahead];
  // Both charts span the whole track, so their time axes are aligned.
  const known = all.filter(({ vmax_kt, mslp_hpa }) => vmax_kt !== null || mslp_hpa !== null);
  const [first, last] = [known[0], known.at(-1)];
  const values = samples(all).map(({ value }) => value);
  if (!first || !last || first.time === last.time || values.length < 2) return null;
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const [low, high] = [10 * Math.floor((min - 1) / 10), 10 * Math.ceil((max + 1) / 10)];
  const frame = chartFrame([first.time, last.time], [low, high], WIDTH - LEFT - 4, HEIGHT - BOTTOM - TOP);
  const x = (time: number) => LEFT + frame.x(time);
  const y = (value: number) => TOP + frame.y(value);
  const days: number[] = [];
  const every = Math.max(1, Math.ceil((last.time - first.time) / DAY_S / 5)) * DAY_S;
  for (let day = Math.ceil(first.time / DAY_S) * DAY_S; day < last.time; day += every) days.push(day);
  return (
    <figure>
      <figcaption className="text-muted text-xs">{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="storm-chart"
        role="img"
        aria-label={stormCard.chart.label({ title, first: values[0]!, last: values.at(-1)!, min, max })}
      >
        {[low, (low + high) / 2, high].map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} className="grid-line" />
            <text x={LEFT - 4} y={y(value) + 3.5} textAnchor="end">
              {Math.round(value)}
            </text>
          </g>
        ))}
        {days.map((day) => (
          <g key={day}>
            <line x1={x(day)} x2={x(day)} y1={TOP} y2={HEIGHT - BOTTOM} className="grid-line" />
            <text x={Math.min(x(day), WIDTH - 24)} y={HEIGHT - 5} textAnchor="middle">
              {formatMonthDay(day, zone)}
            </text>
          </g>
        ))}
        {now > first.time && now < last.time ? (
          <line x1={x(now)} x2={x(now)} y1={2} y2={HEIGHT - BOTTOM} className="now-line" />
        ) : null}
        <path d={linePath(samples(observed), { x, y })} className="value-line" />
        <path d={linePath(samples(ahead), { x, y })} className="value-line ahead" />
      </svg>
    </figure>
  );
}
