import "#components/api-client/without-eval.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useAccess, useApiKey, useOwnKey } from "#components/api-client/api-key.tsx";
import { askForKey } from "#components/api-client/key-store.ts";
import { GUEST } from "#components/api-client/saved-replies.ts";
import { followTask } from "#components/api-client/services.ts";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useMachineClock } from "#components/view-state/use-browser.ts";
import { useWords } from "#components/words/words-context.ts";
import { taskParameter } from "#lib/contract/page-query.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { errorText } from "#lib/messages/fault.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { NewTask } from "./new-task.tsx";
import { deleteTask, type TaskBody, taskListKey, taskListQuery } from "./task-requests.ts";
import { formatState, formatTitle, TaskRow } from "./task-row.tsx";

/**
 * Most event streams at once. Browsers limit the connections to one host, and the others must stay free for
 * requests.
 */
const MAX_STREAMS = 3;

/** Follows the oldest pending tasks live and updates the cached list. */
function useTaskEvents(key: string | undefined, tasks: readonly ListedTask[] | undefined): void {
  const client = useQueryClient();
  const followed = (tasks ?? [])
    .filter(({ status }) => status === "PENDING")
    .slice(-MAX_STREAMS)
    .map(({ task_id }) => task_id)
    .join();
  useEffect(() => {
    if (!key || !followed) return;
    const controller = new AbortController();
    const update = (latest: ListedTask) =>
      client.setQueryData<ListedTask[]>(taskListKey(key), (shown) =>
        shown?.map((task) => (task.task_id === latest.task_id && task.status === "PENDING" ? latest : task)),
      );
    // A failure of the stream is not reported, because the list is refreshed soon.
    for (const id of followed.split(","))
      followTask(id, { key, signal: controller.signal, update }).catch(() => undefined);
    return () => controller.abort();
  }, [client, key, followed]);
}

const filters = ["all", "PENDING", "SUCCESS", "FAILURE"] as const;

type Filter = (typeof filters)[number];

/** Every task of the key's owner, live, and a form for new ones. @param now Weather clock, Unix seconds. */
export function TaskInbox({ now }: { now: number }) {
  const words = useWords("tasks");
  const { inbox } = words.tasks;
  const key = useOwnKey();
  const isVisitor = useApiKey() === GUEST;
  const {
    data: tasks,
    error,
    refetch,
  } = useQuery({ ...taskListQuery(key ?? ""), enabled: key !== undefined });
  useTaskEvents(key, tasks);
  const finished = useFinishedTasks(tasks);
  const [linked] = useQueryState(taskParameter, parseAsString);
  const [filter, setFilter] = useState<Filter>("all");
  const [form, setForm] = useState<{ given: TaskBody | undefined }>();
  const machineNow = useMachineClock();
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const loaded = tasks !== undefined;
  useEffect(() => {
    if (loaded) list.current?.querySelector('[data-marked="true"]')?.scrollIntoView({ block: "center" });
  }, [loaded]);

  const deletions = useDeletions(key ?? "");
  const { hidden } = deletions;
  const kept = tasks?.filter(({ task_id }) => !hidden.has(task_id)) ?? [];
  const shown = kept.filter(({ status }) => filter === "all" || status === filter);
  const openForm = (given?: TaskBody) => {
    // Deleting the waiting task may free space for a new one.
    deletions.settle();
    // A form that was opened in the meantime retains its input.
    setForm((open) => open ?? { given });
  };
  return (
    <main className="mx-auto w-full max-w-3xl px-4 py-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl outline-none">
          {inbox.heading}
        </h1>
        <Button primary className="px-4" disabled={!key} onClick={() => openForm()}>
          {inbox.newTask}
        </Button>
      </div>
      <div className="mt-4">
        <Choice<Filter>
          title={inbox.show}
          quiet
          options={filters.map((one) => [one, inbox.filters[one]])}
          value={filter}
          onChange={setFilter}
        />
      </div>
      <p className="sr-only" role="status">
        {finished
          ? inbox.ended({ title: formatTitle(finished, words), state: formatState(finished, words) })
          : ""}
      </p>
      <div className="mt-4">
        {isVisitor ? <KeyNeeded /> : null}
        {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
        {key && !loaded && !error ? <p role="status">{inbox.reading}</p> : null}
        {loaded && shown.length === 0 ? (
          <p className="py-8 text-center text-muted">{kept.length === 0 ? inbox.none : inbox.noneInState}</p>
        ) : null}
        <ul ref={list} className="space-y-3">
          {shown.map((task) => (
            <TaskRow
              key={task.task_id}
              task={task}
              apiKey={key ?? ""}
              now={machineNow}
              marked={task.task_id === linked}
              onRepeat={openForm}
              onDelete={() => deletions.remove(task)}
            />
          ))}
        </ul>
        {tasks && tasks.length >= 100 ? <p className="mt-4 text-muted text-sm">{inbox.newestOnly}</p> : null}
      </div>
      <UndoNotice deletions={deletions} heading={heading} />
      {form && key ? (
        <NewTask
          apiKey={key}
          now={now}
          given={form.given}
          known={tasks ?? []}
          // A late reply to a form that was closed must not close the next one.
          onClose={() => setForm((open) => (open === form ? undefined : open))}
        />
      ) : null}
    </main>
  );
}

function KeyNeeded() {
  const { keyRequests } = useAccess();
  const { keyNeeded } = useWords("tasks").tasks;
  return (
    <div className="task-row space-y-2">
      <p>{keyNeeded.why}</p>
      <p>{keyRequests ? keyNeeded.byMail : keyNeeded.byOperator}</p>
      <Button className="px-4" onClick={() => askForKey()}>
        {keyRequests ? keyNeeded.getKey : keyNeeded.enterKey}
      </Button>
    </div>
  );
}

/**
 * Shows the number of tasks that ended while the page was open in the tab's title, until the tab is visible.
 *
 * @returns The task that ended last, for an announcement.
 */
function useFinishedTasks(tasks: readonly ListedTask[] | undefined): ListedTask | undefined {
  const { screen, tasks: text } = useWords("tasks");
  const title = `${screen.pages.titles.tasks} – ${SERVICE_NAME}`;
  const [known, setKnown] = useState(tasks);
  const [unseen, setUnseen] = useState(0);
  const [last, setLast] = useState<ListedTask>();

  if (tasks !== known) {
    setKnown(tasks);
    const ended = (tasks ?? []).filter(
      ({ task_id, status }) =>
        status !== "PENDING" &&
        known?.some((before) => before.task_id === task_id && before.status === "PENDING"),
    );
    if (ended[0]) setLast(ended[0]);
    setUnseen(unseen + ended.length);
  }

  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === "visible") setUnseen(0);
    };
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("focus", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("focus", seen);
    };
  }, []);

  useEffect(() => {
    document.title = unseen > 0 ? text.titleDone({ count: unseen, title }) : title;
  }, [unseen, text, title]);

  return last;
}

interface UndoProps {
  deletions: ReturnType<typeof useDeletions>;
  heading: RefObject<HTMLElement | null>;
}

/** States what is being deleted, with a button that restores it, and what could not be deleted. */
function UndoNotice({ deletions, heading }: UndoProps) {
  const { waiting, failure, undo, hold, release } = deletions;
  const words = useWords("tasks");
  const { undo: text } = words.tasks;
  const button = useRef<HTMLButtonElement>(null);
  const hasFocus = useRef(false);
  const id = waiting?.task_id;
  // The row that had the focus is gone, so keyboard users continue here without a time limit.
  useEffect(() => {
    if (id === undefined) return;
    button.current?.focus();
    return () => {
      // The focus moves to the restored row, or to the top of the list.
      if (hasFocus.current) (document.getElementById(`delete-${id}`) ?? heading.current)?.focus();
      hasFocus.current = false;
    };
  }, [id, heading]);
  return (
    // The notice lies over the list, above the last lines of the page.
    <div
      className={
        waiting || failure
          ? "fixed right-4 bottom-10 left-4 z-20 mx-auto flex w-fit max-w-128 items-center gap-4 rounded-lg border border-line bg-surface py-2 pr-2 pl-3.5 text-[0.875rem] shadow-[0_4px_16px_rgb(0_0_0/0.25)]"
          : undefined
      }
    >
      <p role="status" className={waiting ? "min-w-0 flex-1 break-words" : "sr-only"}>
        {waiting ? text.deleting({ title: formatTitle(waiting, words) }) : ""}
      </p>
      {waiting ? (
        <Button
          ref={button}
          className="px-4"
          onClick={undo}
          onFocus={({ currentTarget }) => {
            hasFocus.current = true;
            if (currentTarget.matches(":focus-visible")) hold("focus");
          }}
          onBlur={() => {
            hasFocus.current = false;
            release("focus");
          }}
          onPointerEnter={() => hold("pointer")}
          onPointerLeave={() => release("pointer")}
        >
          {text.undo}
          <span className="sr-only">{text.undoOf({ title: formatTitle(waiting, words) })}</span>
        </Button>
      ) : null}
      {failure ? (
        <p role="alert" className="min-w-0 flex-1 break-words">
          {text.failed({ title: formatTitle(failure.task, words), reason: errorText(failure.error, words) })}
        </p>
      ) : null}
    </div>
  );
}

/** Deletions of tasks that can be undone for a while. Leaving the page carries out the waiting one. */
function useDeletions(apiKey: string) {
  const client = useQueryClient();
  const [state, setState] = useState(noDeletions);
  const deletions = useMemo(
    () =>
      deferDeletions(async ({ task_id }) => {
        await deleteTask(apiKey, task_id);
        await client.invalidateQueries({ queryKey: taskListKey(apiKey) });
      }, setState),
    [client, apiKey],
  );
  useEffect(() => {
    window.addEventListener("pagehide", deletions.settle);
    return () => {
      window.removeEventListener("pagehide", deletions.settle);
      // When another key is used, this task must still be deleted with its own key.
      deletions.settle();
    };
  }, [deletions]);
  return { ...state, ...deletions };
}

/** How long a deletion can be undone, ms. */
export const UNDO_MS = 10_000;

export interface Deletions {
  /** The task that can still be restored. */
  waiting: ListedTask | undefined;
  /** Ids of tasks that are not listed: the waiting one, and deleted ones that are still in the list. */
  hidden: ReadonlySet<string>;
  /** A deletion that failed on the server; its task is listed again. */
  failure: { task: ListedTask; error: Error } | undefined;
}

export const noDeletions: Deletions = { waiting: undefined, hidden: new Set(), failure: undefined };

/** The two ways in which a user can be on the undo button. */
type Holder = "focus" | "pointer";

/**
 * Deletes tasks some time after the user's request, one at a time. Another deletion, a new task, or leaving
 * the page carries out the waiting one. Nothing is sent before, so undoing loses nothing.
 *
 * @param send Deletes a task permanently.
 * @param onChange Called with every new state.
 */
export function deferDeletions(
  send: (task: ListedTask) => Promise<void>,
  onChange: (state: Deletions) => void,
) {
  let state = noDeletions;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const holders = new Set<Holder>();
  const change = (next: Partial<Deletions>) => {
    state = { ...state, ...next };
    onChange(state);
  };
  const without = (id: string) => new Set([...state.hidden].filter((one) => one !== id));
  /** The button disappears with its task, without an event for the pointer or focus leaving it. */
  const stop = () => {
    clearTimeout(timer);
    holders.clear();
  };
  const settle = () => {
    stop();
    const { waiting: task } = state;
    if (!task) return;
    change({ waiting: undefined });
    send(task).catch((error: Error) => change({ hidden: without(task.task_id), failure: { task, error } }));
  };
  const start = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, UNDO_MS);
  };
  return {
    remove(task: ListedTask) {
      settle();
      change({ waiting: task, hidden: new Set([...state.hidden, task.task_id]), failure: undefined });
      start();
    },
    undo() {
      stop();
      if (state.waiting) change({ waiting: undefined, hidden: without(state.waiting.task_id) });
    },
    /** Pauses the timer while the keyboard focus or the pointer is on the undo button. */
    hold(by: Holder) {
      holders.add(by);
      clearTimeout(timer);
    },
    /** Restarts the timer, unless the other of focus and pointer is still there. */
    release(by: Holder) {
      holders.delete(by);
      if (state.waiting && holders.size === 0) start();
    },
    settle,
  };
}
