import type { ViewBox } from "@open-metocean/geo/box";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { createStore } from "#lib/store.ts";
import { areaPrefixes, canSave, FRAMES, storeOf } from "./saved-replies.ts";

/**
 * Areas that the user has saved on the device. Each is a store of its own, with the frames under the names that they
 * have among the saved replies, the manifests of what is saved, and its description. A new version of the page and the
 * limits of saved replies leave it alone.
 */

/** The part of the forecast that the user asked to save. */
export interface AreaWish {
  box: ViewBox;
  variables: readonly DrawnVariable[];
  /** Model that is shown alone; null for the sources that stand first. */
  model: string | null;
  /** Whole days from `from` on. */
  days: number;
  /** Hours between the saved times; where a model has longer steps, those are saved. */
  hours: number;
  /** Unix seconds. */
  from: number;
}

/** The description of a saved area. */
export interface SavedArea extends AreaWish {
  id: string;
  /** Last saved time, Unix seconds; undefined if nothing that was saved changes with time. */
  until: number | undefined;
  /** Size of its frames on the device, bytes. */
  bytes: number;
  /** Number of its frames. */
  frames: number;
  /** When it was saved, Unix seconds. */
  at: number;
  /**
   * `whole` areas can be shown. A `part` was interrupted. `removed` ones were deleted because they were old; only this
   * description is left, so that the user knows.
   */
  state: "whole" | "part" | "removed";
}

/** Name of the description in the store of an area. */
export const DESCRIPTION = "/saved/area";

/** Changes whenever an area is saved or deleted by this page. */
export const areaChanges = createStore(() => 0);

interface AreaStore {
  name: string;
  cache: Cache;
  area: SavedArea;
}

/** The stores of the areas that a key shows, with their descriptions; a store whose description is missing is left out. */
export async function areaStores(key: string): Promise<AreaStore[]> {
  if (!canSave()) return [];
  const prefixes = await areaPrefixes(key);
  const found: AreaStore[] = [];
  for (const name of await caches.keys()) {
    if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
    const cache = await caches.open(name);
    const description = await cache.match(DESCRIPTION);
    if (description) found.push({ name, cache, area: (await description.json()) as SavedArea });
  }
  return found;
}

/** The saved areas that a key shows, newest first, and how many frames of each are there. */
export async function savedAreas(key: string): Promise<(SavedArea & { saved: number })[]> {
  const areas = await areaStores(key);
  const listed = areas.map(async ({ cache, area }) => {
    const saved = area.state === "part" ? (await cache.keys()).filter(isFrame).length : area.frames;
    return { ...area, saved };
  });
  return (await Promise.all(listed)).sort((one, other) => other.at - one.at);
}

const isFrame = ({ url }: Request) => new URL(url).pathname.startsWith(FRAMES);

/** The saved times of a layer in a saved area, as a manifest that lists nothing else. */
export interface AreaManifest {
  area: SavedArea;
  manifest: FieldManifest;
}

/**
 * Manifests of a layer in the saved areas of a key, newest first.
 *
 * @param name Name of the layer's manifest among saved replies.
 */
export async function areaManifests(key: string, name: string): Promise<AreaManifest[]> {
  const found: AreaManifest[] = [];
  for (const { cache, area } of await areaStores(key)) {
    const reply = area.state === "whole" ? await cache.match(name) : undefined;
    if (reply) found.push({ area, manifest: (await reply.json()) as FieldManifest });
  }
  return found.sort((one, other) => other.area.at - one.area.at);
}

/**
 * Chooses among the saved areas for a place of the map: those around it first, then the newest. Outside of its box an
 * area still has the coarsest level of its fields, which cover the whole grid.
 */
export function areaNear(
  found: readonly AreaManifest[],
  { latitude, longitude }: { latitude: number; longitude: number },
): AreaManifest | undefined {
  const isInside = ({ area: { box } }: AreaManifest) => {
    const east = longitude + 360 * Math.ceil((box.west - longitude) / 360);
    return latitude >= box.south && latitude <= box.north && east <= box.east;
  };
  return found.find(isInside) ?? found[0];
}

/** Number of times of a layer of which frames were saved when they were shown. */
export async function savedTimes(key: string, variable: string): Promise<number> {
  const store = await storeOf(key);
  if (!(await caches.has(store))) return 0;
  const times = new Set<string>();
  for (const { url } of await (await caches.open(store)).keys()) {
    const [, named, time] = FRAME_NAME.exec(new URL(url).pathname) ?? [];
    if (named === variable && time) times.add(time);
  }
  return times.size;
}

/** Dataset, run, layer and time of the name of a frame. */
const FRAME_NAME = new RegExp(`^${FRAMES}/[^/]+/[^/]+/([^/]+)/([^/]+)/`);

/** Number of times of which a manifest has steps. */
export const countTimes = ({ runs }: FieldManifest): number =>
  new Set(runs.flatMap(({ times }) => times)).size;
