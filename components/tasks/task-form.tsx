import "#components/api-client/without-eval.ts";
import type { FormEventHandler, ReactNode } from "react";
import { Controller, useFormContext } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import { taskName } from "#lib/contract/point.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import type { TaskBody } from "./task-requests.ts";

export interface KindFormProps {
  /** Weather clock, Unix seconds. */
  now: number;
  given: TaskBody | undefined;
  known: readonly ListedTask[];
  busy: boolean;
  /** Why it was not sent. */
  failure: string | undefined;
  onSubmit(body: TaskBody): void;
}

/** The fields of all tasks. */
export interface CommonDraft {
  /** undefined until one is typed. */
  task_name: string | undefined;
  receive_mail: boolean;
}

export const commonDraft = (given: Partial<CommonDraft> = {}): CommonDraft => ({
  task_name: given.task_name,
  receive_mail: given.receive_mail ?? false,
});

/** @param suggested Name derived from the content of the task, used until the person types another. */
export function commonBody({ task_name, receive_mail }: CommonDraft, suggested?: string) {
  const name = (task_name ?? suggested ?? "").trim();
  // The metadata is included so that files of the result name the runs of their values.
  return { ...(name && { task_name: name }), receive_mail, include_meta: true as const };
}

interface Props {
  suggestedName?: string | undefined;
  busy: boolean;
  /** Why it was not sent. */
  failure: string | undefined;
  problem: string | undefined;
  /** Expected size and duration, if there is no problem. */
  estimate: string;
  /** Called if there is no problem. */
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** The part that the forms of all tasks share. It is rendered within a `FormProvider` of one. */
export function TaskForm({
  suggestedName = "",
  busy,
  failure,
  problem,
  estimate,
  onSubmit,
  children,
}: Props) {
  const { form } = useWords("tasks").tasks;
  const { control } = useFormContext<CommonDraft>();
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined && !busy) onSubmit(event);
      }}
    >
      {children}
      <Controller
        control={control}
        name="task_name"
        render={({ field }) => (
          <TextField
            {...field}
            label={form.name}
            maxLength={taskName.maxLength!}
            value={field.value ?? suggestedName}
          />
        )}
      />
      <Controller
        control={control}
        name="receive_mail"
        render={({ field: { value, onChange } }) => (
          <Checkbox checked={value} onChange={onChange}>
            {form.mail}
          </Checkbox>
        )}
      />
      <div className="form-foot flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-sm" role="status">
          {problem ?? estimate}
        </p>
        <Button
          type="submit"
          primary
          className="px-4"
          // A disabled button would lose the focus.
          aria-disabled={busy}
          disabled={problem !== undefined}
        >
          {busy ? form.sending : form.start}
        </Button>
        {failure ? (
          <p role="alert" className="w-full text-sm">
            {failure}
          </p>
        ) : null}
      </div>
    </form>
  );
}

/**
 * Points, or map values, per second, assumed until a task has shown the speed of this server. Measured on two
 * cores.
 */
const DEFAULT_SPEED = { MetOcean: 20_000, "2DMetOcean": 3_000_000 };

/** Bytes of JSON for a point without fields, for one field of a point, and for one value of a map. */
const POINT_BYTES = 95;
const FIELD_BYTES = 32;
const VALUE_BYTES = 5;

/** Grid step of the models that serve boxes, degrees. */
const GRID_DEGREES = 0.25;

/** Estimated rows × columns × steps × fields of a box. @param hours 0 for one instant. */
export function boxValues(
  [south, north]: readonly [number, number],
  [west, east]: readonly [number, number],
  hours: number,
  fields: number,
): number {
  const width = east >= west ? east - west : east - west + 360;
  const rows = Math.floor((north - south) / GRID_DEGREES) + 1;
  const columns = Math.min(360 / GRID_DEGREES, Math.floor(width / GRID_DEGREES) + 1);
  return rows * columns * (Math.floor(hours) + 1) * fields;
}

export function pointBytes(points: number, fields: number): number {
  return points * (POINT_BYTES + fields * FIELD_BYTES);
}

export function boxBytes(values: number): number {
  return values * VALUE_BYTES;
}

/** Duration of the smallest task, seconds, and the duration from which on a task's speed is meaningful. */
const FIXED_S = 0.5;
const TELLING_S = 2;

/**
 * Estimated duration of a task, seconds, from the speeds of earlier tasks of its kind: the median of those
 * that ran long enough. Three points in half a second do not mean six points a second; they only show that
 * the server is at least that fast.
 */
export function runSeconds(kind: TaskBody["kind"], size: number, done: readonly ListedTask[]): number {
  const runs = done
    .filter((task) => task.kind === kind && task.status === "SUCCESS" && task.started_at && task.finished_at)
    .map((task) => ({
      size: task.size,
      seconds: (Date.parse(task.finished_at!) - Date.parse(task.started_at!)) / 1000,
    }));
  const speeds = runs
    .filter(({ seconds }) => seconds >= TELLING_S)
    .map((run) => run.size / (run.seconds - FIXED_S))
    .sort((one, other) => one - other);
  const atLeast = Math.max(...runs.map((run) => run.size / Math.max(FIXED_S, run.seconds)));
  const speed = speeds[speeds.length >> 1] ?? Math.max(DEFAULT_SPEED[kind], atLeast);
  return FIXED_S + size / speed;
}

/** Text such as `a few seconds`, `about 40 s`, `about 3 min`. */
export function formatDuration(seconds: number, { tasks: { durations } }: WordsWith<"tasks">): string {
  if (seconds < 5) return durations.few;
  if (seconds < 90) return durations.seconds({ count: 5 * Math.round(seconds / 5) });
  return seconds < 5400
    ? durations.minutes({ count: Math.round(seconds / 60) })
    : durations.hours({ count: Math.round(seconds / 3600) });
}
