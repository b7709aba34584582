import { dayText } from "#components/view-state/format-time.ts";
import type { Zone } from "#components/view-state/zone.ts";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";
import { DAY_S } from "#lib/time.ts";

interface Props {
  entry: StormEntry;
  /** Weather clock, Unix seconds. */
  now: number;
  zone: Zone;
}

const WIDTH = 340;
const HEIGHT = 110;
const LEFT = 34;
const BOTTOM = 18;
/** Wind and pressure over time: what was observed as a line, what is forecast dashed. The table says the same in numbers. */
export function StormChart({ entry, now, zone }: Props) {
  const { observed, forecast } = entry.tracks;
  const ahead = [...observed.slice(-1), ...(forecast?.points ?? [])];
  return (
    <div className="space-y-2">
      <Chart
        title={`Wind, kt (${averagingMinutes[entry.provider]}-minute mean)`}
        observed={observed}
        ahead={ahead}
        now={now}
        zone={zone}
        of={({ vmax_kt }) => vmax_kt}
      />
      <Chart
        title="Lowest pressure, hPa"
        observed={observed}
        ahead={ahead}
        now={now}
        zone={zone}
        of={({ mslp_hpa }) => mslp_hpa}
      />
    </div>
  );
}

interface ChartProps {
  title: string;
  observed: readonly TrackPoint[];
  ahead: readonly TrackPoint[];
  now: number;
  zone: Zone;
  of(point: TrackPoint): number | null;
}

function Chart({ title, observed, ahead, now, zone, of }: ChartProps) {
  const all = [...observed, ...ahead].filter(
    ({ vmax_kt, mslp_hpa }) => vmax_kt !== null || mslp_hpa !== null,
  );
  const points = all.filter((point) => of(point) !== null);
  // Both charts have the times of the whole track, so that they can be read one above the other.
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || first.time === last.time || points.length < 2) return null;
  const values = points.map((point) => of(point) ?? 0);
  const [least, most] = [
    10 * Math.floor((Math.min(...values) - 1) / 10),
    10 * Math.ceil((Math.max(...values) + 1) / 10),
  ];
  const x = (time: number) => LEFT + ((WIDTH - LEFT - 4) * (time - first.time)) / (last.time - first.time);
  const y = (value: number) => 6 + ((HEIGHT - BOTTOM - 6) * (most - value)) / (most - least);
  const path = (some: readonly TrackPoint[]) =>
    some
      .filter((point) => of(point) !== null)
      .map(
        (point, index) =>
          `${index === 0 ? "M" : "L"}${x(point.time).toFixed(1)} ${y(of(point) ?? 0).toFixed(1)}`,
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
        {[least, (least + most) / 2, most].map((value) => (
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
              {dayText(day, zone).slice(4)}
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
