import { type CSSProperties, type KeyboardEvent, type ReactNode, useMemo, useSyncExternalStore } from "react";
import { Button } from "#components/ui/button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { alongTime, type ConditionsThen } from "#components/view-state/along-time.ts";
import { type CivilDate, daysFrom, daysWithin, type Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import {
  formatAge,
  formatBarDay,
  formatClock,
  formatDay,
  formatShortTime,
  formatTime,
} from "#components/view-state/format-time.ts";
import { mapColour, type Theme } from "#components/view-state/map-colours.ts";
import {
  type Segment,
  type Span,
  snapped,
  stepBeside,
  type TimeWindow,
  WINDOW_S,
} from "#components/view-state/time-window.ts";
import { answeredTime, nearestIndex } from "#components/view-state/timeline.ts";
import { useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type DrawnVariable, drawnVariables, paintedOutput } from "#lib/catalog/colours.ts";
import { datasetTitle } from "#lib/messages/words.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { useFinger } from "./use-finger.ts";

interface Props {
  /** Base time of the displayed run, Unix seconds. */
  runTime: number | undefined;
  dataset: string | undefined;
  /** Time of the drawn field, Unix seconds, if it is not the requested one. */
  oldTime?: number | undefined;
  /** Name of the layer if it is static. */
  staticLayer: string | undefined;
  playing: boolean;
  onPlay(): void;
  onPick(): void;
}

/** The displayed instant and controls to change it; empty until it is known. */
export function TimeBar({ runTime, dataset, oldTime, staticLayer, playing, onPlay, onPick }: Props) {
  const { now, drawn, instants, present, window, segments, stepHours, setTime, ...clock } = useClock(
    "now",
    "drawn",
    "instants",
    "present",
    "window",
    "segments",
    "stepHours",
    "setTime",
    "time",
  );
  const zone = useZone();
  const words = useWords();
  const { bar } = words.time;
  // While playing, the bar names the time of the picture, not of the one that is loading.
  const time = playing ? (drawn ?? clock.time) : clock.time;
  const go = (to: number | undefined) => {
    if (to !== undefined) setTime(to);
  };
  const { finger, handlers } = useFinger({
    window,
    time,
    onTime: (at) => go(snapped(instants, at, stepHours)),
  });
  // The empty bar reserves its space, so that the map does not change its size when the times arrive.
  if (time === undefined || (instants.length === 0 && !window.isPast))
    return <div className="surface time-bar" />;
  const { isPast } = window;
  const [earlier, later] = [
    stepBeside(instants, time, -1, stepHours),
    stepBeside(instants, time, 1, stepHours),
  ];
  const goDay = (days: number) => go(instants[nearestIndex(instants, time + days * DAY_S)]);
  const last = instants.at(-1) ?? time;
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
  // Below a finger the bar keeps its length, so this button neither comes nor goes.
  const isAway = present !== undefined && (finger?.start ?? time) !== present;
  return (
    <section aria-label={bar.title} className="surface time-bar one-line" data-past={isPast || undefined}>
      <div className="time-steps">
        {step(bar.stepBack, earlier === undefined, () => go(earlier), <Icon name="back" />)}
        {step(playing ? bar.pause : bar.play, later === undefined, onPlay, playIcon)}
        {step(bar.stepAhead, later === undefined, () => go(later), <Icon name="forward" />)}
      </div>
      <button type="button" className="time-label" aria-haspopup="dialog" onClick={onPick}>
        <span className="time-long">{label}</span>
        <span className="time-short" aria-hidden="true">
          <span>{formatDay(time, zone)}</span>
          <span>{`${formatClock(time, zone)} ${zone.label(time)}`}</span>
        </span>
        <span className="sr-only">{bar.choose}</span>
      </button>
      {isPast ? (
        <Button className="px-2" aria-label={bar.toForecast} onClick={() => go(present)}>
          {bar.toForecastShort}
        </Button>
      ) : isAway ? (
        <Button className="px-2" onClick={() => go(present)}>
          {bar.now}
        </Button>
      ) : null}
      {isPast
        ? step(bar.earlier, goWindow(-1) >= time, () => go(goWindow(-1)), <Icon name="earlier" />)
        : null}
      <div className="timeline" data-past={isPast || undefined} {...handlers}>
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
        {finger ? (
          <span
            aria-hidden="true"
            className="timeline-finger surface"
            data-fine={finger.isFine || undefined}
            style={{ left: `min(${finger.x}px, 100% - 5.5rem)` }}
          >
            {`${formatDay(time, zone)} ${formatClock(time, zone)}`}
          </span>
        ) : null}
      </div>
      {isPast ? step(bar.later, false, () => go(goWindow(1)), <Icon name="later" />) : null}
    </section>
  );
}

/** A button that changes the time. */
function step(label: string, disabled: boolean, onClick: () => void, content: ReactNode) {
  return (
    <button type="button" className="button" aria-label={label} disabled={disabled} onClick={onClick}>
      <span aria-hidden="true">{content}</span>
    </button>
  );
}

interface ScaleProps {
  window: TimeWindow;
  segments: readonly Segment[];
  /** Unix seconds. */
  now: number;
  /** Base time of the displayed run, Unix seconds. */
  runTime: number | undefined;
  zone: Zone;
}

/** The scale below the slider: segments with forecast, past or no data; now and the run; the days. */
function TimelineScale({ window, segments, now, runTime, zone }: ScaleProps) {
  const { from, to } = window;
  const share = (time: number) => (100 * (time - from)) / (to - from);
  const place = (span: { from: number; to: number }): CSSProperties => ({
    left: `${share(span.from)}%`,
    width: `${share(span.to) - share(span.from)}%`,
  });
  const isOn = (time: number | undefined): time is number => time !== undefined && time >= from && time <= to;
  const hours = useSyncExternalStore(alongTime.subscribe, alongTime.read, alongTime.read);
  const { l: layer } = useView("l");
  const theme = useShownTheme();
  const coloured = useMemo(
    () => segments.map((segment) => ({ ...segment, image: coloursAlong(segment, hours, layer, theme) })),
    [segments, hours, layer, theme],
  );
  if (to <= from) return null;
  const marks = dayMarks(window, zone);
  const today = marks.find((mark) => now >= mark.from && now < mark.to);
  return (
    // The scale is as long as the path of the thumb's centre.
    <div aria-hidden="true" className="mx-2">
      <div className="timeline-strip">
        {coloured.map(({ image, ...segment }) => (
          <span
            key={segment.from}
            data-kind={segment.kind}
            style={{ ...place(segment), backgroundImage: image }}
          />
        ))}
        {isOn(now) ? <i className="z-1 w-[2px] -ml-px bg-text" style={{ left: `${share(now)}%` }} /> : null}
        {isOn(runTime) ? (
          <i className="timeline-run" style={{ left: `${share(runTime)}%` }}>
            <b>{zone.words.time.bar.run}</b>
          </i>
        ) : null}
      </div>
      <div className="timeline-days">
        {marks.map((mark, index) => {
          // Names that remain on narrow bars are counted from today.
          const rank = Math.abs(today ? daysFrom(today.date, mark.date) : index);
          return (
            <span
              key={mark.from}
              style={place(mark)}
              data-today={mark === today || undefined}
              data-thin={[8, 4, 2].find((days) => rank % days === 0)}
            >
              {mark.isNamed ? <small>{formatBarDay(mark.date, zone.words)}</small> : null}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** Seconds between the colours of the bar, on which a day is at most some sixty pixels wide. */
const COLOUR_STEP_S = 3 * HOUR_S;

/**
 * Colours of the map for the coming hours at a place, as an image as long as a segment, transparent where no value is
 * known; undefined for other segments, and where the layer has no value there.
 */
export function coloursAlong(
  { from, to, kind }: Segment,
  hours: readonly ConditionsThen[],
  layer: string,
  theme: Theme | undefined,
): string | undefined {
  const variable: DrawnVariable | undefined = drawnVariables.find((name) => name === layer);
  if (kind !== "forecast" || !variable || !theme) return undefined;
  const { point } = paintedOutput(variable);
  const stopAt = (time: number, colour: string) =>
    `${colour} ${((100 * (time - from)) / (to - from)).toFixed(1)}%`;
  const stops: string[] = [];
  let known = from;
  for (const { time, conditions } of hours) {
    const value = conditions[point];
    if (time < from || time > to || time % COLOUR_STEP_S !== 0 || typeof value !== "number") continue;
    if (time - known > COLOUR_STEP_S) stops.push(stopAt(known, "transparent"), stopAt(time, "transparent"));
    stops.push(stopAt(time, mapColour(variable, value, theme)));
    known = time;
  }
  if (to - known > COLOUR_STEP_S) stops.push(stopAt(known, "transparent"));
  return stops.length > 1 ? `linear-gradient(to right, ${stops.join(", ")})` : undefined;
}

interface DayMark extends Span {
  date: CivilDate;
  /** Enough of the day is on the bar for its name. */
  isNamed: boolean;
}

/** The days of a window in a time zone, ascending. */
export function dayMarks({ from, to }: Span, zone: Zone): DayMark[] {
  return daysWithin(from, to, zone).map((day) => {
    const shown = { from: Math.max(from, day.from), to: Math.min(to, day.to) };
    return { ...shown, date: day.date, isNamed: shown.to - shown.from >= 0.75 * DAY_S };
  });
}
