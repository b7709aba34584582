import { useState } from "react";
import type { LayerName } from "#components/view-state/layers.ts";
import { HOUR_S } from "#lib/time.ts";

interface Held {
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
  const [held, setHeld] = useState<Held>();
  const next = nextHeld(held, layer, nearest, now);
  if (next !== held) setHeld(next);
  return { time: next?.time, now: now ?? next?.now ?? 0 };
}

/** What is held after an answer; the same object where nothing changed. */
export function nextHeld(
  held: Held | undefined,
  layer: LayerName,
  nearest: number | undefined,
  now: number | undefined,
): Held | undefined {
  if (nearest === undefined || now === undefined) return held;
  if (held && held.layer !== layer && now - held.now < HOUR_S) return held;
  const same = held?.layer === layer && held.time === nearest && held.now === now;
  return same ? held : { layer, time: nearest, now };
}
