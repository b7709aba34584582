import { useEffect, useRef, useState } from "react";

/** Shortest dwell on a step, ms: long enough to see it. */
const DWELL_MS = 500;

/**
 * Steps on while playing: as fast as the steps arrive, and no faster than can be seen; ends at the last one.
 *
 * @param settled The step shown is drawn.
 * @param next The following instant; undefined at the end.
 */
export function usePlay(settled: boolean, next: number | undefined, onTime: (time: number) => void) {
  const [wanted, setPlaying] = useState(false);
  const playing = wanted && next !== undefined;
  const latest = useRef(onTime);
  useEffect(() => {
    latest.current = onTime;
  });
  useEffect(() => {
    if (!playing || !settled || next === undefined) return;
    const timer = setTimeout(() => latest.current(next), DWELL_MS);
    return () => clearTimeout(timer);
  }, [playing, settled, next]);
  useEffect(() => {
    if (next === undefined) setPlaying(false);
  }, [next]);
  return { playing, toggle: () => setPlaying(!playing) };
}
