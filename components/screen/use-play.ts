import { useEffect, useMemo } from "react";

export interface Playback {
  playing: boolean;
  toggle(): void;
}

interface Play {
  wanted: boolean;
  setWanted(wanted: boolean): void;
  /** The current step is drawn. */
  settled: boolean;
  /** It cannot be. */
  failed: boolean;
  /** The following instant, Unix seconds; undefined at the end. */
  next: number | undefined;
  /** Minimum dwell on a step, ms. */
  dwell: number;
  setTime(time: number): void;
}

/** Steps through time while playing: as fast as steps are drawn, no faster than the dwell, until the last one. */
export function usePlay({ wanted, setWanted, settled, failed, next, dwell, setTime }: Play): Playback {
  const playing = wanted && next !== undefined;
  useEffect(() => {
    if (!playing || !settled || next === undefined) return;
    const timer = setTimeout(() => setTime(next), dwell);
    return () => clearTimeout(timer);
  }, [playing, settled, next, dwell, setTime]);
  useEffect(() => {
    if (next === undefined || failed) setWanted(false);
  }, [next, failed, setWanted]);
  return useMemo(() => ({ playing, toggle: () => setWanted(!playing) }), [playing, setWanted]);
}
