import type { ViewBox } from "@open-metocean/geo/box";
import { normaliseLongitude } from "@open-metocean/geo/grid";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tidesNowQuery } from "#components/api-client/tide-queries.ts";
import { useSteady } from "#components/ui/use-steady.ts";
import type { TidesNow } from "#lib/contract/tides.ts";
import type { Words } from "#lib/messages/words.ts";
import type { Units } from "#lib/units.ts";

/** Tides and tidal streams as the map draws them. */
export interface TideScene {
  stations: TidesNow;
  /** Id of the open station, whose name is on the map. */
  opened: string | null;
  units: Units;
  words: Words;
}

/**
 * Ids of the map layers of stations, whose symbols can be clicked; property `id` of a symbol is the id of its
 * station.
 */
export const TIDE_LAYERS = ["tide-stations", "tide-streams"] as const;

/** Stations are requested and shown from this zoom on. */
export const TIDE_ZOOM = 6;

/** Times of requests are rounded to this many seconds, in which a tide changes by a decimetre at most. */
const STEP_S = 600;

interface Shown {
  apiKey: string | undefined;
  box: ViewBox | undefined;
  zoom: number;
  /** Unix seconds; undefined if no time is drawn. */
  time: number | undefined;
  isPlaying: boolean;
  /** Times that are only passed through are not requested, and show no stations. */
  isLight: boolean;
}

/**
 * The stations in view. There is one request at a time, however fast the map moves and time runs; the next
 * one requests what is displayed when it is answered.
 *
 * @returns undefined below `TIDE_ZOOM`, and if the service returns none.
 */
export function useTideStations(shown: Shown): TidesNow | undefined {
  const { apiKey, box, zoom, time, isPlaying, isLight } = shown;
  const steady = useSteady(isLight ? (time ?? 0) : 0);
  const isPassed = isLight && (isPlaying || steady !== time);
  const isShown = zoom >= TIDE_ZOOM && time !== undefined && box !== undefined && !isPassed;
  const bbox = isShown ? quantisedBox(box, zoom) : "";
  const at = Math.round((time ?? 0) / STEP_S) * STEP_S;
  const [asked, setAsked] = useState({ bbox, at });
  const { data, isFetching, isPlaceholderData, errorUpdateCount } = useQuery({
    ...tidesNowQuery(apiKey ?? "", asked.bbox, asked.at),
    enabled: isShown && apiKey !== undefined && asked.bbox !== "",
    placeholderData: keepPreviousData,
  });
  if (isShown && !isFetching && (asked.bbox !== bbox || asked.at !== at)) setAsked({ bbox, at });
  // Data from before a failure belongs to another box or time.
  const isOther = isPlaceholderData && errorUpdateCount > 0;
  return isShown && !isOther ? data : undefined;
}

/**
 * A box around the visible one that stays the same for small moves of the map.
 *
 * @returns `west,south,east,north`, degrees.
 */
export function quantisedBox({ west, south, east, north }: ViewBox, zoom: number): string {
  // 512 pixels of longitude, and at most that of latitude in the temperate zones.
  const width = 360 / 2 ** Math.floor(zoom);
  const height = width / 2;
  const sides = [
    normaliseLongitude(Math.floor(west / width) * width),
    Math.max(-90, Math.floor(south / height) * height),
    normaliseLongitude(Math.ceil(east / width) * width),
    Math.min(90, Math.ceil(north / height) * height),
  ];
  return sides.map((side) => Number(side.toFixed(3))).join(",");
}
