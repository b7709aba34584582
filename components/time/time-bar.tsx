import { type CSSProperties, useId } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { agoText, shortTime, timeText } from "#components/view-state/format-time.ts";
import { dayStarts, nearestIndex, shareAt } from "#components/view-state/timeline.ts";
import type { Zone } from "#components/view-state/zone.ts";
import { DAY_S } from "#lib/time.ts";

interface Props {
  /** Instants that can be shown, ascending, Unix seconds; at least one. */
  instants: readonly number[];
  time: number;
  /** Weather clock of the service, Unix seconds. */
  now: number;
  /** Base time of the run shown, Unix seconds. */
  runTime: number | undefined;
  /** What is shown before it is hindcast, Unix seconds; undefined: all of it. */
  forecastFrom: number | undefined;
  /** Which dataset answers at the time shown. */
  dataset: string | undefined;
  /** Name of the layer where it does not change with time. */
  fixed: string | undefined;
  zone: Zone;
  playing: boolean;
  onPlay(): void;
  onTime(time: number): void;
}

/** Which instant the map shows. */
export function TimeBar({
  instants,
  time,
  now,
  runTime,
  dataset,
  fixed,
  forecastFrom,
  zone,
  playing,
  onPlay,
  onTime,
}: Props) {
  const index = nearestIndex(instants, time);
  const go = (to: number) => {
    const instant = instants[Math.min(instants.length - 1, Math.max(0, to))];
    if (instant !== undefined) onTime(instant);
  };
  const goDay = (days: number) => go(nearestIndex(instants, time + days * DAY_S));
  const [first = time, last = time] = [instants[0], instants.at(-1)];
  const label = timeText(time, runTime, zone);
  const kind = [fixed ? `${fixed} does not change with time` : dataset, agoText(time, now)]
    .filter(Boolean)
    .join(" · ");
  const ticks = useId();
  const marks = {
    "--past": shareAt(instants, now),
    "--hindcast": forecastFrom === undefined ? 1 : shareAt(instants, forecastFrom),
    "--run": runTime === undefined || runTime < first ? -1 : shareAt(instants, runTime),
  };
  return (
    <section aria-label="Time" className="surface time-bar">
      <div className="flex gap-1">
        <button
          type="button"
          className="button max-md:hidden"
          aria-label="Back one day"
          disabled={time <= first}
          onClick={() => goDay(-1)}
        >
          <span aria-hidden="true">−24</span>
        </button>
        <button
          type="button"
          className="button"
          aria-label="Back one step"
          disabled={index <= 0}
          onClick={() => go(index - 1)}
        >
          <Icon name="back" />
        </button>
        <button
          type="button"
          className="button"
          aria-label={playing ? "Pause" : "Play"}
          disabled={index >= instants.length - 1}
          onClick={onPlay}
        >
          <Icon name={playing ? "pause" : "play"} className="size-4" />
        </button>
        <button
          type="button"
          className="button"
          aria-label="Forward one step"
          disabled={index >= instants.length - 1}
          onClick={() => go(index + 1)}
        >
          <Icon name="forward" />
        </button>
        <button
          type="button"
          className="button max-md:hidden"
          aria-label="Forward one day"
          disabled={time >= last}
          onClick={() => goDay(1)}
        >
          <span aria-hidden="true">+24</span>
        </button>
        <button type="button" className="button px-2" onClick={() => go(nearestIndex(instants, now))}>
          Now
        </button>
      </div>
      <p className="min-w-0 font-medium text-sm tabular-nums leading-tight max-md:flex-1 md:w-64">
        {label} <span className="block font-normal text-muted text-xs">{kind}</span>
      </p>
      <div className="flex w-full items-center gap-3 text-muted text-xs tabular-nums md:w-auto md:flex-1">
        {instants.length > 1 ? <span className="max-lg:sr-only">{shortTime(first, zone)}</span> : null}
        <div className="timeline flex-1" style={marks as CSSProperties}>
          <input
            type="range"
            list={ticks}
            aria-label="Time of the map"
            aria-valuetext={`${label}, ${kind}`}
            min={0}
            max={Math.max(0, instants.length - 1)}
            step={1}
            value={Math.max(0, index)}
            disabled={instants.length < 2}
            onChange={(event) => go(Number(event.target.value))}
            onKeyDown={(event) => {
              const days = { PageUp: 1, PageDown: -1 }[event.key];
              if (!days) return;
              event.preventDefault();
              goDay(days);
            }}
            className="block h-6 w-full accent-accent"
          />
          <datalist id={ticks}>
            {dayStarts(instants).map((start) => (
              <option key={start} value={start} />
            ))}
          </datalist>
        </div>
        {instants.length > 1 ? <span className="max-lg:sr-only">{shortTime(last, zone)}</span> : null}
      </div>
    </section>
  );
}
