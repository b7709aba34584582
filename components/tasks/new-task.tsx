import "#components/api-client/without-eval.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { boxOfEdges, type Edges, wrongEdges } from "#components/fields/box-edges.ts";
import { BoxField } from "#components/fields/box-field.tsx";
import { TimeField } from "#components/fields/time-field.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { zoneOf } from "#components/view-state/civil.ts";
import { variableTitle } from "#components/view-state/overlays.ts";
import { useWords } from "#components/words/words-context.ts";
import { map2dVariables, variable } from "#lib/catalog/variables.ts";
import { type Map2dVariable, mapLimits } from "#lib/contract/map2d.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { errorText } from "#lib/messages/fault.ts";
import { readInstant } from "#lib/points/point-list.ts";
import { formatInstant } from "#lib/time.ts";
import { PointsForm } from "./points-form.tsx";
import {
  boxBytes,
  boxValues,
  formatDuration,
  type KindFormProps,
  runSeconds,
  TaskForm,
} from "./task-form.tsx";
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

/** Stands for the box while its edges are invalid. */
const nowhere = { south: 0, north: 0, west: 0, east: 0 };

/** This page has no map, so places with the same name are not ranked by distance. */
const origin = { latitude: 0, longitude: 0 };

function BoxForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const words = useWords("tasks");
  const { box: text } = words.tasks;
  const repeated = given?.kind === "2DMetOcean" ? given.body : undefined;
  const box = repeated?.bounding_boxes[0];
  const [from = formatInstant(now), to = formatInstant(now + 86_400)] =
    typeof box?.timestamp === "string" ? [box.timestamp, box.timestamp] : (box?.timestamp ?? []);
  const [name, setName] = useState<Map2dVariable>(repeated?.variable ?? "wind");
  const [edges, setEdges] = useState<Edges>({
    south: String(box?.latitude[0] ?? 40),
    north: String(box?.latitude[1] ?? 60),
    west: String(box?.longitude[0] ?? -30),
    east: String(box?.longitude[1] ?? 0),
  });
  const zone = zoneOf("utc", 0, words);
  const [times, setTimes] = useState({ from: readInstant(from), to: readInstant(to) });

  const { from: start, to: end } = times;
  const hours = (end - start) / 3600;
  const fields = variable(name).outputs.length;
  const { south, north, west, east } = boxOfEdges(edges) ?? nowhere;
  const values = boxValues([south, north], [west, east], hours, fields);
  const wrong = wrongEdges(edges);
  const problem =
    wrong === "latitudes"
      ? text.wrongLatitudes
      : wrong
        ? text.wrongLongitudes
        : !(hours >= 0)
          ? text.wrongTimes
          : hours > 24 * mapLimits.rangeDays
            ? text.tooLong({ days: mapLimits.rangeDays })
            : values > mapLimits.async
              ? text.tooMany({ count: values, most: mapLimits.async })
              : undefined;

  return (
    <TaskForm
      given={repeated}
      busy={busy}
      failure={failure}
      problem={problem}
      estimate={text.estimate({
        count: values,
        size: formatBytes(boxBytes(values), words),
        duration: formatDuration(runSeconds("2DMetOcean", values, known), words),
      })}
      onSubmit={(common) =>
        onSubmit({
          kind: "2DMetOcean",
          body: {
            ...common,
            variable: name,
            bounding_boxes: [
              {
                latitude: [south, north],
                longitude: [west, east],
                timestamp: start === end ? formatInstant(start) : [formatInstant(start), formatInstant(end)],
              },
            ],
          },
        })
      }
    >
      <label className="form-field">
        {text.what}
        <select
          className="field"
          value={name}
          onChange={(event) => setName(event.target.value as Map2dVariable)}
        >
          {map2dVariables.map((one) => (
            <option key={one} value={one}>
              {variableTitle(one, words)}
            </option>
          ))}
        </select>
      </label>
      <BoxField edges={edges} near={origin} onEdges={setEdges} />
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {(["from", "to"] as const).map((end) => (
          <TimeField
            key={end}
            label={text[end]}
            zone={zone}
            now={now}
            time={Number.isNaN(times[end]) ? undefined : times[end]}
            onChange={(time) => setTimes((before) => ({ ...before, [end]: time }))}
            onUnclear={(isUnclear) => isUnclear && setTimes((before) => ({ ...before, [end]: Number.NaN }))}
          />
        ))}
      </div>
    </TaskForm>
  );
}
