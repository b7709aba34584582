import { useState } from "react";
import type { LayerName } from "#components/view-state/overlays.ts";
import { HOUR_S } from "#lib/time.ts";

interface DefaultTime {
  layer: LayerName;
  /** Unix seconds, as `now`. */
  time: number;
  /** Weather clock when it was taken. */
  now: number;
}

/**
 * The time of a map for which none was chosen, and the weather clock: they come from the first layer, and another layer
 * does not move them, nor does waiting for its manifest. After an hour they follow the layer that is shown.
 *
 * @param nearest Instant of the layer nearest to now, Unix seconds; undefined until its manifest is known.
 * @param now Weather clock of that manifest; undefined until it is known.
 */
export function useDefaultTime(
  layer: LayerName,
  nearest: number | undefined,
  now: number | undefined,
): { time: number | undefined; now: number } {
  const [last, setLast] = useState<DefaultTime>();
  const next = nextDefault(last, layer, nearest, now);
  if (next !== last) setLast(next);
  return { time: next?.time, now: now ?? next?.now ?? 0 };
}

/** The default time after an answer; the same object where nothing changed. */
export function nextDefault(
  last: DefaultTime | undefined,
  layer: LayerName,
  nearest: number | undefined,
  now: number | undefined,
): DefaultTime | undefined {
  if (nearest === undefined || now === undefined) return last;
  if (last && last.layer !== layer && now - last.now < HOUR_S) return last;
  const same = last?.layer === layer && last.time === nearest && last.now === now;
  return same ? last : { layer, time: nearest, now };
}
