import { nightsAt } from "@open-metocean/geo/sun";
import { useCallback, useMemo, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { DirectionGlyph } from "#components/ui/direction-glyph.tsx";
import { PrintedPage } from "#components/ui/printed-page.tsx";
import type { FurtherRow } from "#components/ui/time-chart.tsx";
import { civilOf, daysWithin, type Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatClock, formatDay, formatShortTime } from "#components/view-state/format-time.ts";
import { useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import { positionText } from "#lib/position.ts";
import { svgPaths } from "#lib/symbols/symbols.ts";
import { HOUR_S } from "#lib/time.ts";
import { type ForecastCell, type ForecastRow, forecastRows } from "./forecast-rows.ts";
import { glyphOf } from "./meteogram.tsx";
import type { ModelSteps } from "./model-steps.ts";
import type { PointSample, SeriesRow } from "./point-queries.ts";

interface Props {
  sample: PointSample;
  /** Name of the place; its position if it has none. */
  title: string | undefined;
  rows: readonly SeriesRow[];
  steps: ModelSteps;
  further: FurtherRow | undefined;
  /** Prints the page; undefined while printing. */
  print: (() => void) | undefined;
  onClose(): void;
}

/** Interval of the hours at first, and on paper. */
const FEW_HOURS = 3;

/** The coming hours in numbers on the colours of the map, the present first; a pressed hour is shown on the map. */
export function ForecastDialog({ sample, title, rows, steps, further, print, onClose }: Props) {
  const view = useView("u");
  const theme = useShownTheme() ?? "light";
  const zone = useZone();
  const { now, setTime } = useClock("now", "setTime");
  const [isHourly, setHourly] = useState(false);
  const [isPrinted, setPrinted] = useState(false);
  const endPrint = useCallback(() => setPrinted(false), []);
  const { words } = zone;
  const { point, screen } = words;
  const coming = useMemo(() => hoursFrom(rows, now), [rows, now]);
  const few = useMemo(() => coming.filter(isEvery(FEW_HOURS, zone)), [coming, zone]);
  const shown = isHourly ? coming : few;
  const quantities = useMemo(
    () => forecastRows(coming, { units: view.u, theme, words, further }),
    [coming, view.u, theme, words, further],
  );
  const where = title ?? positionText(sample.place.latitude, sample.place.longitude);
  const isStep = useMemo(() => {
    const known = new Set(steps.wind);
    return (time: number) => known.size === 0 || known.has(time);
  }, [steps]);
  return (
    <Dialog
      title={`${point.table.title} · ${where}`}
      onClose={onClose}
      wide="full"
      tools={
        <>
          <button
            type="button"
            className="toggle"
            aria-pressed={isHourly}
            onClick={() => setHourly(!isHourly)}
          >
            {point.hourByHour}
          </button>
          <button
            type="button"
            className="toggle"
            disabled={!print}
            onClick={() => {
              setPrinted(true);
              print?.();
            }}
          >
            {screen.panel.print}
          </button>
        </>
      }
    >
      <ForecastTable
        hours={shown}
        quantities={quantities}
        sample={sample}
        zone={zone}
        isStep={isStep}
        onTime={(time) => {
          setTime(time);
          onClose();
        }}
      />
      {shown.every(({ time }) => isStep(time)) ? null : (
        <p className="mt-2 text-muted text-sm">{point.table.between}</p>
      )}
      {isPrinted ? (
        <PrintedPage onEnd={endPrint}>
          <PrintedTable
            heading={`${where} · ${formatShortTime(now, zone)} ${zone.label(now)}`}
            hours={few}
            quantities={quantities}
            zone={zone}
          />
        </PrintedPage>
      ) : null}
    </Dialog>
  );
}

/** The hours from now on; all of them if none is ahead. */
function hoursFrom(rows: readonly SeriesRow[], now: number): readonly SeriesRow[] {
  const coming = rows.filter(({ time }) => time > now - HOUR_S);
  return coming.length > 0 ? coming : rows;
}

/** Whether an hour is the first, or a multiple of some hours by the clock of a zone. */
const isEvery =
  (hours: number, zone: Zone) =>
  ({ time }: SeriesRow, index: number) =>
    index === 0 || civilOf(time, zone).hour % hours === 0;

interface TableProps {
  hours: readonly SeriesRow[];
  quantities: readonly ForecastRow[];
  sample: PointSample;
  zone: Zone;
  /** Whether a model has a step at a time. */
  isStep(time: number): boolean;
  onTime(time: number): void;
}

const HEAD = "sticky left-0 z-1 bg-surface pr-2 text-left font-normal text-xs leading-4";

/** One column per hour; days and quantities stay in view while it is scrolled. */
export function ForecastTable({ hours, quantities, sample, zone, isStep, onTime }: TableProps) {
  const { table } = zone.words.point;
  const [first, last] = [hours[0]?.time ?? 0, hours.at(-1)?.time ?? 0];
  const nights = useMemo(() => nightsAt(sample.place, first, last), [sample.place, first, last]);
  const days = daysWithin(first, last + 1, zone).flatMap((day) => {
    const { length } = hours.filter(({ time }) => time >= day.from && time < day.to);
    return length > 0 ? [{ ...day, length }] : [];
  });
  const starts = new Set(days.map(({ from }) => hours.find(({ time }) => time >= from)?.time));
  // The last hour that is not after the time of the map.
  const current = hours.findLast(({ time }) => time <= sample.time)?.time;
  const edge = (time: number) => (starts.has(time) ? "border-l border-l-line" : "");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section className="forecast-scroll" aria-label={table.caption} tabIndex={0}>
      <table className="border-separate border-spacing-0 text-center text-sm tabular-nums">
        <caption className="sr-only">{table.caption}</caption>
        <thead className="sticky top-0 z-2 bg-surface">
          <tr>
            <td className={HEAD} />
            {days.map(({ from, length }) => (
              <th
                key={from}
                scope="colgroup"
                colSpan={length}
                className="h-8 border-l border-l-line text-left"
              >
                <span className="sticky left-24 inline-block whitespace-nowrap px-2 font-semibold">
                  {formatDay(Math.max(from, first), zone)}
                </span>
              </th>
            ))}
          </tr>
          <tr>
            <th scope="row" className={HEAD}>
              {zone.label(first)}
            </th>
            {hours.map(({ time }) => (
              <th
                key={time}
                scope="col"
                aria-current={time === current ? "time" : undefined}
                className={`p-0 ${edge(time)} ${nights.some(({ from, to }) => time >= from && time < to) ? "bg-(--night)" : ""}`}
              >
                <button
                  type="button"
                  className={`h-8 w-full min-w-14 pointer-coarse:h-11 hover:underline ${time === current ? "border-b-3 border-b-accent" : ""} ${isStep(time) ? "font-semibold" : "font-normal text-muted"}`}
                  aria-label={table.show({ day: formatDay(time, zone), clock: formatClock(time, zone) })}
                  onClick={() => onTime(time)}
                >
                  {formatClock(time, zone)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {quantities.map((quantity) => (
            <tr key={quantity.id} data-quantity={quantity.id}>
              <Head quantity={quantity} className={`${HEAD} min-w-24`} />
              {hours.map((hour) => (
                <Cell
                  key={hour.time}
                  quantity={quantity}
                  cell={quantity.cellAt(hour)}
                  className={edge(hour.time)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head({
  quantity: { head, spokenHead },
  className,
  scope = "row",
}: {
  quantity: ForecastRow;
  className: string;
  scope?: "row" | "col";
}) {
  return (
    <th scope={scope} className={className}>
      {spokenHead ? <span className="sr-only">{spokenHead}</span> : null}
      <span aria-hidden={spokenHead ? true : undefined}>{head}</span>
    </th>
  );
}

interface CellProps {
  quantity: ForecastRow;
  cell: ForecastCell;
  className: string;
}

function Cell({ quantity: { layer, isLarge }, cell: { text, tint, towards }, className }: CellProps) {
  return (
    <td style={tint} className={`${className} ${isLarge ? "h-9 font-semibold text-xl" : "h-7"}`}>
      {layer && towards !== undefined ? (
        <span className="flex items-center justify-center whitespace-nowrap text-[0.6875rem]">
          <DirectionGlyph {...svgPaths(glyphOf(layer, 1))} towards={towards} />
          {text}
        </span>
      ) : (
        text
      )}
    </td>
  );
}

interface PrintedProps extends Pick<TableProps, "hours" | "quantities" | "zone"> {
  heading: string;
}

/** Most lines of a printed page. */
const LINES = 84;

/** The table on a page of paper, with one line per hour. */
export function PrintedTable({ heading, hours, quantities, zone }: PrintedProps) {
  const shown = hours.length > LINES ? hours.filter(isEvery(2 * FEW_HOURS, zone)) : hours;
  const starts = new Set(
    daysWithin(shown[0]?.time ?? 0, (shown.at(-1)?.time ?? 0) + 1, zone).map(({ from }) => from),
  );
  const isFirst = (time: number, index: number) =>
    index === 0 || [...starts].some((from) => from > shown[index - 1]!.time && from <= time);
  return (
    <section>
      <h1 className="font-semibold text-lg">{heading}</h1>
      <table className="w-full border-collapse text-center text-[6.5pt] tabular-nums leading-[2.9mm]">
        <thead>
          <tr>
            <th colSpan={2} className="text-left">
              {zone.label(shown[0]?.time ?? 0)}
            </th>
            {quantities.map((quantity) => (
              <Head key={quantity.id} quantity={quantity} className="align-bottom font-normal" scope="col" />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((hour, index) => (
            <tr key={hour.time} className={isFirst(hour.time, index) ? "border-t border-t-text" : ""}>
              <th scope="row" className="text-left">
                {isFirst(hour.time, index) ? formatDay(hour.time, zone) : null}
              </th>
              <th scope="row" className="font-normal">
                {formatClock(hour.time, zone)}
              </th>
              {quantities.map((quantity) => {
                const { text, tint } = quantity.cellAt(hour);
                return (
                  <td key={quantity.id} style={tint}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
