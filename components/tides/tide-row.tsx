import { initialBearing, type Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import {
  isAcrossLand,
  nearestStationQuery,
  spanAround,
  stationsAroundQuery,
  tideQuery,
} from "#components/api-client/tide-queries.ts";
import { chartFrame, linePath, roundTop, scaleText } from "#components/ui/chart.ts";
import type { FurtherRow } from "#components/ui/time-chart.tsx";
import { formatClock } from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { NO_BREAK_SPACE } from "#components/words/whole-values.ts";
import type { TidePrediction, TideStation } from "#lib/contract/tides.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { compassLetters } from "#lib/position.ts";
import { extremesOf, tideAt } from "#lib/tides/reading.ts";
import { parseInstant } from "#lib/time.ts";
import { nowOf, type ValueStyle, valueStyle } from "./format-tide.ts";

interface Props {
  place: Place;
  /** First time of the chart, and time of the cursor, Unix seconds. */
  first: number;
  time: number;
  /** Receives the chart row; undefined if no station is near, or if it has hardly any tide. */
  onRow(row: FurtherRow | undefined): void;
  /** Opens the card of the station. */
  onOpen(id: string): void;
}

/**
 * The tide of the station nearest to a place by water: a row of the chart, and a line below it. If a station
 * is near over land only, this is stated; renders nothing if none is near.
 */
export function TideRow({ place, first, ...rest }: Props) {
  const key = useApiKey();
  const zone = useZone("tides");
  const station = useQuery({
    ...nearestStationQuery(key ?? "", place, "tide"),
    enabled: key !== undefined,
  }).data;
  const { data } = useQuery({
    ...tideQuery(key ?? "", station?.id ?? "", spanAround(first)),
    enabled: key !== undefined && station !== undefined && station !== null && !isAcrossLand(station),
  });
  if (!station) return null;
  if (isAcrossLand(station))
    return (
      <>
        <p className="tide-line">{zone.words.tides.row.across(whereOf(station, place, zone.words))}</p>
        <Others place={place} onOpen={rest.onOpen} />
      </>
    );
  if (data?.kind !== "tide") return null;
  return (
    <>
      <Tide prediction={data} place={place} of={station} {...rest} />
      <Others place={place} but={station.id} onOpen={rest.onOpen} />
    </>
  );
}

/** Describes where a station is, as values of a message. */
const whereOf = (station: TideStation, place: Place, words: WordsWith<"tides">) => ({
  name: station.name,
  distance: formatMiles(station.distance_km ?? 0, words),
  point: compassLetters(initialBearing(place, station), words),
});

/** Most other stations that are listed. */
const OTHERS = 6;

/**
 * The other stations around a place, each with the datum of its heights. @param but The station shown above.
 */
function Others({ place, but, onOpen }: Pick<Props, "place" | "onOpen"> & { but?: string }) {
  const key = useApiKey();
  const { words } = useZone("tides");
  const { row } = words.tides;
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    ...stationsAroundQuery(key ?? "", place, OTHERS, "tide"),
    enabled: key !== undefined && isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-6 cursor-pointer content-center text-sm">{row.others}</summary>
      <ul className="text-sm">
        {data
          ?.filter(({ id }) => id !== but)
          .map((station) => (
            <li key={station.id}>
              <button
                type="button"
                data-opens={station.id}
                className="min-h-6 text-left underline decoration-dotted underline-offset-2"
                onClick={() => onOpen(station.id)}
              >
                {row.other({ ...whereOf(station, place, words), datum: station.datum ?? "" })}
              </button>
              {isAcrossLand(station) ? ` · ${words.position.acrossLand}` : null}
            </li>
          ))}
      </ul>
    </details>
  );
}

type TideProps = Omit<Props, "first"> & { prediction: TidePrediction; of: TideStation };

function Tide({ prediction, place, of, time, onRow, onOpen }: TideProps) {
  const view = useView("u");
  const zone = useZone("tides");
  const { words } = zone;
  const style = useMemo(() => valueStyle(prediction, view.u, words), [prediction, view.u, words]);
  const row = useMemo(() => tideRow(prediction, style, words), [prediction, style, words]);
  useEffect(() => {
    onRow(row);
    return () => onRow(undefined);
  }, [row, onRow]);
  const { station } = prediction;
  const now = nowOf(prediction, time, view.u, words);
  const [next] = now?.next ?? [];
  // Beside a bearing the abbreviation could be read as another one: `NW` is north-west, and low water in German.
  const coming = next && [
    words.tides.events[next.type],
    formatClock(next.time, zone),
    style.text(next.value),
  ];
  return (
    <p className="tide-line">
      <button
        type="button"
        data-opens={station.id}
        className="min-h-6 text-left underline decoration-dotted underline-offset-2"
        onClick={() => onOpen(station.id)}
      >
        {words.tides.row.station(whereOf(of, place, words))}
      </button>
      {[now?.text, coming?.join(" ").replaceAll(" ", NO_BREAK_SPACE)].map((text) => text && ` · ${text}`)}
    </p>
  );
}

/**
 * Every third value of a curve with ten-minute values is used, because a pixel is longer than half an hour.
 */
const EVERY = 3;

/** The curve of a tide with its high and low waters marked; undefined if there is hardly any tide. */
export function tideRow(
  prediction: TidePrediction,
  style: ValueStyle,
  words: WordsWith<"tides">,
): FurtherRow | undefined {
  const { curve, datum, from, regime, station } = prediction;
  if (!curve || regime === "none") return undefined;
  const start = parseInstant(from);
  const samples = curve.heights_m.flatMap((height, index) =>
    index % EVERY === 0 ? [{ time: start + index * 60 * curve.step_minutes, value: style.to(height) }] : [],
  );
  const extremes = extremesOf(prediction).map(({ time, value }) => ({ time, value: style.to(value) }));
  return ({ width, titleY, top, bottom, x }) => {
    const isShown = ({ time }: { time: number }) => x(time) >= 0 && x(time) <= width;
    const shown = samples.filter(isShown);
    const heights = shown.map(({ value }) => value);
    const high = roundTop(Math.max(...heights, style.to(0.5)));
    const low = Math.min(0, Math.floor(Math.min(...heights, 0)));
    const frame = chartFrame([0, 1], [low, high], width, bottom - top);
    const y = (value: number) => top + frame.y(value);
    return {
      id: "tide",
      title: words.tides.row.title({ unit: style.unit.symbol, datum }),
      at: station.name,
      titleY,
      top,
      bottom,
      scale: [high, (high + low) / 2].map((value) => ({
        y: y(value),
        text: scaleText(value, words.language),
      })),
      paths: [linePath(shown, { x, y })],
      marks: extremes.filter(isShown).map(({ time, value }) => ({ x: x(time), y: y(value) })),
      arrows: [],
      valueAt(time) {
        const height = tideAt(prediction, time)?.height;
        return height === undefined ? undefined : style.number(height);
      },
    };
  };
}
