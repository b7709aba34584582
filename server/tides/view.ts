import type { Box } from "@open-metocean/geo/box";
import { type TideKind, type TidesNow, tideLimits } from "#lib/contract/tides.ts";
import { type Catalog, idOf, type Station } from "./catalog.ts";
import { nameOf } from "./names.ts";
import { centi, instantOf } from "./period.ts";
import { directionOf, streamAt } from "./stream.ts";
import { regimeOf, tideCurve } from "./tide.ts";

export interface ViewQuestion {
  bbox: Box;
  kind?: TideKind | undefined;
  /** Unix seconds. */
  at: number;
}

/** Heights and streams of the stations in a box at one instant, in columns. */
export function tidesAt(catalog: Catalog, { bbox, kind, at }: ViewQuestion): TidesNow {
  const all = catalog.within(kind, bbox);
  // Reference stations come first, because a map with little space shows the first entries.
  const shown = evenly(all, bbox).toSorted((one, other) => one.type.localeCompare(other.type));
  const answer: TidesNow = {
    at: instantOf(at),
    tides: { id: [], name: [], latitude: [], longitude: [], height_m: [], trend: [] },
    streams: { id: [], name: [], latitude: [], longitude: [], speed_kt: [], direction: [] },
    total: all.length,
    attribution: [...new Set(shown.map(({ attribution }) => attribution))],
  };
  for (const station of shown) {
    const columns = station.kind === "tide" ? answer.tides : answer.streams;
    columns.id.push(idOf(station));
    columns.name.push(nameOf(station));
    columns.latitude.push(milli(station.latitude));
    columns.longitude.push(milli(station.longitude));
    const sum = catalog.sum(station);
    if (station.kind === "tide") {
      const curve = tideCurve(sum, station, catalog.chartLevel(station), at, at);
      answer.tides.height_m.push(centi(curve.at(at)));
      const isTidal = regimeOf(sum.terms).regime !== "none";
      answer.tides.trend.push(isTidal ? (curve.isRising(at) ? 1 : -1) : 0);
    } else {
      const speed = streamAt(sum, station, at, at).at(at);
      answer.streams.speed_kt.push(centi(Math.abs(speed)));
      answer.streams.direction.push(directionOf(station, speed));
    }
  }
  return answer;
}

const milli = (degrees: number) => Number(degrees.toFixed(3)) + 0;

/** Numbers of columns of the grids that thin out a view, the finest first. A grid has three quarters as many rows. */
const GRIDS = [160, 80, 40, 20];

/**
 * Limits the stations to the number that a view may have. Where there are more, each grid cell keeps one station of
 * each kind, preferably one with constituents.
 */
function evenly(stations: readonly Station[], box: Box): Station[] {
  if (stations.length <= tideLimits.view) return [...stations];
  for (const columns of GRIDS) {
    const thinned = oneEachCell(stations, box, columns);
    if (thinned.length <= tideLimits.view) return thinned;
  }
  return stations.slice(0, tideLimits.view);
}

function oneEachCell(stations: readonly Station[], { west, south, east, north }: Box, columns: number) {
  const width = (east > west ? east - west : east - west + 360) / columns;
  const height = (north - south) / (0.75 * columns);
  const chosen = new Map<number, Station>();
  for (const station of stations) {
    const column = Math.floor(((station.longitude - west + 360) % 360) / width);
    const number = Math.floor((station.latitude - south) / height) * (columns + 1) + column;
    const cell = station.kind === "tide" ? number : -1 - number;
    if (!chosen.has(cell) || (station.type === "reference" && chosen.get(cell)!.type !== "reference"))
      chosen.set(cell, station);
  }
  return [...chosen.values()];
}
