import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { errorText } from "#lib/messages/fault.ts";
import { BoxForm } from "./box-form.tsx";
import { PointsForm } from "./points-form.tsx";
import { submitTask, type TaskBody, taskListKey } from "./task-requests.ts";

interface Props {
  apiKey: string;
  /** Weather clock, Unix seconds. */
  now: number;
  /** Request of a task to repeat. */
  given: TaskBody | undefined;
  known: readonly ListedTask[];
  onClose(): void;
}

/** The form for a new task: a box of the map, or a list of points. */
export function NewTask({ apiKey, now, given, known, onClose }: Props) {
  const client = useQueryClient();
  const words = useWords("tasks");
  const { inbox, form } = words.tasks;
  const [kind, setKind] = useState<TaskBody["kind"]>(given?.kind ?? "2DMetOcean");
  const submit = useMutation({
    mutationFn: (body: TaskBody) => submitTask(apiKey, body),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: taskListKey(apiKey) });
      onClose();
    },
  });
  // `isPending` is set with the next rendering; a double click is faster.
  const sending = useRef(false);
  const send = (body: TaskBody) => {
    if (sending.current) return;
    sending.current = true;
    submit.mutate(body, {
      onError: () => {
        sending.current = false;
      },
    });
  };
  const Form = kind === "MetOcean" ? PointsForm : BoxForm;
  return (
    <Dialog title={inbox.newTask} onClose={onClose}>
      <div className="space-y-4">
        <Choice<TaskBody["kind"]>
          title={form.kind}
          options={[
            ["2DMetOcean", form.kinds["2DMetOcean"]],
            ["MetOcean", form.kinds.MetOcean],
          ]}
          value={kind}
          onChange={setKind}
        />
        <Form
          now={now}
          given={given}
          known={known}
          busy={submit.isPending}
          failure={submit.error ? errorText(submit.error, words) : undefined}
          onSubmit={send}
        />
      </div>
    </Dialog>
  );
}
