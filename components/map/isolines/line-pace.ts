import type { Map as MapLibreMap } from "maplibre-gl";

/** Lines that take longer to draw delay the next step of the time bar, milliseconds. */
const SLOW_MS = 150;
/** Longest wait, milliseconds: at a time that one stays at, lines are expected soon. */
const MAX_WAIT_MS = 800;

/** When new lines are drawn: at once, or on a slow device once the time has stood still. */
export interface LinePace {
  /** New lines were given to the map: the time until it is idle is measured. */
  given(): void;
  /** Milliseconds that the time must stand still before lines are contoured for it. */
  wait(): number;
}

/**
 * Measures how long the map takes to draw new lines: it draws several frames to place their labels. Without a fast graphics
 * processor that is longer than people stay at one step of the time bar.
 *
 * @param isSlow Whether a frame of the map is known to be slow: the first lines wait too, which take a processor as long.
 */
export function linePace(
  map: Pick<MapLibreMap, "once">,
  elapsed: () => number,
  isSlow: () => boolean,
): LinePace {
  let cost = 0;
  return {
    given() {
      const begun = elapsed();
      void map.once("idle", () => {
        cost = elapsed() - begun;
      });
    },
    wait: () => (isSlow() ? MAX_WAIT_MS : cost < SLOW_MS ? 0 : Math.min(MAX_WAIT_MS, 2 * cost)),
  };
}
