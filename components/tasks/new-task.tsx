import "#components/api-client/without-eval.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Controller, FormProvider, useForm } from "react-hook-form";
import { BoxField } from "#components/fields/box-field.tsx";
import { firstProblem } from "#components/fields/contract-resolver.ts";
import { TimeField } from "#components/fields/time-field.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { zoneOf } from "#components/view-state/civil.ts";
import { variableTitle } from "#components/view-state/overlays.ts";
import { useWords } from "#components/words/words-context.ts";
import { map2dVariables } from "#lib/catalog/variables.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { errorText } from "#lib/messages/fault.ts";
import { type BoxBody, type BoxDraft, boxBody, boxCheck, boxDraft, valuesOf } from "./box-draft.ts";
import { PointsForm } from "./points-form.tsx";
import { boxBytes, formatDuration, type KindFormProps, runSeconds, TaskForm } from "./task-form.tsx";
import { submitTask, type TaskBody, taskListKey } from "./task-requests.ts";

interface Props {
  apiKey: string;
  /** Weather clock, Unix seconds. */
  now: number;
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
  // `isPending` is only set with the next rendering, and a double click is faster.
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

/** This page has no map, so places with the same name are not ranked by distance. */
const origin = { latitude: 0, longitude: 0 };

function BoxForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const words = useWords("tasks");
  const { box: text } = words.tasks;
  const check = boxCheck(words);
  const form = useForm<BoxDraft, unknown, BoxBody>({
    defaultValues: boxDraft(given?.kind === "2DMetOcean" ? given.body : undefined, now),
    resolver: check,
  });
  const { control, register, setValue } = form;
  const draft = form.watch();
  const zone = zoneOf("utc", 0, words);
  const values = valuesOf(boxBody(draft));
  return (
    <FormProvider {...form}>
      <TaskForm
        busy={busy}
        failure={failure}
        problem={firstProblem(check(draft).errors)}
        estimate={text.estimate({
          count: values,
          size: formatBytes(boxBytes(values), words),
          duration: formatDuration(runSeconds("2DMetOcean", values, known), words),
        })}
        onSubmit={(event) => void form.handleSubmit((body) => onSubmit({ kind: "2DMetOcean", body }))(event)}
      >
        <label className="form-field">
          {text.what}
          <select className="field" {...register("variable")}>
            {map2dVariables.map((one) => (
              <option key={one} value={one}>
                {variableTitle(one, words)}
              </option>
            ))}
          </select>
        </label>
        <Controller
          control={control}
          name="edges"
          render={({ field: { value, onChange } }) => (
            <BoxField edges={value} near={origin} onEdges={onChange} />
          )}
        />
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {(["from", "to"] as const).map((end) => (
            <TimeField
              key={end}
              label={text[end]}
              zone={zone}
              now={now}
              time={Number.isNaN(draft[end]) ? undefined : draft[end]}
              onChange={(time) => setValue(end, time)}
              onUnclear={(isUnclear) => isUnclear && setValue(end, Number.NaN)}
            />
          ))}
        </div>
      </TaskForm>
    </FormProvider>
  );
}
