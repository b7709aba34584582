import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { tidesNowQuery } from "#components/api-client/tide-queries.ts";
import { useSteady } from "#components/ui/use-steady.ts";
import type { TidesNow } from "#lib/contract/tides.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import type { Words } from "#lib/messages/words.ts";
import type { Units } from "#lib/units.ts";

/** What the map draws of tides and tidal streams. */
export interface TideScene {
  stations: TidesNow;
  /** Id of the station that is open, which has its name on the map. */
  opened: string | null;
  units: Units;
  words: Words;
}

/** Ids of the map layers of stations, whose symbols can be clicked: property `id` of a symbol is that of its station. */
export const TIDE_LAYERS = ["tide-stations", "tide-streams"] as const;

/** From this zoom on stations are shown, and asked for. */
export const TIDE_ZOOM = 6;

/** Times are asked for to this many seconds: a tide changes by a decimetre in it at most. */
const STEP_S = 600;

interface Shown {
  apiKey: string | undefined;
  box: ViewBox | undefined;
  zoom: number;
  /** Unix seconds; undefined: no time is drawn. */
  time: number | undefined;
  isPlaying: boolean;
  /** Times that are only passed are not asked for, and have no stations. */
  isLight: boolean;
}

/**
 * The stations in view. One request is under way at a time, however fast the map moves and the time runs: the next asks for
 * what is shown when it is answered.
 *
 * @returns undefined below `TIDE_ZOOM`, and where the service gives none.
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
  // What came before a failure is of another box or time.
  const isOther = isPlaceholderData && errorUpdateCount > 0;
  return isShown && !isOther ? data : undefined;
}

/**
 * A box around the one in view that stays the same while the map is moved a little.
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
