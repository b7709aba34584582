import { useEffect, useRef, useState } from "react";
import { createFileTask, type FileBody } from "#components/api-client/file-service.ts";
import { saveFile } from "#components/ui/save-file.ts";
import { fileName } from "#lib/table/file-name.ts";
import { fetchFile } from "./file-requests.ts";

export type FileState =
  | { is: "idle" | "preparing" | "cancelled" | "sending" | "sent" }
  | { is: "receiving"; bytes: number }
  | { is: "done"; name: string; bytes: number }
  | { is: "failed"; error: Error; again: () => void };

/** Fetches a file or makes a task of it: one at a time, and it can be cancelled. */
export function useFile(key: string | undefined) {
  const [state, setState] = useState<FileState>({ is: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (
    begun: FileState,
    work: (signal: AbortSignal) => Promise<FileState>,
    again: () => void,
  ) => {
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
    setState(begun);
    try {
      setState(await work(control.signal));
    } catch (error) {
      setState(control.signal.aborted ? { is: "cancelled" } : { is: "failed", error: error as Error, again });
    } finally {
      running.current = undefined;
    }
  };
  const download = (body: FileBody): void => {
    if (key === undefined) return;
    const work = async (signal: AbortSignal): Promise<FileState> => {
      const file = await fetchFile(key, body, signal, (bytes) => setState({ is: "receiving", bytes }));
      const name = fileName(body);
      saveFile(name, file);
      return { is: "done", name, bytes: file.size };
    };
    void run({ is: "preparing" }, work, () => download(body));
  };
  const makeTask = (body: FileBody): void => {
    if (key === undefined) return;
    const work = async (signal: AbortSignal): Promise<FileState> => {
      await createFileTask(key, { ...body, task_name: fileName(body) }, { signal });
      return { is: "sent" };
    };
    void run({ is: "sending" }, work, () => makeTask(body));
  };
  return { state, download, makeTask, cancel: () => running.current?.abort() };
}
