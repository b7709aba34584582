import { useRef, useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { readCsv } from "#lib/points/csv.ts";
import { readGpx } from "#lib/points/gpx.ts";
import { type ListedPoint, PointListError, readInstant } from "#lib/points/point-list.ts";
import { readSpeed, scheduled } from "#lib/points/schedule.ts";
import { formatInstant } from "#lib/time.ts";
import { formatDuration, pointBytes, runSeconds } from "./estimate.ts";
import { type KindFormProps, TaskForm } from "./task-form.tsx";
import type { TaskBody } from "./task-requests.ts";

interface List {
  name: string;
  points: ListedPoint[];
  problem?: string;
}

/** The form for a list of points from CSV or GPX. */
export function PointsForm({ now, given, known, busy, failure, onSubmit }: KindFormProps) {
  const repeatedBody = given?.kind === "MetOcean" ? given.body : undefined;
  const [list, setList] = useState<List | undefined>(() => listOf(repeatedBody));
  const [chosen, setChosen] = useState<readonly VariableName[]>(repeatedBody?.variables ?? ["wind", "wave"]);
  const [departure, setDeparture] = useState(formatInstant(now));
  const [speed, setSpeed] = useState("6");

  // A large file that is still being read does not replace later input.
  const latestFile = useRef<File>(undefined);
  const readFile = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (!file) return;
    latestFile.current = file;
    const read = await file.text().then(
      (text) => readList(file.name, text),
      // It was moved or changed after it was chosen.
      () => ({ name: file.name, points: [], problem: `${file.name} could not be read: choose it again.` }),
    );
    if (latestFile.current !== file) return;
    setList(read);
    // The field reports no change when the same file is chosen again.
    if (read.problem) input.value = "";
  };
  const readPasted = (text: string) => {
    latestFile.current = undefined;
    setList(text.trim() ? readList("", text) : undefined);
  };

  const points = list?.points ?? [];
  const untimed = points.some(({ time }) => time === undefined);
  const timed = points.some(({ time }) => time !== undefined);
  const [departureTime, knots] = [readInstant(departure), readSpeed(speed)];
  const fields = chosen.reduce((sum, name) => sum + variable(name).outputs.length, 0);
  const problem =
    list?.problem ??
    (points.length === 0
      ? "Choose a CSV or GPX file, or paste a list."
      : points.length > pointLimits.async
        ? `${points.length.toLocaleString("en")} points are more than one task may have (${pointLimits.async.toLocaleString("en")}).`
        : chosen.length === 0
          ? "Choose at least one quantity."
          : untimed && !(departureTime > 0 && knots >= 0)
            ? `${timed ? "Not all points have a time" : "The list has no times"}: say when you leave (2026-09-15T12:00:00Z) and how fast you go.`
            : undefined);

  return (
    <TaskForm
      given={repeatedBody}
      busy={busy}
      failure={failure}
      problem={problem}
      estimate={`${countText(points.length)}, about ${formatBytes(pointBytes(points.length, fields))} as JSON, ${formatDuration(runSeconds("MetOcean", points.length, known))} of work.`}
      onSubmit={(common) =>
        onSubmit({
          kind: "MetOcean",
          body: {
            ...common,
            points: scheduled(points, departureTime, knots).map(({ latitude, longitude, time }) => ({
              latitude,
              longitude,
              timestamp: formatInstant(time),
            })),
            variables: [...chosen],
          },
        })
      }
    >
      <label className="form-field">
        File: GPX, or CSV with latitude, longitude and maybe time
        <input
          type="file"
          className="field py-2"
          accept=".csv,.txt,.gpx,text/csv,application/gpx+xml"
          onChange={(event) => void readFile(event.target)}
        />
      </label>
      <label className="form-field">
        Or paste it here
        <textarea
          className="field min-h-24 py-2 font-mono"
          placeholder={"latitude,longitude,timestamp\n48.35,-4.75,2026-09-15T12:00:00Z"}
          onChange={(event) => readPasted(event.target.value)}
        />
      </label>
      {list && !list.problem ? (
        <p className="text-sm">
          {list.name ? `${list.name}: ` : ""}
          {countText(points.length)}
          {untimed ? (timed ? ", not all with a time" : ", without times") : ", each with its time"}.
        </p>
      ) : null}
      {untimed && points.length > 0 ? (
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

function countText(points: number): string {
  return points === 1 ? "1 point" : `${points.toLocaleString("en")} points`;
}

function readList(name: string, text: string): List {
  try {
    const points = /\.gpx$/i.test(name) || text.trimStart().startsWith("<") ? readGpx(text) : readCsv(text);
    return { name, points };
  } catch (error) {
    if (!(error instanceof PointListError)) throw error;
    return { name, points: [], problem: error.message };
  }
}

function listOf(body: (TaskBody & { kind: "MetOcean" })["body"] | undefined): List | undefined {
  if (!body) return undefined;
  const points = body.points.map(({ timestamp, ...place }) => ({ ...place, time: readInstant(timestamp) }));
  return { name: "The task that is repeated", points };
}
