import { type CSSProperties, type ReactNode, useId } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAge, formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import { dayStarts, fractionAt, instantBeside, nearestIndex } from "#components/view-state/timeline.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { DAY_S } from "#lib/time.ts";

interface Props {
  /** Base time of the run shown, Unix seconds. */
  runTime: number | undefined;
  /** Start of the forecast, Unix seconds; undefined: everything is a hindcast. */
  forecastFrom: number | undefined;
  /** Dataset that covers the time shown. */
  dataset: string | undefined;
  /** Time of what is drawn, Unix seconds, where it is not the one wanted. */
  oldTime?: number | undefined;
  /** Name of the layer, if it is static. */
  staticLayer: string | undefined;
  playing: boolean;
  onPlay(): void;
}

/** The instant that the map shows, and ways to another one; nothing until it is known. */
export function TimeBar({ runTime, dataset, oldTime, staticLayer, forecastFrom, playing, onPlay }: Props) {
  const { now, time, instants, setTime } = useClock();
  const { zone } = useView();
  const ticks = useId();
  if (time === undefined || instants.length === 0) return null;
  const index = nearestIndex(instants, time);
  const lastIndex = instants.length - 1;
  const go = (to: number) => {
    const instant = instants[Math.min(lastIndex, Math.max(0, to))];
    if (instant !== undefined) setTime(instant);
  };
  const [earlier, later] = [instantBeside(instants, time, -1), instantBeside(instants, time, 1)];
  const goDay = (days: number) => go(nearestIndex(instants, time + days * DAY_S));
  const [first = time, last = time] = [instants[0], instants.at(-1)];
  const label = formatTime(time, runTime, zone);
  const ends = index === lastIndex && lastIndex > 0 && time > now ? "last time" : "";
  const about = [
    staticLayer ? `${staticLayer} does not change with time` : dataset,
    formatAge(time, now),
    ends,
  ]
    .filter(Boolean)
    .join(" · ");
  const origin = oldTime === undefined ? about : `still shows ${formatShortTime(oldTime, zone)}`;
  const marks = {
    "--past": fractionAt(instants, now),
    "--hindcast": forecastFrom === undefined ? 1 : fractionAt(instants, forecastFrom),
    "--run": runTime === undefined || runTime < first ? -1 : fractionAt(instants, runTime),
  };
  const playIcon = <Icon name={playing ? "pause" : "play"} className="size-4" />;
  return (
    <section aria-label="Time" className="surface time-bar">
      <div className="flex gap-1">
        {step("Back one day", time <= first, () => goDay(-1), "−24")}
        {step("Back one step", earlier === undefined, () => setTime(earlier ?? first), <Icon name="back" />)}
        {step(playing ? "Pause" : "Play", later === undefined, onPlay, playIcon)}
        {step("Forward one step", later === undefined, () => setTime(later ?? last), <Icon name="forward" />)}
        {step("Forward one day", time >= last, () => goDay(1), "+24")}
        <button type="button" className="button px-2" onClick={() => go(nearestIndex(instants, now))}>
          Now
        </button>
      </div>
      <p className="min-w-0 font-medium text-sm tabular-nums leading-tight max-md:flex-1 md:w-72">
        {label} <span className="block font-normal text-muted text-xs">{origin}</span>
      </p>
      <div className="flex w-full items-center gap-3 text-muted text-xs tabular-nums md:w-auto md:flex-1">
        {instants.length > 1 ? <span className="max-lg:sr-only">{formatShortTime(first, zone)}</span> : null}
        <div className="timeline flex-1" style={marks as CSSProperties}>
          <input
            type="range"
            list={ticks}
            aria-label="Time of the map"
            aria-valuetext={`${label}, ${origin}`}
            min={0}
            max={lastIndex}
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
        {instants.length > 1 ? <span className="max-lg:sr-only">{formatShortTime(last, zone)}</span> : null}
      </div>
    </section>
  );
}

/** A button that changes the time. A phone has no room for those with a text. */
function step(label: string, disabled: boolean, onClick: () => void, content: ReactNode) {
  const hidden = typeof content === "string" ? "max-md:hidden" : "";
  return (
    <button
      type="button"
      className={`button ${hidden}`}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      <span aria-hidden="true">{content}</span>
    </button>
  );
}
