import { type CSSProperties, useId } from "react";
import { dayStarts, nearestIndex } from "#components/time/timeline.ts";
import { agoText, shortTime, timeText } from "#components/time/words.ts";

interface Props {
  /** Instants that can be shown, ascending, Unix seconds; at least one. */
  instants: readonly number[];
  time: number;
  /** Weather clock of the service, Unix seconds. */
  now: number;
  /** Base time of the run shown, Unix seconds. */
  runTime: number | undefined;
  /** Which dataset answers at the time shown. */
  dataset: string | undefined;
  onTime(time: number): void;
}

const DAY_S = 86_400;

/** Which instant the map shows. */
export function TimeBar({ instants, time, now, runTime, dataset, onTime }: Props) {
  const index = nearestIndex(instants, time);
  const go = (to: number) => {
    const instant = instants[Math.min(instants.length - 1, Math.max(0, to))];
    if (instant !== undefined) onTime(instant);
  };
  const goDay = (days: number) => go(nearestIndex(instants, time + days * DAY_S));
  const [first = time, last = time] = [instants[0], instants.at(-1)];
  const label = timeText(time, runTime);
  const kind = [dataset, agoText(time, now)].filter(Boolean).join(" · ");
  const ticks = useId();
  const past = nearestIndex(instants, now) / Math.max(1, instants.length - 1);
  const button = (name: string, symbol: string, act: () => void, disabled: boolean) => (
    <button type="button" className="button" aria-label={name} disabled={disabled} onClick={act}>
      <span aria-hidden="true">{symbol}</span>
    </button>
  );
  return (
    <section
      aria-label="Time"
      className="surface flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-3 py-2 md:flex-nowrap md:px-4"
    >
      <div className="flex gap-1">
        {button("Back one day", "−24", () => goDay(-1), time <= first)}
        {button("Back one step", "◀", () => go(index - 1), index <= 0)}
        {button("Forward one step", "▶", () => go(index + 1), index >= instants.length - 1)}
        {button("Forward one day", "+24", () => goDay(1), time >= last)}
        <button type="button" className="button" onClick={() => go(nearestIndex(instants, now))}>
          Now
        </button>
      </div>
      <p className="min-w-52 flex-1 font-medium text-sm tabular-nums md:flex-none">
        {label} <span className="block font-normal text-muted text-xs">{kind}</span>
      </p>
      <div className="flex w-full items-center gap-3 text-muted text-xs tabular-nums md:w-auto md:flex-1">
        {instants.length > 1 ? <span className="max-md:sr-only">{shortTime(first)}</span> : null}
        <div className="timeline flex-1" style={{ "--past": past } as CSSProperties}>
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
        {instants.length > 1 ? <span className="max-md:sr-only">{shortTime(last)}</span> : null}
      </div>
    </section>
  );
}
