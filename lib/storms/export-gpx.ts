import type { ForecastPoint, StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { splitLine } from "#lib/geo/antimeridian.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { escapeMarkup } from "#lib/markup.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { formatInstant } from "#lib/time.ts";
import { coneOutline } from "./cone.ts";
import { dangerArea } from "./danger-area.ts";
import type { DangerMethod } from "./danger-methods.ts";
import { provenance } from "./file-provenance.ts";
import { averagingMinutes } from "./provenance.ts";
import { ofWire, toWire } from "./wire.ts";

/**
 * A storm as GPX 1.1 for plotters: the points of its forecast as waypoints; observed and forecast track, cone and danger
 * area as tracks, cut at 180°, where plotters would otherwise draw a line around the globe.
 */
export function stormGpx(entry: StormEntry, method: DangerMethod = "classic"): string {
  const danger = dangerArea(entry, method);
  const about = provenance(entry, danger);
  const ahead = entry.tracks.forecast?.points ?? [];
  const name = entry.name ?? entry.id;
  const tracks: [string, readonly Place[] | null | undefined][] = [
    [`${name} observed`, entry.tracks.observed.map(ofWire)],
    [`${name} forecast`, ahead.map(ofWire)],
    [`${name} cone`, coneOutline(entry)],
    [`${name} danger area`, danger?.outline],
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<gpx version="1.1" creator="${SERVICE_NAME}" xmlns="http://www.topografix.com/GPX/1/1">`,
    `<metadata><name>${escapeMarkup(about[0]!)}</name><desc>${escapeMarkup(about.slice(1).join(". "))}</desc>` +
      `<time>${formatInstant(entry.generated_at)}</time></metadata>`,
    ...ahead.map((point) => waypoint(point, name, averagingMinutes[entry.provider])),
    ...tracks.flatMap(([title, line]) => (line && line.length > 1 ? [track(title, line)] : [])),
    "</gpx>",
    "",
  ].join("\n");
}

function waypoint(point: ForecastPoint, name: string, minutes: number): string {
  const description = [describeWind(point, minutes), `${point.fhr} h ahead`].join(", ");
  return (
    `<wpt ${position(ofWire(point))}><time>${formatInstant(point.time)}</time>` +
    `<name>${escapeMarkup(`${name} +${point.fhr} h`)}</name><desc>${escapeMarkup(description)}</desc></wpt>`
  );
}

function describeWind({ vmax_kt, mslp_hpa }: TrackPoint, minutes: number): string {
  const wind = vmax_kt === null ? "wind not given" : `${vmax_kt} kt (${minutes}-minute mean)`;
  return mslp_hpa === null ? wind : `${wind}, ${mslp_hpa} hPa`;
}

function track(title: string, line: readonly Place[]): string {
  const segments = splitLine(line).map(
    (part) => `<trkseg>${part.map((place) => `<trkpt ${position(place)}/>`).join("")}</trkseg>`,
  );
  return `<trk><name>${escapeMarkup(title)}</name>${segments.join("")}</trk>`;
}

function position(place: Place): string {
  const { lat, lon } = toWire(place);
  return `lat="${lat}" lon="${lon}"`;
}
