import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { formatInstant } from "#lib/time.ts";
import { quantities, STORM_NM, type WatchQuantity } from "./quantities.ts";

export interface LinkedState {
  at?: Place | undefined;
  /** Unix seconds. */
  time?: number | undefined;
  quantity?: WatchQuantity | undefined;
  storm?: { provider: string; id: string } | undefined;
}

const layers: Partial<Record<string, DrawnVariable>> = { extra_wave: "wave" };

const ZOOM = 5;

/** Path and query of the map that shows a place at a time, in the layer of a quantity. See components/view-state/view-url.ts. */
export function mapLink({ at, time, quantity, storm }: LinkedState): string {
  const query: string[] = [];
  const degrees = (number: number) => Number(number.toFixed(4));
  if (at) {
    const place = `${degrees(at.latitude)},${degrees(at.longitude)}`;
    query.push(`p=${place}`, `c=${place}`, `z=${ZOOM}`);
  }
  if (time !== undefined) query.push(`t=${formatInstant(time)}`);
  if (quantity && quantity !== STORM_NM) {
    const { variable } = quantities[quantity];
    query.push(`l=${layers[variable] ?? variable}`);
  }
  if (storm) query.push(`sp=${storm.provider}`, `storm=${storm.id}`);
  return query.length === 0 ? "/" : `/?${query.join("&")}`;
}
