import { type FormEvent, type ReactNode, useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import type { TaskBody } from "./task-requests.ts";

/** Properties of the form for a kind of task. */
export interface KindFormProps {
  /** Weather clock, Unix seconds. */
  now: number;
  /** Request of a task to repeat. */
  given: TaskBody | undefined;
  known: readonly ListedTask[];
  busy: boolean;
  /** Why it was not sent. */
  failure: string | undefined;
  onSubmit(body: TaskBody): void;
}

interface Props {
  given: { task_name?: string; receive_mail?: boolean } | undefined;
  /** Name of what the task is about, until the person writes another. */
  suggestedName?: string | undefined;
  busy: boolean;
  /** Why it was not sent. */
  failure: string | undefined;
  /** Why the form cannot be sent. */
  problem: string | undefined;
  /** Expected size and duration, of what has no problem. */
  estimate: string;
  /** @param common Fields that all tasks have. */
  onSubmit(common: { task_name?: string; receive_mail: boolean; include_meta: true }): void;
  children: ReactNode;
}

/** A form for a task: the fields of its kind, then name and email, the estimate, and the button. */
export function TaskForm({
  given,
  suggestedName,
  busy,
  failure,
  problem,
  estimate,
  onSubmit,
  children,
}: Props) {
  const { form } = useWords("tasks").tasks;
  const [written, setName] = useState(given?.task_name);
  const name = written ?? suggestedName ?? "";
  const [mail, setMail] = useState(given?.receive_mail ?? false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem || busy) return;
    // Files of the result name the runs of their values.
    onSubmit({ ...(name.trim() && { task_name: name.trim() }), receive_mail: mail, include_meta: true });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {children}
      <TextField label={form.name} maxLength={200} value={name} onChange={setName} />
      <Checkbox checked={mail} onChange={setMail}>
        {form.mail}
      </Checkbox>
      <div className="form-foot flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-sm" role="status">
          {problem ?? estimate}
        </p>
        <button
          type="submit"
          className="button primary px-4"
          // A disabled button would lose the focus.
          aria-disabled={busy}
          disabled={problem !== undefined}
        >
          {busy ? form.sending : form.start}
        </button>
        {failure ? (
          <p role="alert" className="w-full text-sm">
            {failure}
          </p>
        ) : null}
      </div>
    </form>
  );
}
