import { createContext, use } from "react";
import type { TileOverlay } from "#lib/contract/tile-overlay.ts";
import type { Language } from "#lib/messages/language.ts";
import { pictureTime, tilesAt } from "#lib/tile-pictures.ts";
import type { Zone } from "./civil.ts";
import { formatShortTime } from "./format-time.ts";

/** Tiles of other services that the operator offers. */
export const TileOverlaysContext = createContext<readonly TileOverlay[]>([]);

export const useTileOverlays = () => use(TileOverlaysContext);

/** Title of an overlay in a language; in English if the operator gives none. */
export function tileTitle({ id, title }: TileOverlay, language: Language): string {
  return typeof title === "string" ? title : (title[language] ?? title.en ?? id);
}

/** Tiles as the map draws them. */
export interface DrawnTiles {
  id: string;
  address: string;
  tileSize: number;
  zooms: readonly [lowest: number, highest: number];
  opacity: number;
  /** Plain text of the map's line of credits: title, time of the picture, and credit. */
  credit: string;
}

/**
 * The tiles of an overlay at a time of the map; undefined if they have no picture for it.
 *
 * @param time Time of the map, Unix seconds; undefined until it is known.
 * @param now Weather clock, Unix seconds.
 */
export function drawnTiles(
  overlay: TileOverlay,
  time: number | undefined,
  now: number,
  zone: Zone,
): DrawnTiles | undefined {
  const { id, tiles, tileSize, zooms, opacity, credit } = overlay;
  const title = tileTitle(overlay, zone.words.language);
  const drawn = { id, tileSize, zooms, opacity };
  if (!overlay.time) return { ...drawn, address: tiles, credit: `${title}: ${credit}` };
  const picture = time === undefined ? undefined : pictureTime(overlay.time, time, now);
  if (picture === undefined) return undefined;
  const when = `${formatShortTime(picture, zone)} ${zone.label(picture)}`;
  return { ...drawn, address: tilesAt(tiles, picture), credit: `${title}, ${when}: ${credit}` };
}
