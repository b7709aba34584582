import type { KeyboardEvent, ReactNode } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAge, formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import { snapped, stepBeside, WINDOW_S } from "#components/view-state/time-window.ts";
import { answeredTime, nearestIndex } from "#components/view-state/timeline.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { datasetTitle } from "#lib/messages/words.ts";
import { DAY_S } from "#lib/time.ts";
import { TimelineScale } from "./timeline-scale.tsx";

interface Props {
  /** Base time of the run shown, Unix seconds. */
  runTime: number | undefined;
  /** Dataset that covers the time shown. */
  dataset: string | undefined;
  /** Time of what is drawn, Unix seconds, where it is not the one wanted. */
  oldTime?: number | undefined;
  /** Name of the layer, if it is static. */
  staticLayer: string | undefined;
  playing: boolean;
  onPlay(): void;
  /** Opens the dialog for a date and a time. */
  onPick(): void;
}

/** The instant that the map shows, and ways to another one; nothing until it is known. */
export function TimeBar({ runTime, dataset, oldTime, staticLayer, playing, onPlay, onPick }: Props) {
  const { now, drawn, instants, present, window, segments, stepHours, setTime, ...clock } = useClock();
  const { zone } = useView();
  const words = useWords();
  const { bar } = words.time;
  // While it plays, the bar names the time of the picture, not of the one that is on its way.
  const time = playing ? (drawn ?? clock.time) : clock.time;
  // Its place is kept: the map above does not change its size when the times have been read.
  if (time === undefined || (instants.length === 0 && !window.isPast))
    return <div className="surface time-bar" />;
  const { isPast } = window;
  const go = (to: number | undefined) => {
    if (to !== undefined) setTime(to);
  };
  const [earlier, later] = [
    stepBeside(instants, time, -1, stepHours),
    stepBeside(instants, time, 1, stepHours),
  ];
  const goDay = (days: number) => go(instants[nearestIndex(instants, time + days * DAY_S)]);
  const [first = time, last = time] = [instants[0], instants.at(-1)];
  const label = formatTime(time, runTime, zone);
  const about = [
    staticLayer ? bar.unchanging({ layer: staticLayer }) : dataset && datasetTitle(dataset, words),
    formatAge(time, now, words),
    time >= last && instants.length > 1 && time > now ? bar.last : "",
  ]
    .filter(Boolean)
    .join(" · ");
  const origin = oldTime === undefined ? about : bar.old({ time: formatShortTime(oldTime, zone) });
  const onKeyDown = (event: KeyboardEvent) => {
    const days = { PageUp: 1, PageDown: -1 }[event.key];
    const step = { ArrowRight: later, ArrowUp: later, ArrowLeft: earlier, ArrowDown: earlier }[event.key];
    if (!days && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (days) goDay(days);
    else go(step);
  };
  const goWindow = (by: 1 | -1) => answeredTime(time + by * WINDOW_S, now);
  const playIcon = <Icon name={playing ? "pause" : "play"} className="size-4" />;
  const span = window.to - window.from;
  return (
    <section aria-label={bar.title} className="surface time-bar">
      <div className="flex gap-1">
        {step(bar.dayBack, time <= first, () => goDay(-1), "−24")}
        {step(bar.stepBack, earlier === undefined, () => go(earlier), <Icon name="back" />)}
        {step(playing ? bar.pause : bar.play, later === undefined, onPlay, playIcon)}
        {step(bar.stepAhead, later === undefined, () => go(later), <Icon name="forward" />)}
        {step(bar.dayAhead, time >= last, () => goDay(1), "+24")}
        {isPast ? (
          <button
            type="button"
            className="button px-2"
            aria-label={bar.toForecast}
            onClick={() => go(present)}
          >
            <span className="md:hidden">{bar.toForecastShort}</span>
            <span className="max-md:hidden">{bar.toForecast}</span>
          </button>
        ) : (
          <button type="button" className="button px-2" onClick={() => go(present)}>
            {bar.now}
          </button>
        )}
      </div>
      <button type="button" className="time-label" aria-haspopup="dialog" onClick={onPick}>
        <span className="min-w-0 flex-1">
          <span className="block font-medium text-sm">{label}</span>{" "}
          <span className="block text-muted text-xs">{origin}</span>
        </span>
        <Icon name="calendar" className="size-5 max-md:hidden" />
        <span className="sr-only">{bar.choose}</span>
      </button>
      <div className="flex w-full items-start gap-1 md:w-auto md:flex-1 md:basis-60">
        {isPast
          ? step(bar.earlier, goWindow(-1) >= time, () => go(goWindow(-1)), <Icon name="earlier" />)
          : null}
        <div className="timeline" data-past={isPast || undefined}>
          <input
            type="range"
            aria-label={bar.slider}
            aria-valuetext={bar.value({ time: label, about: origin })}
            min={window.from}
            max={Math.max(window.to, window.from + 1)}
            step="any"
            value={time}
            disabled={span === 0}
            onChange={(event) => go(snapped(instants, Number(event.target.value), stepHours))}
            onKeyDown={onKeyDown}
          />
          <TimelineScale window={window} segments={segments} now={now} runTime={runTime} zone={zone} />
        </div>
        {isPast ? step(bar.later, false, () => go(goWindow(1)), <Icon name="later" />) : null}
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
