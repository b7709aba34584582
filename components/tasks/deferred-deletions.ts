import type { ListedTask } from "#lib/contract/task.ts";

/** How long a deletion can be taken back, ms. */
export const UNDO_MS = 10_000;

/** What a page shows of deletions. */
export interface Deletions {
  /** The task that can still be brought back. */
  waiting: ListedTask | undefined;
  /** Ids of tasks that are not listed: the one that waits, and those that the list still has. */
  hidden: ReadonlySet<string>;
  /** A deletion that the server did not carry out; its task is listed again. */
  failure: { task: ListedTask; error: Error } | undefined;
}

export const noDeletions: Deletions = { waiting: undefined, hidden: new Set(), failure: undefined };

/** What may be at the button that brings a task back. */
type Holder = "focus" | "pointer";

/**
 * Deletes tasks a while after the user asked for it, one at a time: another one, or leaving the page, carries out the one
 * that waits. Nothing is sent before, so that bringing a task back loses nothing.
 *
 * @param send Deletes a task for good. `leaving`: the page is about to end.
 * @param onChange Called with every new state.
 */
export function deferDeletions(
  send: (task: ListedTask, leaving: boolean) => Promise<void>,
  onChange: (state: Deletions) => void,
) {
  let state = noDeletions;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const holders = new Set<Holder>();
  const change = (next: Partial<Deletions>) => {
    state = { ...state, ...next };
    onChange(state);
  };
  /** The button goes away with its task, and no event says that pointer or focus have left it. */
  const stop = () => {
    clearTimeout(timer);
    holders.clear();
  };
  const without = (id: string) => new Set([...state.hidden].filter((one) => one !== id));
  const settle = (leaving = false) => {
    stop();
    const { waiting: task } = state;
    if (!task) return;
    change({ waiting: undefined });
    send(task, leaving).catch((error: Error) =>
      change({ hidden: without(task.task_id), failure: { task, error } }),
    );
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
    /** Brings the task back that waits. */
    undo() {
      stop();
      if (state.waiting) change({ waiting: undefined, hidden: without(state.waiting.task_id) });
    },
    /** Waits for as long as the user is at the button that brings the task back, by keyboard or by pointer. */
    hold(by: Holder) {
      holders.add(by);
      clearTimeout(timer);
    },
    /** The user is there no more: the time begins anew, unless the other one still is. */
    release(by: Holder) {
      holders.delete(by);
      if (state.waiting && holders.size === 0) start();
    },
    /** Carries out what waits. */
    settle,
  };
}
