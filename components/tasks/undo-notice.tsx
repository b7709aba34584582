import { useEffect, useRef } from "react";
import { useWords } from "#components/words/words-context.ts";
import { errorText } from "#lib/messages/fault.ts";
import { formatTitle } from "./format-task.ts";
import type { useDeletions } from "./use-deletions.ts";

interface Props {
  deletions: ReturnType<typeof useDeletions>;
  /** The button has gone, and the focus with it. */
  onGone(): void;
}

/** What is being deleted, with a button that brings it back, and what could not be deleted. */
export function UndoNotice({ deletions, onGone }: Props) {
  const words = useWords("tasks");
  const { undo: text } = words.tasks;
  const { waiting, failure, undo, hold, release } = deletions;
  const button = useRef<HTMLButtonElement>(null);
  const hasFocus = useRef(false);
  const id = waiting?.task_id;
  // The row that had the focus is gone; whoever works by keyboard goes on here, in their own time.
  useEffect(() => {
    if (id === undefined) return;
    button.current?.focus();
    return () => {
      if (hasFocus.current) onGone();
      hasFocus.current = false;
    };
  }, [id, onGone]);
  return (
    <div className="undo-notice">
      <p role="status" className={waiting ? "min-w-0 flex-1 break-words" : "sr-only"}>
        {waiting ? text.deleting({ title: formatTitle(waiting, words) }) : ""}
      </p>
      {waiting ? (
        <button
          ref={button}
          type="button"
          className="button px-4"
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
        </button>
      ) : null}
      {failure ? (
        <p role="alert" className="min-w-0 flex-1 break-words">
          {text.failed({ title: formatTitle(failure.task, words), reason: errorText(failure.error, words) })}
        </p>
      ) : null}
    </div>
  );
}
