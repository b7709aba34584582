import { workerData } from "node:worker_threads";
import type { TideStations } from "#lib/contract/tides.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { Catalog, type Distances, described, type Station } from "./catalog.ts";
import { type ExtremesQuestion, tideExtremes } from "./extremes.ts";
import { type LimitQuestion, tideBeyond } from "./limit.ts";
import { nearestStation, stationsNear } from "./near.ts";
import type { StationQuestion } from "./period.ts";
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

export const station = workerFunction(({ id, ...question }: StationQuestion & { id: string }) =>
  predict(catalog.station(id), question),
);

export const beyond = workerFunction(({ id, ...question }: LimitQuestion & { id: string }) =>
  tideBeyond(catalog, catalog.station(id), question),
);

export const extremes = workerFunction(({ id, ...question }: ExtremesQuestion & { id: string }) =>
  tideExtremes(catalog, catalog.station(id), question),
);

export const nearest = workerFunction(({ place, kind, within, ...question }: NearestQuestion) => {
  const { station, ...distances } = nearestStation(catalog.within(kind), place, within);
  return predict(station, { ...question, distances });
});

export const stations = workerFunction((question: StationsQuestion): TideStations => {
  const found = matching(question);
  const { offset, limit } = question;
  const page = found.slice(offset, offset + limit);
  return {
    results: page.map(({ station, distances }) => described(station, distances)),
    total: found.length,
    attribution: [...new Set(page.map(({ station }) => station.attribution))],
  };
});

function matching(question: StationsQuestion): { station: Station; distances?: Distances }[] {
  const { kind, search, place, within, bbox, offset, limit } = question;
  const inBounds = catalog.within(kind, bbox);
  const allowed = new Set(inBounds);
  const named = search === undefined ? inBounds : catalog.named(search).filter((one) => allowed.has(one));
  if (!place) return named.map((station) => ({ station }));
  return stationsNear(named, place, within, offset + limit).map(({ station, ...distances }) => ({
    station,
    distances,
  }));
}

export const view = workerFunction((question: ViewQuestion) => tidesAt(catalog, question));
