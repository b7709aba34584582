import "#components/api-client/without-eval.ts";
import { viewOfBox } from "@open-metocean/geo/box";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { z } from "zod";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { useAccess, useApiKey, useOwnKey } from "#components/api-client/api-key.tsx";
import { curlOfBody } from "#components/api-client/curl.ts";
import { askForKey } from "#components/api-client/key-store.ts";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { type FileBody, fileService, taskService } from "#components/api-client/services.ts";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { useSteady } from "#components/ui/use-steady.ts";
import { showDownloadArea } from "#components/view-state/download-area.ts";
import { useOnline } from "#components/view-state/use-browser.ts";
import { useWords } from "#components/words/words-context.ts";
import { fileEstimate } from "#lib/contract/files.ts";
import { fileName } from "#lib/contract/media-types.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { WordsWith } from "#lib/messages/words.ts";

const estimateQuery = (key: string, body: FileBody) =>
  queryOptions({
    queryKey: ["file estimate", key, body],
    queryFn: async ({ signal }) =>
      parseReply(await fileService(key).estimate(body, { signal }), fileEstimate).estimate,
    staleTime: 60_000,
    ...retryPolicy,
  });

/**
 * Fetches a file.
 *
 * @param onReceived Called with the number of bytes received so far.
 * @throws ServiceError also if the service could not make the file or something else answered in its place.
 */
export async function fetchFile(
  key: string,
  body: FileBody,
  signal: AbortSignal,
  onReceived: (bytes: number) => void,
): Promise<Blob> {
  const reply = await fileService(key).get(body, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = reply.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) break;
    parts.push(part.value);
    bytes += part.value.length;
    onReceived(bytes);
  }
  return new Blob(parts, { type: reply.headers.get("content-type") ?? "application/octet-stream" });
}

interface Props {
  body: FileBody | undefined;
  /** Why there can be no file. */
  problem: string | undefined;
}

export function DownloadFoot(props: Props) {
  const words = useWords("download");
  const { actions } = words.download;
  const own = useOwnKey();
  const any = useApiKey();
  const { guests } = useAccess();
  const key = own ?? (guests === "api" ? any : undefined);
  if (key !== undefined) return <Actions {...props} apiKey={key} hasTasks={own !== undefined} />;
  return (
    <div className="form-foot space-y-2 text-sm">
      <p>{actions.needsKey}</p>
      <Button primary className="px-4" onClick={() => askForKey()}>
        {words.access.status.enter}
      </Button>
    </div>
  );
}

/** @see hasTasks false for visitors, because a task needs an owner. */
function Actions({ body, problem, apiKey, hasTasks }: Props & { apiKey: string; hasTasks: boolean }) {
  const words = useWords("download");
  const { actions, estimate: text } = words.download;
  const isOnline = useOnline();
  // The size is requested only when typing and map movement have paused.
  const steady = useSteady(JSON.stringify(body ?? null));
  const asked = useMemo(() => JSON.parse(steady) as FileBody | null, [steady]);
  const query = useQuery({
    ...estimateQuery(apiKey, asked as FileBody),
    enabled: asked !== null && body !== undefined && isOnline,
    placeholderData: (before) => before,
  });
  const { state, download, makeTask, cancel } = useFile(apiKey);
  const isBusy = state.is === "preparing" || state.is === "receiving";
  const isCurrent = steady === JSON.stringify(body ?? null) && !query.isPlaceholderData && !query.error;
  const found = body ? query.data : undefined;
  const isAround = body?.area.type === "storm" || body?.area.type === "route";
  useFrame(isAround && isCurrent ? found : undefined);
  const isSeries = body?.area.type === "points";
  const size = found && sizeText(found, isSeries, words);
  const needsTask = found !== undefined && isCurrent && !found.at_once;
  const isTooLarge = needsTask && !(found.as_task && hasTasks);
  const isOff = body === undefined || !isOnline || isTooLarge;
  return (
    <div className="form-foot -bottom-4 -mx-4 -mb-4 flex flex-col gap-2 px-4 [@media(max-height:30rem)]:gap-1 [@media(max-height:30rem)]:py-1.5">
      <p role="status" aria-busy={!isCurrent} className="text-sm tabular-nums">
        {problem ? problem : isOnline ? (size ?? (query.error ? "" : text.waiting)) : actions.offline}
        {needsTask ? ` ${isTooLarge ? text.tooLarge : text.task}` : ""}
      </p>
      {query.error && !isBusy && state.is !== "failed" && body ? (
        <ErrorMessage error={inWords(query.error, words.download)} onRetry={() => void query.refetch()} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {isBusy ? (
          <Button className="px-3" onClick={cancel}>
            {actions.cancel}
          </Button>
        ) : (
          <Button
            primary
            className="px-3"
            disabled={isOff}
            onClick={() => body && void (needsTask ? makeTask(body) : download(body))}
          >
            {needsTask ? actions.task : actions.download}
          </Button>
        )}
        {!isBusy && !needsTask && hasTasks && !isOff && !isSeries ? (
          <Button className="px-3" onClick={() => body && void makeTask(body)}>
            {actions.task}
          </Button>
        ) : null}
        {body && !isBusy && !isTooLarge ? (
          <CopyButton className="button plain px-1.5" text={() => curlOf(body, needsTask)}>
            {words.point.copyAsCurl}
          </CopyButton>
        ) : null}
      </div>
      <Outcome state={state} />
    </div>
  );
}

function sizeText(
  { bytes, steps, rows, columns }: z.infer<typeof fileEstimate>["estimate"],
  isSeries: boolean,
  words: WordsWith<"download">,
): string {
  const { estimate: text } = words.download;
  const size = formatBytes(bytes, words);
  if (isSeries) return text.series({ size, steps, places: rows });
  return text.about({ size, steps, grid: `${columns} × ${rows}` });
}

/** The request as a shell command, which writes the file or creates the task. */
const curlOf = (body: FileBody, asTask: boolean): string =>
  asTask
    ? curlOfBody("/files", { ...body, async: true, task_name: fileName(body) })
    : curlOfBody("/files", body, fileName(body));

/** Shows on the map the extent that the service reports for a file around a storm or along a passage. */
function useFrame(found: { latitude: number[]; longitude: number[] } | undefined): void {
  const [south, north] = found?.latitude ?? [];
  const [west, east] = found?.longitude ?? [];
  useEffect(() => {
    if (south === undefined || north === undefined || west === undefined || east === undefined) return;
    showDownloadArea({ box: viewOfBox({ south, north, west, east }), isOwn: false });
    return () => showDownloadArea({ box: undefined });
  }, [south, north, west, east]);
}

function Outcome({ state }: { state: FileState }) {
  const words = useWords("download");
  const { actions } = words.download;
  if (state.is === "failed")
    return <ErrorMessage error={inWords(state.error, words.download)} onRetry={state.again} />;
  const size = "bytes" in state ? formatBytes(state.bytes, words) : "";
  const said = {
    idle: "",
    preparing: actions.preparing,
    receiving: actions.receiving({ size }),
    cancelled: actions.cancelled,
    sent: actions.sent,
    done: state.is === "done" ? actions.done({ name: state.name, size }) : "",
  }[state.is];
  return (
    <p className="wrap-anywhere text-[0.875rem] empty:hidden" role="status">
      {said}{" "}
      {state.is === "sent" ? (
        <a className="underline" href="/tasks">
          {actions.toTasks}
        </a>
      ) : null}
    </p>
  );
}

/** The words for a failure that depend on the request. */
function inWords(
  error: Error & { status?: number },
  { faults }: Messages["download"],
): Error & { status?: number } {
  const said = { 404: faults.gone, 413: faults.tooLarge, 503: faults.busy, 507: faults.full }[
    error.status ?? 0
  ];
  return said === undefined ? error : Object.assign(new Error(said), { status: error.status });
}

type FileState =
  | { is: "idle" | "preparing" | "cancelled" | "sent" }
  | { is: "receiving"; bytes: number }
  | { is: "done"; name: string; bytes: number }
  | { is: "failed"; error: Error; again: () => void };

/** Fetches a file or creates a task for it, one at a time, and can be cancelled. */
function useFile(key: string) {
  const [state, setState] = useState<FileState>({ is: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (work: (signal: AbortSignal) => Promise<FileState>) => {
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
    setState({ is: "preparing" });
    try {
      setState(await work(control.signal));
    } catch (error) {
      const again = () => void run(work);
      setState(control.signal.aborted ? { is: "cancelled" } : { is: "failed", error: error as Error, again });
    } finally {
      running.current = undefined;
    }
  };
  const download = (body: FileBody) =>
    run(async (signal) => {
      const file = await fetchFile(key, body, signal, (bytes) => setState({ is: "receiving", bytes }));
      const name = fileName(body);
      saveFile(name, file);
      return { is: "done", name, bytes: file.size };
    });
  const makeTask = (body: FileBody) =>
    run(async (signal) => {
      await taskService(key).files({ ...body, task_name: fileName(body) }, { signal });
      return { is: "sent" };
    });
  return { state, download, makeTask, cancel: () => running.current?.abort() };
}
