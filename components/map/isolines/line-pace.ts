import type { Map as MapLibreMap } from "maplibre-gl";

/** Drawing that takes longer delays what people do next, milliseconds. */
const SLOW_MS = 150;
/** Longest wait, milliseconds: who looks at one time wants its lines. */
const MAX_WAIT_MS = 800;

/** When new lines are drawn: at once, or on a slow device when the time has stood still. */
export interface LinePace {
  /** New lines were given to the map. */
  given(): void;
  /** Milliseconds that the time must stand still before lines are contoured for it. */
  wait(): number;
}

/**
 * Measures how long the map takes to draw new lines: to place their labels it draws several times, which on a device
 * without a fast graphics processor takes longer than a step of the time bar.
 */
export function linePace(map: Pick<MapLibreMap, "once">, elapsed: () => number): LinePace {
  let cost = 0;
  return {
    given() {
      const begun = elapsed();
      void map.once("idle", () => {
        cost = elapsed() - begun;
      });
    },
    wait: () => (cost < SLOW_MS ? 0 : Math.min(MAX_WAIT_MS, 2 * cost)),
  };
}
