import { workerData } from "node:worker_threads";
import type { TideStations } from "#lib/contract/tides.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import type { StationQuestion } from "./answer.ts";
import { Catalog, described, idOf, type Station } from "./catalog.ts";
import { UnknownStationError } from "./errors.ts";
import { type LimitQuestion, tideBeyond } from "./limit.ts";
import { predictStream } from "./stream.ts";
import { predictTide } from "./tide.ts";
import type { NearestQuestion, StationsQuestion, TideThreadSettings } from "./tides.ts";
import { tidesAt, type ViewQuestion } from "./view.ts";

const { nonCommercial } = workerData as TideThreadSettings;
const catalog = new Catalog(nonCommercial);

function predict(station: Station, question: StationQuestion) {
  return station.kind === "tide"
    ? predictTide(catalog, station, question)
    : predictStream(catalog, station, question);
}

/** One station. */
export const station = workerFunction(({ id, ...question }: StationQuestion & { id: string }) =>
  predict(catalog.station(id), question),
);

/** When the tide of a station is beyond a limit. */
export const beyond = workerFunction(({ id, ...question }: LimitQuestion & { id: string }) =>
  tideBeyond(catalog, catalog.station(id), question),
);

/** The nearest station. */
export const nearest = workerFunction(({ place, kind, within, ...question }: NearestQuestion) => {
  const { station, km } = catalog.nearest(kind, place);
  if (km <= within) return predict(station, { ...question, km });
  throw new UnknownStationError(
    `There is no ${kind} station within ${within} km of this place. The nearest, ${station.name}, is ${Math.round(km)} km away ` +
      `(${idOf(station)}); its ${kind === "tide" ? "tide" : "stream"} may be quite different`,
  );
});

/** A page of stations. */
export const stations = workerFunction((question: StationsQuestion): TideStations => {
  const found = matching(question);
  const { offset, limit } = question;
  const page = found.slice(offset, offset + limit);
  return {
    results: page.map(({ station, km }) => described(station, km)),
    total: found.length,
    attribution: [...new Set(page.map(({ station }) => station.attribution))],
  };
});

function matching({ kind, search, place, bbox }: StationsQuestion): { station: Station; km?: number }[] {
  const inBounds = catalog.within(kind, bbox);
  const allowed = new Set(inBounds);
  const named = search === undefined ? inBounds : catalog.named(search).filter((one) => allowed.has(one));
  if (!place) return named.map((station) => ({ station }));
  const near = named.map((station) => ({ station, km: distanceKm(place, station) }));
  return near.toSorted((one, other) => one.km - other.km);
}

/** What the map shows. */
export const view = workerFunction((question: ViewQuestion) => tidesAt(catalog, question));
