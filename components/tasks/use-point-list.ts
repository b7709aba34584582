import { useCallback, useEffect, useRef, useState } from "react";
import type { ListProblem, ListProblems } from "#lib/points/list-problem.ts";
import type { DateOrder } from "#lib/points/read-time.ts";
import type { FileList, ListReply, ListRequest } from "./file-list.ts";

/** What was chosen, dropped or pasted, once it is read. */
export interface PointFile {
  /** Of the file; empty for pasted text. */
  name: string;
  lists: readonly FileList[];
  problems?: ListProblems;
}

/** A list that takes longer is refused: nobody waits for it. */
const MAX_READING_MS = 60_000;

/** The list of points of the form. Later input replaces what is still being read. */
export function usePointList(initial: () => PointFile | undefined) {
  const [file, setFile] = useState(initial);
  const [reading, setReading] = useState(false);
  const source = useRef<{ name: string; content(): Promise<ArrayBuffer | string> }>(undefined);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const read = useCallback(async (dateOrder?: DateOrder): Promise<PointFile | undefined> => {
    const asked = source.current;
    if (!asked) return undefined;
    stop.current?.();
    const controller = new AbortController();
    stop.current = () => controller.abort();
    setReading(true);
    const { name } = asked;
    const found: PointFile = await asked.content().then(
      async (content) => {
        const options = { languages: [...navigator.languages], ...(dateOrder && { dateOrder }) };
        const reply = await replyOfWorker({ content, options }, controller.signal);
        return "lists" in reply
          ? { name, lists: reply.lists }
          : { name, lists: [], problems: reply.problems };
      },
      // It was moved or changed after it was chosen.
      () => ({ name, lists: [], problems: only({ code: "movedFile", name }) }),
    );
    if (controller.signal.aborted) return undefined;
    setReading(false);
    setFile(found);
    return found;
  }, []);

  return {
    file,
    reading,
    /** @returns What was read; undefined where later input replaced it. */
    readFile(chosen: File) {
      source.current = { name: chosen.name, content: () => chosen.arrayBuffer() };
      return read();
    },
    readPasted(text: string) {
      if (text.trim()) {
        source.current = { name: "", content: async () => text };
        return read();
      }
      stop.current?.();
      source.current = undefined;
      setReading(false);
      setFile(undefined);
      return undefined;
    },
    /** Reads the same again, with the other order of day and month. */
    setDateOrder: (order: DateOrder) => read(order),
  };
}

function only(problem: ListProblem): ListProblems {
  return { shown: [problem], more: 0 };
}

function replyOfWorker(request: ListRequest, signal: AbortSignal): Promise<ListReply> {
  const worker = new Worker(new URL("./list.worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve } = Promise.withResolvers<ListReply>();
  const refuse = (problem: ListProblem) => resolve({ problems: only(problem) });
  const timer = setTimeout(() => refuse({ code: "slow" }), MAX_READING_MS);
  worker.addEventListener("message", ({ data }: MessageEvent<ListReply>) => resolve(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    refuse({ code: "notRead" });
  });
  signal.addEventListener("abort", () => refuse({ code: "replaced" }));
  worker.postMessage(request, typeof request.content === "string" ? [] : [request.content]);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
