import { useEffect, useRef, useState } from "react";
import { FrameStore } from "#components/map/frame-store.ts";
import type { StepPair } from "#components/time/timeline.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { framePath } from "#lib/contract/field-manifest.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import type { FramePair } from "#lib/field/sample.ts";

/** What the map shall draw. */
export interface FieldWish {
  variable: DrawnVariable;
  /** The steps round the instant shown; undefined where the archive has none. */
  steps: StepPair | undefined;
  /** The steps round the instants that are likely next, the likeliest first: fetched ahead when nothing else is. */
  around: readonly StepPair[];
  /** What is in view; undefined until the map is open. */
  box: ViewBox | undefined;
}

/** What the map draws, and what it is waiting for. */
export interface DrawnField {
  /** The last field that was read: kept while the next one is on its way, so that the map is never blank. */
  pair: FramePair | undefined;
  /** The variable and the steps that `pair` is of. */
  variable: DrawnVariable | undefined;
  steps: StepPair | undefined;
  /** `pair` is what was wished for, at the level that the view needs. */
  settled: boolean;
  /** `pair` is of another variable or instant than the one wished for. */
  stale: boolean;
  /** The service asked for patience: it is asked again by itself at this time, milliseconds since 1970. */
  limitedUntil: number | undefined;
  error: Error | undefined;
}

/** Decoded frames held, bytes. */
const BUDGET = 96 * 2 ** 20;

const nothing: DrawnField = {
  pair: undefined,
  variable: undefined,
  steps: undefined,
  settled: false,
  stale: false,
  limitedUntil: undefined,
  error: undefined,
};

/**
 * Frames of a variable at an instant: the coarsest level first, then the finest; requests for what is no longer asked
 * for are stopped.
 *
 * @param attempt Counts up to try again after an error.
 */
export function useField(
  { variable, steps }: FieldWish,
  key: string | undefined,
  attempt: number,
): DrawnField {
  const [drawn, setDrawn] = useState<DrawnField>(nothing);
  const store = useRef<FrameStore>(undefined);

  useEffect(() => {
    store.current ??= new FrameStore(
      new Worker(new URL("./frame.worker.ts", import.meta.url), { type: "module" }),
      BUDGET,
    );
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` runs the same request again
  useEffect(() => {
    if (!steps || !key || !store.current) return;
    const controller = new AbortController();
    const levels = steps.run.levels;
    const finest = levels[0]?.level;
    const frames = store.current;
    const load = async (level: string): Promise<void> => {
      const frame = (time: string) =>
        frames.load(framePath(steps.run.frames, time, level, "all"), key, controller.signal);
      const before = frame(steps.before);
      const [earlier, after] = await Promise.all([
        before,
        steps.after === steps.before ? before : frame(steps.after),
      ]);
      controller.signal.throwIfAborted();
      setDrawn({
        ...nothing,
        pair: { before: earlier, after, later: steps.later },
        variable,
        steps,
        settled: level === finest,
      });
    };
    const all = async () => {
      const held = finest && frames.peek(framePath(steps.run.frames, steps.before, finest, "all"));
      const coarsest = levels.at(-1)?.level;
      if (coarsest && coarsest !== finest && !held) await load(coarsest);
      if (finest) await load(finest);
    };
    setDrawn((last) => ({ ...last, settled: false, stale: last.pair !== undefined, error: undefined }));
    all().catch((error: unknown) => {
      if (!controller.signal.aborted) setDrawn((last) => ({ ...last, error: error as Error }));
    });
    return () => controller.abort();
  }, [variable, steps, key, attempt]);

  return drawn;
}
