import { useEffect, useRef, useState } from "react";
import type { ListProblem, ListProblems } from "#lib/points/list-problem.ts";
import type { ImportedList, ImportReply, ImportRequest } from "./route-import.ts";

/** What was read of a file, or why it was not. */
export interface RouteFileState {
  /** Of the file; empty for pasted text. */
  name: string;
  isReading: boolean;
  lists: readonly ImportedList[];
  problems?: ListProblems;
}

/** A file that takes longer is refused: nobody waits for it. */
const MAX_READING_MS = 60_000;

const nothing: RouteFileState = { name: "", isReading: false, lists: [] };

/** Reads files and pasted texts in a worker. Later input replaces what is still being read. */
export function useRouteImport(onRead: (name: string, lists: readonly ImportedList[]) => void) {
  const [state, setState] = useState(nothing);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const read = async (name: string, content: () => Promise<ArrayBuffer | string>) => {
    stop.current?.();
    const controller = new AbortController();
    stop.current = () => controller.abort();
    setState({ ...nothing, name, isReading: true });
    const { languages } = navigator;
    const reply: ImportReply = await content().then(
      (given) => replyOfWorker({ content: given, languages: [...languages] }, controller.signal),
      // It was moved or changed after it was chosen.
      () => ({ problems: only({ code: "movedFile", name }) }),
    );
    if (controller.signal.aborted) return;
    if ("problems" in reply) setState({ ...nothing, name, problems: reply.problems });
    else {
      setState({ ...nothing, name, lists: reply.lists });
      onRead(name, reply.lists);
    }
  };
  return {
    state,
    readFile: (file: File) => read(file.name, () => file.arrayBuffer()),
    readPasted: (text: string) => read("", async () => text),
    /** Stops what is being read, and forgets what was read. */
    clear() {
      stop.current?.();
      setState(nothing);
    },
  };
}

function only(problem: ListProblem): ListProblems {
  return { shown: [problem], more: 0 };
}

function replyOfWorker(request: ImportRequest, signal: AbortSignal): Promise<ImportReply> {
  const worker = new Worker(new URL("./route-import.worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve } = Promise.withResolvers<ImportReply>();
  const refuse = (problem: ListProblem) => resolve({ problems: only(problem) });
  const timer = setTimeout(() => refuse({ code: "slow" }), MAX_READING_MS);
  worker.addEventListener("message", ({ data }: MessageEvent<ImportReply>) => resolve(data));
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
