import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { readKey, subscribeToKey } from "#components/api-client/key-store.ts";
import { canSave, storeOf } from "#components/api-client/saved-replies.ts";
import { reportLate } from "#components/api-client/send-request.ts";
import { type DrawnField, emptyField, FieldLoader, type FieldRequest } from "./field-loader.ts";
import { FrameStore, type FrameWorker, type WorkerReply, type WorkerRequest } from "./frame-store.ts";

/**
 * Frames of a variable around an instant, for the visible area. See `FieldLoader`.
 *
 * @param answeredAt When the service last answered for the manifest, on any clock; a change retries failed
 * frames.
 * @returns `retry` is for the user after an error.
 */
export function useField(
  { variable, steps, around, isPlaying, box }: FieldRequest,
  answeredAt: number,
): DrawnField & { retry(): void } {
  const [drawn, setDrawn] = useState(emptyField);
  const loader = useRef<FieldLoader>(undefined);

  useEffect(() => {
    const opened = new FieldLoader(frameStore(), setDrawn);
    loader.current = opened;
    return () => opened.close();
  }, []);

  useEffect(() => {
    loader.current?.request({ variable, steps, around, isPlaying, box });
  }, [variable, steps, around, isPlaying, box]);

  useEffect(() => {
    if (answeredAt > 0) loader.current?.recover();
  }, [answeredAt]);

  const retry = useCallback(() => loader.current?.retry(), []);
  return useMemo(() => ({ ...drawn, retry }), [drawn, retry]);
}

/** Most bytes of decoded frames in memory; phones have less memory to spare. */
const BUDGET = 96 * 2 ** 20;
const BUDGET_ON_PHONES = 48 * 2 ** 20;

let store: FrameStore | undefined;

/** The page's frame store, shared by fields that are drawn together. */
function frameStore(): FrameStore {
  const onPhone = window.matchMedia("(pointer: coarse) and (max-width: 60rem)").matches;
  store ??= new FrameStore(openWorker(), onPhone ? BUDGET_ON_PHONES : BUDGET);
  return store;
}

/**
 * Frames are requested by signed paths, so the worker does not know the key, only where saved frames are
 * stored.
 */
function openWorker(): FrameWorker {
  const worker = new Worker(new URL("./frame.worker.ts", import.meta.url), { type: "module" });
  const cancel = () => worker.postMessage({ cancelLate: true } satisfies WorkerRequest);
  worker.addEventListener("message", ({ data }: MessageEvent<WorkerReply>) => {
    if ("late" in data) reportLate(cancel, data.late);
  });
  const sendStore = async () => {
    const { key } = readKey();
    const store = key !== undefined && canSave() ? await storeOf(key) : undefined;
    if (readKey().key === key) worker.postMessage({ store } satisfies WorkerRequest);
  };
  subscribeToKey(() => void sendStore());
  void sendStore();
  return worker;
}
