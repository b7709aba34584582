import { useEffect, useRef, useState } from "react";
import { type DrawnField, FieldLoader, type FieldRequest, emptyField } from "./field-loader.ts";
import { FrameStore } from "./frame-store.ts";

/**
 * Frames of a variable round an instant, for what is in view. See `FieldLoader`.
 *
 * @param answered When the service last told what may be drawn, any clock: after an outage the frames are asked for again.
 * @param attempt Counts up to try again after an error.
 */
export function useField(
  { variable, steps, around, box }: FieldRequest,
  answered: number,
  attempt = 0,
): DrawnField {
  const [drawn, setDrawn] = useState(emptyField);
  const loader = useRef<FieldLoader>(undefined);

  useEffect(() => {
    const opened = new FieldLoader(frameStore(), setDrawn);
    loader.current = opened;
    return () => opened.close();
  }, []);

  useEffect(() => {
    loader.current?.request({ variable, steps, around, box });
  }, [variable, steps, around, box]);

  useEffect(() => {
    if (attempt > 0) loader.current?.retry();
  }, [attempt]);

  useEffect(() => {
    if (answered > 0) loader.current?.recover();
  }, [answered]);

  return drawn;
}

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
