import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { nearestSample } from "#components/ui/chart.ts";
import { useWidth } from "#components/ui/use-width.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { layerName } from "#components/view-state/overlays.ts";
import { instantBeside, nearestIndex } from "#components/view-state/timeline.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { inSentence } from "#lib/messages/words.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { keyValues, peekParts } from "./format-conditions.ts";
import { MeteogramPicture } from "./meteogram-picture.tsx";
import { layOut, type MeteogramRow } from "./meteogram-rows.ts";
import type { RunSeries } from "./run-spread.ts";
import type { SeriesRow } from "./use-conditions.ts";

export interface SeriesProps {
  rows: readonly SeriesRow[];
  /** Time of the map, marked. */
  time: number;
}

interface MeteogramProps extends SeriesProps {
  /** What the last runs say, newest first: thin lines behind the newest. */
  runs?: readonly RunSeries[] | undefined;
}

/** Inside the panel of a desk, pixels; until the width is measured. */
const USUAL_WIDTH = 347;

/** A time of the map this near to what was pointed at is taken, seconds: steps of forecasts are at most 3 h apart. */
const NEAR_S = 1.5 * HOUR_S;

/**
 * Wind with gusts, waves and current over the days. It is a slider: a click, a tap and arrow keys set the time of the map;
 * the values under the pointer, or else of that time, are above it. The table has the same in numbers.
 */
export function Meteogram({ rows, time, runs }: MeteogramProps) {
  const { view, zone } = useView();
  const { words } = zone;
  const { chart, heading } = words.point;
  const { instants, setTime } = useClock();
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, USUAL_WIDTH);
  const [pointed, setPointed] = useState<number>();
  const layout = useMemo(
    () => layOut(rows, width, view.u, zone, runs?.slice(1)),
    [rows, width, view.u, zone, runs],
  );
  const times = useMemo(() => rows.map((row) => row.time), [rows]);
  if (layout.rows.length === 0) return null;
  const [first = time, last = time] = [times[0], times.at(-1)];
  const clamped = Math.min(last, Math.max(first, time));
  const row = rows[nearestSample(times, pointed ?? clamped)];
  if (!row) return null;
  // What is spoken is of the time of the map, whatever the pointer is at.
  const spoken = rows[nearestSample(times, clamped)] ?? row;
  const values = keyValues(spoken.conditions, view.u, words)
    .map((line) => line.spoken)
    .join(words.ui.joins.sentences);
  const shownTime = formatShortTime(time, zone);

  /** The time of the map nearest to one, or the hour where the layer has none near. */
  const settable = (at: number) => {
    const near = instants[nearestIndex(instants, at)];
    return near !== undefined && Math.abs(near - at) <= NEAR_S
      ? near
      : (times[nearestSample(times, at)] ?? at);
  };
  const timeUnder = ({ clientX }: { clientX: number }) => {
    const left = element.current?.getBoundingClientRect().left ?? 0;
    return settable(Math.min(last, Math.max(first, layout.timeAt(clientX - left))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowRight: instantBeside(instants, time, 1) ?? time + HOUR_S,
      ArrowUp: instantBeside(instants, time, 1) ?? time + HOUR_S,
      ArrowLeft: instantBeside(instants, time, -1) ?? time - HOUR_S,
      ArrowDown: instantBeside(instants, time, -1) ?? time - HOUR_S,
      PageUp: time + DAY_S,
      PageDown: time - DAY_S,
      Home: first,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setPointed(undefined);
    const within = Math.min(last, Math.max(first, to));
    setTime(event.key.startsWith("Arrow") ? within : settable(within));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== "touch") setPointed(timeUnder(event));
  };
  return (
    <div className="meteogram">
      <p className="meteogram-readout" data-testid="meteogram-readout" aria-hidden="true">
        <span className="font-medium">{formatShortTime(row.time, zone)}</span>
        {peekParts(row.conditions, view.u, words).map(({ variable, text }) => (
          <span key={variable}>{text}</span>
        ))}
      </p>
      <div
        ref={element}
        role="slider"
        tabIndex={0}
        aria-label={chart.slider}
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={clamped}
        aria-valuetext={
          spoken.time === time
            ? heading({ of: shownTime, sentences: values })
            : chart.valuesOf({ time: shownTime, of: formatShortTime(spoken.time, zone), values })
        }
        className="meteogram-slider"
        onClick={(event) => {
          setPointed(undefined);
          setTime(timeUnder(event));
        }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointed(undefined)}
        onKeyDown={onKeyDown}
      >
        <MeteogramPicture layout={layout} width={width} zone={zone} time={time} pointed={pointed} />
      </div>
      <ArrowNote rows={layout.rows} />
    </div>
  );
}

/** Says what the arrows are of, and why the current has none where it has none. */
export function ArrowNote({
  rows,
}: {
  rows: readonly Pick<MeteogramRow, "name" | "arrows" | "isTooSparse">[];
}) {
  const words = useWords();
  const { chart } = words.point;
  const names = rows.filter(({ arrows }) => arrows.length > 0).map(({ name }) => layerName(name, words));
  return (
    <p className="text-muted text-xs">
      {names.length > 0 ? `${chart.arrows(inSentence(names.join(words.ui.joins.list)))} ` : null}
      {rows.some(({ isTooSparse }) => isTooSparse) ? chart.sparse : null}
    </p>
  );
}
