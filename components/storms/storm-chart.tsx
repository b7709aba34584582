import { useClock } from "#components/view-state/clock-context.ts";
import { formatDay } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";
import { DAY_S } from "#lib/time.ts";

const WIDTH = 340;
const HEIGHT = 110;
const LEFT = 34;
const BOTTOM = 18;
/** Wind and pressure over time: observed as a line, forecast dashed. The table has the same values in numbers. */
export function StormChart({ entry }: { entry: StormEntry }) {
  const { observed, forecast } = entry.tracks;
  const ahead = [...observed.slice(-1), ...(forecast?.points ?? [])];
  return (
    <div className="space-y-2">
      <Chart
        title={`Wind, kt (${averagingMinutes[entry.provider]}-minute mean)`}
        observed={observed}
        ahead={ahead}
        quantity={({ vmax_kt }) => vmax_kt}
      />
      <Chart
        title="Lowest pressure, hPa"
        observed={observed}
        ahead={ahead}
        quantity={({ mslp_hpa }) => mslp_hpa}
      />
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
  const { now } = useClock();
  const { zone } = useView();
  const all = [...observed, ...ahead].filter(
    ({ vmax_kt, mslp_hpa }) => vmax_kt !== null || mslp_hpa !== null,
  );
  const points = all.filter((point) => quantity(point) !== null);
  // Both charts span the whole track, so that their times line up.
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || first.time === last.time || points.length < 2) return null;
  const values = points.map((point) => quantity(point) ?? 0);
  const [low, high] = [
    10 * Math.floor((Math.min(...values) - 1) / 10),
    10 * Math.ceil((Math.max(...values) + 1) / 10),
  ];
  const x = (time: number) => LEFT + ((WIDTH - LEFT - 4) * (time - first.time)) / (last.time - first.time);
  const y = (value: number) => 6 + ((HEIGHT - BOTTOM - 6) * (high - value)) / (high - low);
  const path = (some: readonly TrackPoint[]) =>
    some
      .filter((point) => quantity(point) !== null)
      .map(
        (point, index) =>
          `${index === 0 ? "M" : "L"}${x(point.time).toFixed(1)} ${y(quantity(point) ?? 0).toFixed(1)}`,
      )
      .join("");
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
        aria-label={`${title}: from ${values[0]} to ${values.at(-1)}, between ${Math.min(...values)} and ${Math.max(...values)}`}
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
            <line x1={x(day)} x2={x(day)} y1={6} y2={HEIGHT - BOTTOM} className="grid-line" />
            <text x={Math.min(x(day), WIDTH - 18)} y={HEIGHT - 5} textAnchor="middle">
              {formatDay(day, zone).slice(4)}
            </text>
          </g>
        ))}
        {now > first.time && now < last.time ? (
          <line x1={x(now)} x2={x(now)} y1={2} y2={HEIGHT - BOTTOM} className="now-line" />
        ) : null}
        <path d={path(observed)} className="value-line" />
        <path d={path(ahead)} className="value-line ahead" />
      </svg>
    </figure>
  );
}
