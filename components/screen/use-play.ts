import { useEffect, useMemo, useState } from "react";

/** Minimum dwell on a step, ms: long enough to see it. */
const DWELL_MS = 500;

export interface Playback {
  playing: boolean;
  toggle(): void;
}

/**
 * Steps through time while playing: as fast as steps are drawn, no faster than can be seen, until the last one.
 *
 * @param settled The current step is drawn.
 * @param next The following instant, Unix seconds; undefined at the end.
 */
export function usePlay(
  settled: boolean,
  next: number | undefined,
  setTime: (time: number) => void,
): Playback {
  const [wanted, setWanted] = useState(false);
  const playing = wanted && next !== undefined;
  useEffect(() => {
    if (!playing || !settled || next === undefined) return;
    const timer = setTimeout(() => setTime(next), DWELL_MS);
    return () => clearTimeout(timer);
  }, [playing, settled, next, setTime]);
  useEffect(() => {
    if (next === undefined) setWanted(false);
  }, [next]);
  return useMemo(() => ({ playing, toggle: () => setWanted(!playing) }), [playing]);
}
