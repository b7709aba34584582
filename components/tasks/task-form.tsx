import { type FormEvent, type ReactNode, useState } from "react";
import { TextField } from "#components/ui/text-field.tsx";

/** Fields that all tasks have. */
export interface CommonFields {
  task_name?: string;
  receive_mail: boolean;
  /** Files of the result name the runs of their values. */
  include_meta: true;
}

interface Props {
  given: { task_name?: string; receive_mail?: boolean } | undefined;
  busy: boolean;
  /** Why the form cannot be sent. */
  problem: string | undefined;
  /** Expected size and duration. */
  estimate: string | undefined;
  onSubmit(common: CommonFields): void;
  children: ReactNode;
}

/** A form for a task: the fields of its kind, then name and email, the estimate, and the button. */
export function TaskForm({ given, busy, problem, estimate, onSubmit, children }: Props) {
  const [name, setName] = useState(given?.task_name ?? "");
  const [mail, setMail] = useState(given?.receive_mail ?? false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem)
      onSubmit({ ...(name.trim() && { task_name: name.trim() }), receive_mail: mail, include_meta: true });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {children}
      <TextField label="Name, as you will look for it" maxLength={200} value={name} onChange={setName} />
      <label className="flex min-h-11 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-5"
          checked={mail}
          onChange={(event) => setMail(event.target.checked)}
        />
        Send one mail when it has ended
      </label>
      <p className="text-sm" role="status">
        {problem ?? estimate}
      </p>
      <button type="submit" className="button primary px-4" disabled={busy || problem !== undefined}>
        {busy ? "Sending…" : "Start the task"}
      </button>
    </form>
  );
}
