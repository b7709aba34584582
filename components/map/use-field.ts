import { useEffect, useRef, useState } from "react";
import { type DrawnField, FieldLoader, type FieldWish, nothingDrawn } from "#components/map/field-loader.ts";
import { FrameStore } from "#components/map/frame-store.ts";

/**
 * Frames of a variable round an instant, for what is in view. See `FieldLoader`.
 *
 * @param attempt Counts up to try again after an error.
 */
export function useField({ variable, steps, around, box }: FieldWish, attempt: number): DrawnField {
  const [drawn, setDrawn] = useState(nothingDrawn);
  const loader = useRef<FieldLoader>(undefined);

  useEffect(() => {
    const opened = new FieldLoader(frameStore(), setDrawn);
    loader.current = opened;
    return () => opened.close();
  }, []);

  useEffect(() => {
    loader.current?.wish({ variable, steps, around, box });
  }, [variable, steps, around, box]);

  useEffect(() => {
    if (attempt > 0) loader.current?.retry();
  }, [attempt]);

  // For whoever measures how long the first colours take.
  const hasField = drawn.pair !== undefined;
  useEffect(() => {
    if (hasField) performance.mark(FIELD_MARK);
  }, [hasField]);

  return drawn;
}

/** Name of the mark, in the browser's own timeline, at which the page had a field to draw. */
const FIELD_MARK = "field";

/** Decoded frames held, bytes: a phone has less to spare. */
const BUDGET = 96 * 2 ** 20;
const BUDGET_ON_PHONES = 48 * 2 ** 20;

let store: FrameStore | undefined;

/** The one store of the page: fields that are drawn together share it. */
function frameStore(): FrameStore {
  const onPhone = window.matchMedia("(pointer: coarse) and (max-width: 60rem)").matches;
  store ??= new FrameStore(
    new Worker(new URL("./frame.worker.ts", import.meta.url), { type: "module" }),
    onPhone ? BUDGET_ON_PHONES : BUDGET,
  );
  return store;
}
