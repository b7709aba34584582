import { calendarText } from "#lib/calendar.ts";
import type { StreamPrediction, TidePrediction, TideStations } from "#lib/contract/tides.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { curveOf, eventsOf, extremesOf, type TideEvent } from "./reading.ts";

type Prediction = TidePrediction | StreamPrediction;
type Differences = NonNullable<TidePrediction["differences"]>;

/** All moments, sorted by time: values of the curve, high and low waters, slacks, fastest streams. */
function momentsOf(prediction: Prediction): Moment[] {
  const events = prediction.kind === "tide" ? extremesOf(prediction) : eventsOf(prediction);
  return [
    ...events.map(({ type, ...event }) => ({ ...event, event: type })),
    ...curveOf(prediction).map((one) => ({ ...one, event: "" })),
  ].toSorted((one, other) => one.time - other.time);
}

type Moment = Pick<TideEvent, "time" | "value" | "coefficient"> & { event: string };

/** The notice that must accompany every number. */
function aboutText(prediction: Prediction): string {
  const differences = prediction.kind === "tide" ? prediction.differences : undefined;
  const own = differences && `With differences of the request: ${differencesText(differences)}. `;
  return `${prediction.notice}. ${own ?? ""}${prediction.attribution}`;
}

function differencesText({ high_minutes, low_minutes, high_m, low_m }: Differences): string {
  const signed = (value: number) => (value > 0 ? `+${value}` : String(value));
  return `high water ${signed(high_minutes)} min, ${signed(high_m)} m; low water ${signed(low_minutes)} min, ${signed(low_m)} m`;
}

/**
 * Writes rows of times and values, each with the attribution. Streams are positive in the flood direction. If
 * coefficients are known they are in the last column.
 */
export function predictionCsv(prediction: Prediction): string {
  const { station, kind } = prediction;
  const about = aboutText(prediction);
  const datum = prediction.kind === "tide" ? prediction.datum : undefined;
  const value = kind === "tide" ? "height_m" : "speed_kt";
  const hasCoefficients = prediction.kind === "tide" && prediction.next_great_tide !== undefined;
  const columns = [
    "time",
    value,
    "event",
    ...(datum === undefined ? [] : ["datum"]),
    "station",
    "notice",
    ...(hasCoefficients ? ["coefficient"] : []),
  ];
  const rows = momentsOf(prediction).map((moment) => [
    formatInstant(moment.time),
    String(moment.value),
    moment.event,
    ...(datum === undefined ? [] : [datum]),
    station.id,
    about,
    ...(hasCoefficients ? [String(moment.coefficient ?? "")] : []),
  ]);
  return [columns, ...rows].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A station with its prediction as a GeoJSON Feature (RFC 7946). */
export function predictionFeature({ station, ...prediction }: Prediction): object {
  return feature(station, { ...station, ...prediction });
}

export function stationFeatures({ results, total, attribution }: TideStations): object {
  return {
    type: "FeatureCollection",
    numberMatched: total,
    numberReturned: results.length,
    attribution,
    features: results.map((station) => feature(station, station)),
  };
}

function feature(
  { id, longitude, latitude }: { id: string; longitude: number; latitude: number },
  properties: Readonly<Record<string, unknown>>,
): object {
  const { latitude: _latitude, longitude: _longitude, ...rest } = properties;
  return {
    type: "Feature",
    id,
    geometry: { type: "Point", coordinates: [longitude, latitude] },
    properties: rest,
  };
}

/** The query of heights that differ from the usual ones of the station; empty for the usual ones. */
function askedText(prediction: Prediction): string {
  if (prediction.kind === "stream") return "";
  const { datum, station, differences = {} } = prediction;
  const asked = new URLSearchParams(datum === station.datum ? {} : { datum });
  for (const [name, value] of Object.entries(differences)) if (value !== 0) asked.set(name, String(value));
  return asked.size > 0 ? `?${asked}` : "";
}

/** Duration of a high water or a slack in a calendar, seconds. */
const EVENT_S = 60;

/**
 * Time of the last change of predictions, by new constants or arguments, Unix seconds. It is constant, so
 * that the same prediction gives the same calendar entry each time it is read.
 */
const CHANGED_AT = Date.UTC(2026, 10, 28) / 1000;

/**
 * High and low waters, or slacks, as a calendar in UTC, which calendar programs show in their own time zone.
 *
 * @param address Address of the station.
 * @param alarmMinutes Minutes before each event at which calendar programs alert; 0 sets no alarm.
 */
export function predictionCalendar(prediction: Prediction, address: string, alarmMinutes: number): string {
  const { station } = prediction;
  const about = aboutText(prediction);
  const asked = askedText(prediction);
  const events =
    prediction.kind === "tide"
      ? prediction.extremes.map(({ time, type, height_m, coefficient }) => ({
          time,
          type,
          summary: [
            `${type === "high" ? "High" : "Low"} water ${height_m.toFixed(1)} m`,
            ...(coefficient === undefined ? [] : [`coefficient ${coefficient}`]),
            station.name,
          ].join(", "),
          description: `${height_m.toFixed(2)} m above ${prediction.datum}. ${about}`,
        }))
      : prediction.events
          .filter(({ type }) => type.startsWith("slack"))
          .map(({ time, type }) => ({
            time,
            type,
            summary: `${type === "slack_before_flood" ? "Slack before flood" : "Slack before ebb"}, ${station.name}`,
            description: about,
          }));
  const name = `${prediction.kind === "tide" ? "High and low water" : "Slack water"}, ${station.name}`;
  return calendarText(
    name,
    events.map(({ time, type, summary, description }) => ({
      uid: `${station.id}-${time.slice(0, 16)}-${type}${asked}@open-metocean`,
      from: parseInstant(time),
      to: parseInstant(time) + EVENT_S,
      summary,
      description,
      url: `${address}${asked}`,
      updatedAt: CHANGED_AT,
      ...(alarmMinutes > 0 && { alarmMinutes }),
    })),
  );
}
