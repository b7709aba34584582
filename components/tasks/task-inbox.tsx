import "#components/api-client/without-eval.ts";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useCallback, useEffect, useRef, useState } from "react";
import { useAccess, useApiKey, useOwnKey } from "#components/api-client/api-key.tsx";
import { GUEST } from "#components/api-client/guest.ts";
import { askForKey } from "#components/api-client/key-store.ts";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import { taskParameter } from "#lib/contract/page-query.ts";
import { formatState, formatTitle } from "./format-task.ts";
import { NewTask } from "./new-task.tsx";
import { type TaskBody, taskListQuery } from "./task-requests.ts";
import { TaskRow } from "./task-row.tsx";
import { UndoNotice } from "./undo-notice.tsx";
import { useDeletions } from "./use-deletions.ts";
import { useFinishedTasks } from "./use-finished-tasks.ts";
import { useTaskEvents } from "./use-task-events.ts";

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
  const lastDeleted = deletions.waiting?.task_id;
  // To the row that is back, or to the top of the list.
  const takeFocus = useCallback(
    () => (document.getElementById(`delete-${lastDeleted}`) ?? heading.current)?.focus(),
    [lastDeleted],
  );
  return (
    <main className="mx-auto w-full max-w-3xl px-4 py-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl outline-none">
          {inbox.heading}
        </h1>
        <button
          type="button"
          className="button primary px-4"
          disabled={!key}
          onClick={() => setForm({ given: undefined })}
        >
          {inbox.newTask}
        </button>
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
              // A form that was opened meanwhile keeps its input.
              onRepeat={(given) => setForm((open) => open ?? { given })}
              onDelete={() => deletions.remove(task)}
            />
          ))}
        </ul>
        {tasks && tasks.length >= 100 ? <p className="mt-4 text-muted text-sm">{inbox.newestOnly}</p> : null}
      </div>
      <UndoNotice deletions={deletions} onGone={takeFocus} />
      {form && key ? (
        <NewTask
          apiKey={key}
          now={now}
          given={form.given}
          known={tasks ?? []}
          // A late reply to a closed form does not close the next one.
          onClose={() => setForm((open) => (open === form ? undefined : open))}
        />
      ) : null}
    </main>
  );
}

/** Why a visitor has no tasks, and what to do. */
function KeyNeeded() {
  const { keyRequests } = useAccess();
  const { keyNeeded } = useWords("tasks").tasks;
  return (
    <div className="task-row space-y-2">
      <p>{keyNeeded.why}</p>
      <p>{keyRequests ? keyNeeded.byMail : keyNeeded.byOperator}</p>
      <button type="button" className="button px-4" onClick={() => askForKey()}>
        {keyRequests ? keyNeeded.getKey : keyNeeded.enterKey}
      </button>
    </div>
  );
}

/** Milliseconds since 1970, precise enough for "12 min ago". */
function useMachineClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 20_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
