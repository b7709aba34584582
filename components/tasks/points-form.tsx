import "#components/api-client/without-eval.ts";
import { useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { problemsText } from "#lib/points/list-problem.ts";
import { pointsOfColumns } from "#lib/points/point-columns.ts";
import { readInstant } from "#lib/points/point-list.ts";
import { readSpeed, scheduled } from "#lib/points/schedule.ts";
import { formatInstant } from "#lib/time.ts";
import { formatDuration, pointBytes, runSeconds } from "./estimate.ts";
import { fileList } from "./file-list.ts";
import { ListPreview } from "./list-preview.tsx";
import { type KindFormProps, TaskForm } from "./task-form.tsx";
import type { TaskBody } from "./task-requests.ts";
import { type PointFile, usePointList } from "./use-point-list.ts";

/** The form for a list of points from a table or GPX. */
export function PointsForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const words = useWords("tasks", "lists");
  const { list: text } = words.tasks;
  const repeatedBody = given?.kind === "MetOcean" ? given.body : undefined;
  const { file, reading, readFile, readPasted, setDateOrder } = usePointList(() =>
    fileOf(repeatedBody, text.repeated),
  );
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
    return read === undefined || read.problems === undefined;
  };

  const list = file?.lists[chosenList];
  const count = list?.count ?? 0;
  const untimed = list !== undefined && list.timed < count;
  const [departureTime, knots] = [readInstant(departure), readSpeed(speed)];
  const fields = chosen.reduce((sum, name) => sum + variable(name).outputs.length, 0);
  const problem = reading
    ? text.reading
    : file?.problems
      ? problemsText(file.problems, words.lists)
      : count === 0
        ? text.choose
        : count > pointLimits.async
          ? text.tooMany({ count, most: pointLimits.async })
          : list?.unread && !skipping
            ? text.refusedRows
            : chosen.length === 0
              ? text.noQuantity
              : untimed && !(departureTime > 0 && knots >= 0)
                ? list.timed > 0
                  ? text.someUntimed
                  : text.untimed
                : undefined;

  return (
    <TaskForm
      given={repeatedBody}
      suggestedName={list?.name}
      busy={busy}
      failure={failure}
      problem={problem}
      estimate={text.estimate({
        count,
        size: formatBytes(pointBytes(count, fields), words),
        duration: formatDuration(runSeconds("MetOcean", count, known), words),
      })}
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
      {file && !file.problems ? (
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
          <TextField label={text.departure} value={departure} onChange={setDeparture} />
          <TextField label={text.speed} inputMode="decimal" value={speed} onChange={setSpeed} />
        </div>
      ) : null}
      <fieldset>
        <legend className="mb-1 text-sm">{text.quantities}</legend>
        <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
          {variableNames.map((name) => (
            <Checkbox
              key={name}
              checked={chosen.includes(name)}
              onChange={(on) =>
                setChosen(variableNames.filter((one) => (one === name ? on : chosen.includes(one))))
              }
            >
              {words.catalog.variables[name]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
    </TaskForm>
  );
}

function fileOf(
  body: (TaskBody & { kind: "MetOcean" })["body"] | undefined,
  name: string,
): PointFile | undefined {
  if (!body) return undefined;
  const points = body.points.map(({ timestamp, ...place }) => ({ ...place, time: readInstant(timestamp) }));
  const list = fileList({ kind: "table", name: "", points, km: 0, timesLeftOut: false });
  return { name, lists: [list] };
}

interface Props {
  /** @returns Whether it was read: otherwise the field is emptied, because it reports no change for the same file. */
  onFile(file: File): Promise<boolean>;
  onPasted(text: string): void;
}

/** A file of points, chosen or dropped, or pasted text. */
function PointListInput({ onFile, onPasted }: Props) {
  const { list } = useWords("tasks").tasks;
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way to what the field below does
    <div
      className="point-list-input"
      data-over={over}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        const [file] = event.dataTransfer.files;
        setOver(false);
        if (!file) return;
        event.preventDefault();
        void onFile(file);
      }}
    >
      <label className="form-field">
        {list.file}
        <input
          type="file"
          className="field py-2"
          accept=".csv,.tsv,.txt,.gpx,.rtz,.rtzp,.xlsx,text/csv,application/gpx+xml,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={async ({ target }) => {
            const [file] = target.files ?? [];
            if (file && !(await onFile(file))) target.value = "";
          }}
        />
      </label>
      <label className="form-field">
        {list.paste}
        <textarea
          className="field min-h-24 py-2 font-mono"
          placeholder={"latitude,longitude,timestamp\n48 30N,005 10W,2026-09-15 12:00"}
          onChange={(event) => onPasted(event.target.value)}
        />
      </label>
    </div>
  );
}
