import { useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { pointsOfColumns } from "#lib/points/point-columns.ts";
import { readInstant } from "#lib/points/point-list.ts";
import { readSpeed, scheduled } from "#lib/points/schedule.ts";
import { formatInstant } from "#lib/time.ts";
import { formatDuration, pointBytes, runSeconds } from "./estimate.ts";
import { fileList } from "./file-list.ts";
import { formatPoints } from "./format-task.ts";
import { ListPreview } from "./list-preview.tsx";
import { PointListInput } from "./point-list-input.tsx";
import { type KindFormProps, TaskForm } from "./task-form.tsx";
import type { TaskBody } from "./task-requests.ts";
import { type PointFile, usePointList } from "./use-point-list.ts";

/** The form for a list of points from a table or GPX. */
export function PointsForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const repeatedBody = given?.kind === "MetOcean" ? given.body : undefined;
  const { file, reading, readFile, readPasted, setDateOrder } = usePointList(() => fileOf(repeatedBody));
  const [chosenList, setChosenList] = useState(0);
  const [skipping, setSkipping] = useState(false);
  const [chosen, setChosen] = useState<readonly VariableName[]>(repeatedBody?.variables ?? ["wind", "wave"]);
  const [departure, setDeparture] = useState(formatInstant(now));
  const [speed, setSpeed] = useState("6");

  /** A planned speed and departure of the file are where the person would write them. */
  const choose = (read: PointFile | undefined, index: number) => {
    setChosenList(index);
    setSkipping(false);
    const { knots, departure: planned } = read?.lists[index] ?? {};
    if (knots !== undefined) setSpeed(String(knots));
    if (planned !== undefined) setDeparture(formatInstant(planned));
  };
  const chooseFirst = (read: PointFile | undefined) => {
    if (read) choose(read, 0);
    return read === undefined || read.problem === undefined;
  };

  const list = file?.lists[chosenList];
  const count = list?.count ?? 0;
  const refused = list?.notes?.refused ?? 0;
  const untimed = list !== undefined && list.timed < count;
  const [departureTime, knots] = [readInstant(departure), readSpeed(speed)];
  const fields = chosen.reduce((sum, name) => sum + variable(name).outputs.length, 0);
  const problem = reading
    ? "The list is being read."
    : (file?.problem ??
      (count === 0
        ? "Choose a GPX, CSV or Excel file, or paste a list."
        : count > pointLimits.async
          ? `${count.toLocaleString("en")} points are more than one task may have (${pointLimits.async.toLocaleString("en")}).`
          : refused > 0 && !skipping
            ? "Some rows cannot be read: mend them and choose the file again, or leave them out."
            : chosen.length === 0
              ? "Choose at least one quantity."
              : untimed && !(departureTime > 0 && knots >= 0)
                ? `${list.timed > 0 ? "Not all points have a time" : "The list has no times"}: say when you leave (2026-09-15T12:00:00Z) and how fast you go.`
                : undefined));

  return (
    <TaskForm
      given={repeatedBody}
      suggestedName={list?.name}
      busy={busy}
      failure={failure}
      problem={problem}
      estimate={`${formatPoints(count)}, about ${formatBytes(pointBytes(count, fields))} as JSON, ${formatDuration(runSeconds("MetOcean", count, known))} of work.`}
      onSubmit={(common) => {
        if (!list?.columns) return;
        const points = scheduled(pointsOfColumns(list.columns), departureTime, knots);
        onSubmit({
          kind: "MetOcean",
          body: {
            ...common,
            points: points.map(({ latitude, longitude, time }) => ({
              latitude,
              longitude,
              timestamp: formatInstant(time),
            })),
            variables: [...chosen],
          },
        });
      }}
    >
      <PointListInput
        onFile={async (picked) => chooseFirst(await readFile(picked))}
        onPasted={async (text) => chooseFirst(await readPasted(text))}
      />
      {file && !file.problem ? (
        <ListPreview
          fileName={file.name}
          lists={file.lists}
          chosen={chosenList}
          onChoose={(index) => choose(file, index)}
          onDateOrder={setDateOrder}
          skipping={skipping}
          onSkip={setSkipping}
        />
      ) : null}
      {untimed ? (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <TextField label="Leaving the first point, UTC" value={departure} onChange={setDeparture} />
          <TextField label="Speed, knots" inputMode="decimal" value={speed} onChange={setSpeed} />
        </div>
      ) : null}
      <fieldset>
        <legend className="mb-1 text-sm">Quantities</legend>
        <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
          {variableNames.map((name) => (
            <Checkbox
              key={name}
              checked={chosen.includes(name)}
              onChange={(on) =>
                setChosen(variableNames.filter((one) => (one === name ? on : chosen.includes(one))))
              }
            >
              {variable(name).title}
            </Checkbox>
          ))}
        </div>
      </fieldset>
    </TaskForm>
  );
}

function fileOf(body: (TaskBody & { kind: "MetOcean" })["body"] | undefined): PointFile | undefined {
  if (!body) return undefined;
  const points = body.points.map(({ timestamp, ...place }) => ({ ...place, time: readInstant(timestamp) }));
  const list = fileList({ kind: "table", name: "", points, km: 0, timesLeftOut: false });
  return { name: "The task that is repeated", lists: [list] };
}
