import { distanceKm, initialBearing, type Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { type Prediction, tideQuery } from "#components/api-client/tide-queries.ts";
import { DirectionGlyph } from "#components/ui/direction-glyph.tsx";
import { addDays, civilOf, startOf, type Zone } from "#components/view-state/civil.ts";
import { deviceSetting } from "#components/view-state/device-setting.ts";
import {
  formatClock,
  formatDayOfYear,
  formatWeekdayDay,
  formatZonedTime,
} from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { countryOfName } from "#components/words/country-names.ts";
import type { StreamPrediction, TidePrediction } from "#lib/contract/tides.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { compassLetters } from "#lib/position.ts";
import { currentArrow, svgPaths } from "#lib/symbols/symbols.ts";
import { extremesOf } from "#lib/tides/reading.ts";
import { parseInstant } from "#lib/time.ts";
import { textIn, type Units, unitFor } from "#lib/units.ts";
import {
  differencesText,
  eventText,
  formatNextPhase,
  type Now,
  nowOf,
  numbersText,
  type ValueStyle,
  valueStyle,
} from "./format-tide.ts";
import { TideChart } from "./tide-chart.tsx";
import { TideTable } from "./tide-table.tsx";

export interface StationCardProps {
  prediction: Prediction;
  /** Time of the map, Unix seconds. */
  time: number;
  /** Reads the forecast pressure at a place and at the time of the map, hPa. */
  withPressure(place: Place, show: (pressure: number) => ReactNode): ReactNode;
}

/** Coefficients from which on a tide may be called great; the first is the default. */
const greatTides = ["100", "90", "95", "105", "110"] as const;

const greatTideSetting = deviceSetting("metocean-great-tide", greatTides);

/** Length of the table, days; springs and neaps are at most 15 days apart. */
const TABLE_DAYS = 15;

/** The present state, the next events, the curve of the day, and the days ahead. */
export function StationCard({ prediction, time, withPressure }: StationCardProps) {
  const view = useView("u");
  const zone = useZone("tides");
  const { words } = zone;
  const { tides } = words;
  const { station, notes, attribution } = prediction;
  const now = nowOf(prediction, time, view.u, words);
  const style = valueStyle(prediction, view.u, words);
  const mark = differencesText(prediction, words);
  const { range, phase } = reasonsOf(prediction, now, time, zone, style);
  return (
    <>
      {mark ? (
        <p className="rounded border border-line px-2 py-1 font-medium text-sm tabular-nums">{mark}</p>
      ) : null}
      <p className="text-muted text-sm tabular-nums">{formatZonedTime(time, zone)}</p>
      <p className="min-h-8 font-semibold text-[1.375rem] leading-8 tabular-nums" aria-live="polite">
        {now?.text}
        {now?.towards === undefined ? null : (
          <DirectionGlyph {...svgPaths(currentArrow(13))} towards={now.towards} />
        )}
      </p>
      {now && now.next.length > 0 ? (
        <dl className="grid grid-cols-2 gap-x-3 text-sm tabular-nums [&_dt]:text-[0.75rem] [&_dt]:text-muted [&_strong]:font-semibold [&_strong]:text-base">
          {now.next.map((event) => (
            <div key={event.type}>
              <dt>{tides.events[event.type]}</dt>
              <dd>
                <strong>{formatClock(event.time, zone)}</strong> {dayBeside(event.time, time, zone)}{" "}
                {eventText(event, style)}{" "}
                {event.coefficient === undefined ? null : (
                  <span className="whitespace-nowrap">{tides.coefficient({ value: event.coefficient })}</span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p className="text-sm">
        {range} <span className="whitespace-nowrap">{phase}</span>
      </p>
      {prediction.kind === "tide" ? <GreatTide prediction={prediction} time={time} /> : null}
      {prediction.kind === "tide" ? <Stand prediction={prediction} time={time} /> : null}
      <TideChart prediction={prediction} time={time} days={1} />
      <p className="text-muted text-xs">
        {[
          prediction.kind === "tide"
            ? datumText(prediction.datum, zone)
            : depthText(prediction, view.u, zone),
          station.reference ? tides.subordinate({ name: station.reference.name }) : undefined,
          tides.withoutWeather,
        ]
          .filter(Boolean)
          .join(" · ")}
        {prediction.kind === "tide"
          ? withPressure(station, (pressure) => <Barometer pressure={pressure} text={style.text} />)
          : null}
      </p>
      {prediction.kind === "tide" ? <Caveats prediction={prediction} /> : null}
      <Days prediction={prediction} time={time} />
      <details>
        <summary className="min-h-8 cursor-pointer content-center text-sm">
          {tides.source({ name: station.source.name, license: licenceName(station.license.type) })}
        </summary>
        <div className="space-y-1 text-muted text-xs" lang="en">
          <p>{attribution}</p>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      </details>
    </>
  );
}

/** Display name of a licence: `CC BY 4.0`, `public domain`. @param type As in the API, `cc-by-nc-4.0`. */
function licenceName(type: string): string {
  const [, terms, version] = /^cc-([a-z-]+)-([\d.]+)$/.exec(type) ?? [];
  return terms ? `CC ${terms.toUpperCase()} ${version}` : type;
}

/** A day such as `Tue 15` if it differs from that of the map. */
function dayBeside(at: number, time: number, zone: Zone): string {
  const day = formatWeekdayDay(at, zone);
  return day === formatWeekdayDay(time, zone) ? "" : day;
}

/**
 * Distance below which the sampled point is at the station, and distance beyond which the station was not
 * chosen for the point, km.
 */
const [NEAR_KM, FAR_KM] = [0.5, 200];

/**
 * Text such as `12 n mi NE of the point · Brittany · France`. Regions have English names only, so other languages leave
 * them out. @param point The sampled point.
 */
export function placeText({ station }: Prediction, point: Place | null, { words }: Zone<"tides">): string {
  const { language } = words;
  return [
    distanceText(point, station, words),
    language === "en" ? station.region : undefined,
    countryOfName(station.country, language),
  ]
    .filter(Boolean)
    .join(" · ");
}

function distanceText(point: Place | null, station: Place, words: WordsWith<"tides">): string | undefined {
  const km = point ? distanceKm(point, station) : Number.POSITIVE_INFINITY;
  if (!point || km < NEAR_KM || km > FAR_KM) return undefined;
  return words.tides.fromPoint({
    distance: formatMiles(km, words),
    point: compassLetters(initialBearing(point, station), words),
  });
}

/** The range compared with springs and neaps, and the times of these. */
function reasonsOf(
  prediction: Prediction,
  now: Now | undefined,
  time: number,
  zone: Zone<"tides">,
  { text }: ValueStyle,
): { range?: string; phase?: string | undefined } {
  const { tides } = zone.words;
  if (prediction.kind === "tide" && prediction.regime === "none") return { range: tides.noTide };
  const phase = formatNextPhase(prediction, time, zone);
  if (prediction.kind === "stream" || now?.range === undefined) return { phase };
  const { springs_m: springs, neaps_m: neaps } = prediction.range;
  const numbers = { range: text(now.range), springs: text(springs), neaps: text(neaps) };
  return { range: tides.range(numbers), phase };
}

/** Text such as `at a depth of 5.5 m`. */
function depthText(
  { depth_m: depth }: StreamPrediction,
  units: Units,
  { words }: Zone<"tides">,
): string | undefined {
  return depth === undefined
    ? undefined
    : words.tides.depth({ depth: valueStyle({ kind: "tide" }, units, words).text(depth) });
}

/** Text such as `Above LAT (lowest astronomical tide)`. */
function datumText(datum: string, { words }: Zone<"tides">): string {
  const names: Readonly<Record<string, string>> = words.tides.datums;
  return words.tides.above({ datum, name: names[datum] });
}

/** Reasons why the numbers are less certain than they look, on the unsafe side too. */
function Caveats({ prediction }: { prediction: TidePrediction }) {
  const { tides } = useZone("tides").words;
  const { datum, datum_source, shallow_water } = prediction;
  return (
    <>
      {shallow_water ? <p className="text-sm">{tides.shallow}</p> : null}
      {datum_source === "computed" ? <p className="text-xs">{tides.computed({ datum })}</p> : null}
    </>
  );
}

/** The stand at the map's time, or the next one of its day. */
function Stand({ prediction, time }: { prediction: TidePrediction; time: number }) {
  const view = useView("u");
  const zone = useZone("tides");
  const last = startOf(addDays(civilOf(time, zone), 1), zone);
  const stand = prediction.stands
    .map(({ from, to, height_m }) => ({ from: parseInstant(from), to: parseInstant(to), height_m }))
    .find(({ to }) => to > time);
  if (!stand || stand.from >= last) return null;
  const [from, until] = [formatClock(stand.from, zone), formatClock(stand.to, zone)];
  const height = valueStyle(prediction, view.u, zone.words).text(stand.height_m);
  return <p className="text-sm">{zone.words.tides.stand({ from, until, height })}</p>;
}

/** The next tide in France with at least the coefficient chosen on this device. */
function GreatTide({ prediction, time }: { prediction: TidePrediction; time: number }) {
  const key = useApiKey();
  const zone = useZone("tides");
  const { tides } = zone.words;
  const least = greatTideSetting.use();
  const { station, to } = prediction;
  const soon = extremesOf(prediction).find(
    (event) => event.time > time && (event.coefficient ?? 0) >= Number(least),
  );
  const hasCoefficients = prediction.next_great_tide !== undefined;
  const { data } = useQuery({
    ...tideQuery(key ?? "", station.id, { from: to, coefficient: Number(least) }),
    enabled: key !== undefined && hasCoefficients && !soon,
  });
  if (!hasCoefficients) return null;
  const later = data?.kind === "tide" ? data.next_great_tide : undefined;
  const found = soon ?? (later && { ...later, time: parseInstant(later.time) });
  const day = found && { when: formatDayOfYear(found.time, zone), value: found.coefficient! };
  return (
    <p className="text-sm">
      <label>
        {tides.greatTide}{" "}
        <select
          className="min-h-6 rounded border border-line bg-page px-1"
          value={least}
          onChange={({ target }) => greatTideSetting.set(target.value as typeof least)}
        >
          {greatTides
            .toSorted((one, other) => Number(one) - Number(other))
            .map((one) => (
              <option key={one}>{one}</option>
            ))}
        </select>
      </label>
      <span className="block" aria-live="polite">
        {day ? tides.greatDay(day) : later === null ? tides.noGreatTide : null}
      </span>
    </p>
  );
}

/** Standard pressure at which the estimate is zero, hPa, and rise in metres per hPa below it. */
const [STANDARD_HPA, M_PER_HPA] = [1013, 0.01];

/** Smallest change that is shown, metres. */
const NOTHING_M = 0.05;

/** Estimates how much the forecast pressure alone raises or lowers the sea. @param pressure hPa. */
function Barometer({ pressure, text }: { pressure: number; text: ValueStyle["text"] }) {
  const view = useView("u");
  const { words } = useZone("tides");
  const change = (STANDARD_HPA - pressure) * M_PER_HPA;
  if (Math.abs(change) < NOTHING_M) return null;
  const written = textIn(pressure, unitFor("hPa", view.u, undefined, words));
  return (
    <span className="block">
      {words.tides.barometer({ pressure: written, change: `${change > 0 ? "+" : ""}${text(change)}` })}
    </span>
  );
}

/** Two weeks: the curve with springs and neaps, and the high and low waters. */
function Days({ prediction, time }: Pick<StationCardProps, "prediction" | "time">) {
  const view = useView("u");
  const zone = useZone("tides");
  const { tides } = zone.words;
  const [isOpen, setOpen] = useState(false);
  const what = numbersText(prediction, valueStyle(prediction, view.u, zone.words), zone.words);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-8 cursor-pointer content-center text-sm">{tides.twoWeeks}</summary>
      {isOpen ? (
        <>
          <TideChart prediction={prediction} time={time} days={TABLE_DAYS} />
          <TideTable
            prediction={prediction}
            first={time}
            days={TABLE_DAYS}
            caption={[what, zone.label(time), differencesText(prediction, zone.words)]
              .filter(Boolean)
              .join(" · ")}
            units={view.u}
            zone={zone}
          />
        </>
      ) : null}
    </details>
  );
}
